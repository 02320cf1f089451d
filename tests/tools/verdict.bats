# The verdict on caches: which layout to choose, and by what margin.

alike='20 21 22 23'
cold='1.0 1.1 1.2 1.3'

# cache FS LAYOUT RATES HITS COLD...: the records of a variant, a run for each
# word of the lists: highest rates per s (0: none), p99 of hits in us, and
# seconds of a cold start.
cache() {
	/usr/bin/python3 - "$MODEL" "$@" <<'END'
import copy, json, sys
model, fs, layout, *lists = sys.argv[1:]
records = list(map(json.loads, open(model)))
for n, (rate, hit, cold) in enumerate(zip(*(
        map(float, text.split()) for text in lists))):
    for record in copy.deepcopy(records):
        phase = record["labels"]["phase"]
        record["labels"].update(variant=f"{fs} layout={layout}", cache="cold",
                                layout=layout, repeat=str(n + 1))
        record["started"] = f"{fs}-{layout}-{n}-{phase}"
        for operation in record["operations"]:
            operation.update(by_position={}, by_time_ns={})
            if operation["operation"] == "hit":
                operation["latency_ns"]["p99"] = hit * 1000
        if phase == "cold-start":
            record["time"]["real_s"] = cold
        if phase == "slo":
            ramp = record["churn"]["ramp"]
            ramp["highest_per_s"] = rate or None
            ramp["steps"] = [{**ramp["steps"][0], "rate_per_s": tried,
                              "good": 0 < tried <= rate}
                             for tried in (200, rate, 1000) if tried]
            record["outcome"]["exit_code"] = int(not rate)
        print(json.dumps(record))
END
}

# A record of each phase, and of them a set in which each kind of choice is to
# be made, once for all tests.
setup_file() {
	load helpers.bash
	cd "$BATS_FILE_TMPDIR" || return 1
	mkdir d
	set -- --name hash -q --json model --label
	mkfiles 500 d "$@" phase=fill
	statfiles 500 d --via open "$@" phase=cold-start
	statfiles 500 d --via open "$@" phase=warm-start
	churn 4000 --capacity 500 --resume d "$@" phase=steady
	# whether a busy machine holds the rate is no matter: see cache()
	churn --capacity 500 --resume --ramp 1000:2000:x2 --slo p99=10s \
		--step-time 200ms d "$@" phase=slo 2>/dev/null || [ $? = 1 ]
	export MODEL=$BATS_FILE_TMPDIR/model SET=$BATS_FILE_TMPDIR/set
	{
		cache ext4 fanout:16:256 '200 210 220 230' "$alike" '2 2.1 2.2 2.3'
		cache ext4 flat '500 510 520 530' "$alike" "$cold"
		cache xfs flat '300 310 320 330' '40 41 42 43' "$cold"
		cache xfs levels:1:2 '301 309 321 329' "$alike" "$cold"
		cache btrfs levels:1:2 '250 260 270 280' "$alike" "$cold"
		cache btrfs flat '251 259 271 279' "$alike" "$cold"
		cache tmpfs flat '700 710 720 730' "$alike" "$cold" |
			sed 's/"variant": "tmpfs/"objects": "1k", &/'
	} >"$SET"
}

setup() {
	load helpers.bash
	begin
	need /usr/bin/python3
	PATH=$ROOT/scripts:$PATH
}

teardown() { clean_up; }

# one_line: what wrapped sentences say, each on a line of its own
one_line() {
	sed -E ':a; N; s/\n    +/ /; ta; P; D' <<<"$output"
}

# verdict FILE: as text, at most 80 columns wide; in $output, unwrapped
verdict() {
	ends 0 report --verdict "$@"
	contains_not '.{81}' "$output"
	contains_not '[^ -~]' "$output"
	[ -z "$stderr" ]
	output=$(one_line)
}

@test "compare: a highest rate of ramps, a hit ratio of other churns" {
	cache ext4 flat 400 20 1 >r
	ends 0 compare --metric highest --metric hits --format csv r
	[ "${#lines[@]}" = 3 ]
	contains '^"steady","","hits","%",.*,1,[1-9][0-9]\.' "$output"
	contains '^"slo","","highest","1/s",.*,1,400,' "$output"
	ends 0 compare r
	[ "$(grep -c '^rate within SLO ' <<<"$output")" = 1 ]
	[ "$(grep -c '^hit ratio ' <<<"$output")" = 1 ]
	cache ext4 flat 400 20 1 | grep '"phase": "fill"' >fill
	ends 0 compare fill
	# others use the same file system: what was used may be below zero
	[ "$(sed -nE 's/^([a-zA-Z].*[^ ])  +-?[0-9].*/\1/p' <<<"$output" |
		paste -sd,)" = "real time,CPU time,CPU utilisation,then durable,$(
	)rate per s,p50,p99,max,directory size,blocks used,inodes used" ]
}

# group NAME: of the set's verdict, what it says of that
group() {
	[ -e "$SET.verdict" ] || {
		verdict "$SET"
		echo "$output" >"$SET.verdict"
	}
	output=$(sed -n "/^$1\$/,/^\$/p" "$SET.verdict")
}

@test "the best by its highest rate, its margin, and how it looks cold" {
	group ext4
	contains '^  Choose flat \(B\): it kept p99 within 10 s up to 515/s \(median of 4 runs, 95 % interval 500/s to 530/s\)' "$output"
	contains '^  Highest rate: flat \(B\) 515/s; fanout:16:256 \(A\) 215/s, 0.42 times that of B \(p = 0.029, n = 4 and 4\)' "$output"
	contains '^  Cold, the first 500 lookups of flat \(B\) took 1.15 s; warm, ' \
		"$output"
	contains '^  Cold start: .*fanout:16:256 \(A\) 2.15 s, 1.9 times' "$output"
	contains_not 'p99 of a hit|noise' "$output"
	output=$(cat "$SET.verdict")
	contains '^  B  ext4 layout=flat$' "$output"
	contains '^B +4 +515/s +500 to 530 +21.5 us ' "$output"
	contains '^B .*%  .* 1.15 s ' "$output"
	contains '^  Mann-Whitney, 10 tests ' "$output"
	contains_not '--repeats' "$output"
}

@test "where rates are noise, p99 of a hit decides" {
	group xfs
	contains '^  Choose levels:1:2 \(D\) for its p99 of a hit' "$output"
	contains '^  Highest rate: .*no difference from [CD] that is larger' \
		"$output"
	contains '^  p99 of a hit: .*flat \(C\) 41.5 us, 1.9 times' "$output"
	contains '^  Cold start: .*no difference from D' "$output"
}

@test "where all is noise, the simplest will do" {
	group btrfs
	contains '^  The difference is noise, so the simplest will do: flat \(F\)' \
		"$output"
	contains_not 'Choose|times that' "$output"
}

@test "the best pair across file systems; not with other work" {
	group tmpfs
	contains '^  flat \(G\) is alone, and there is nothing to choose' "$output"
	group 'Across file systems'
	contains '^  The best pair: ext4 layout=flat \(B\)\.$' "$output"
	contains '^  Highest rate: ext4 .*; xfs layout=levels:1:2 \(D\) 315/s, 0.61 times' \
		"$output"
	contains_not tmpfs "$output"
}

@test "too few runs: no conclusion, and the command that would bring one" {
	mkdir R
	{
		cache ext4 flat '500 510 520' '9 9 9' '1 1 1'
		cache ext4 levels:1:2 '300 310 320' '20 20 20' '3 3 3'
	} >R/records.jsonl
	printf '%s\n' "command=lab proxy-cache --fs 'ext4 : noatime' --repeats 3 -o x layout=flat,levels:1:2" repeats=3 >R/lab
	printf 'number\tname\n' | tee R/variants.tsv >R/cells.tsv
	verdict R
	contains 'No conclusion is possible: flat \(A\) n = 3, levels:1:2 \(B\) n = 3' \
		"$output"
	contains_not 'Choose|will do|times that|best' "$output"
	contains "^  scripts/lab proxy-cache --fs 'ext4 : noatime' layout=flat,levels:1:2 .*--repeats 4$" \
		"$output"
}

@test "no rate within the SLO, all rates, cells that failed: said so" {
	mkdir R
	{
		cache ext4 flat '500 510 520 530' "$alike" "$cold"
		cache ext4 levels:1:2 '0 0 0 0' "$alike" "$cold"
		cache xfs flat '400 400 400 400 0' "$alike 9" "$cold 9" |
			sed '/"exit_code": 0/s/"good": false/"good": true/g'
	} >R/records.jsonl
	: >R/lab
	printf '%s\t%s\t%s\n' number name vars 1 'ext4 layout=flat' layout=flat \
		2 'ext4 layout=levels:1:2' layout=levels:1:2 \
		3 'zfs layout=flat' layout=flat \
		4 'xfs layout=flat' layout=flat >R/variants.tsv
	printf '%s\t%s\t%s\t%s\t%s\n' cell variant repeat status reason \
		2-1 2 1 failed 'phase slo' 3-1 3 1 unmade 'no <mkfs.zfs>' \
		>R/cells.tsv
	verdict R
	contains '^  Choose flat \(A\), as others fail: it kept' "$output"
	contains '^  levels:1:2 \(B\) kept p99 within 10 s at no rate, in 4 runs' \
		"$output"
	contains '^  No conclusion is possible: flat \(-\) n = 0' "$output"
	contains '^  flat \(C\) is alone, and .*; but in one run more, at no rate' \
		"$output"
	contains '^  ext4 layout=levels:1:2 \(B\): in 4 of 4 runs, not even the lowest rate tried, 200/s, kept p99 within 10 s;' "$output"
	contains '^  zfs layout=flat \(-\): one run did not finish: unmade \(no <mkfs.zfs>\)' \
		"$output"
	contains_not 'B\): .* did not finish' "$output"
	contains '^  xfs layout=flat \(C\) kept .* at all rates tried, up to 1k/s, in 4 runs' \
		"$output"
}

@test "the page begins with it, and has its picture" {
	need gnuplot
	{
		cache 'ext4 <x>' flat '500 510 520 530' "$alike" "$cold"
		cache 'ext4 <x>' levels:1:2 '0 0 0 0' "$alike" "$cold"
	} >r
	ends 0 report r
	output=$(grep -A1 -m1 '^<section>' report.html)
	contains '<h2>Which to choose</h2>' "$output"
	grep -q '^<li>Choose flat (A), as others fail' report.html
	grep -q '<h3>ext4 &lt;x&gt;</h3>' report.html
	output=$(grep -A1 'alt="highest rate that keeps p99 within 10 s' report.html |
		sed -n 's|.*svg+xml;base64,\([^"]*\)".*|\1|p' | base64 -d)
	contains '>515/s<' "$output"
	contains '>no run has one<' "$output"
}

@test "records without a ramp have no verdict" {
	cache ext4 flat 400 20 1 | grep '"phase": "fill"' >r
	ends 1 report --verdict r
	contains '^report: no verdict: .*scripts/lab proxy-cache' "$stderr"
	[ -z "$output" ]
	ends 1 plot -k highest r
	contains 'no highest: no run looked for' "$stderr"
}

@test "a lab of a cache ends with it" {
	run --separate-stderr lab --dir "$D" --no-pictures --repeats 1 -o R proxy-cache \
		layout=levels:1 objects=200 requests=400 step=200ms \
		ramp=1000:1000:x2 slo=p99=10s
	contains '^Which to choose$' "$output"
	contains '^  No conclusion is possible: .* \([A-]\) n = [01]' "$output"
	contains "^  scripts/lab --dir " "$output"
	contains '--repeats 4$' "$output"
}
