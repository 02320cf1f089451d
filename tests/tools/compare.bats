# compare: records in, a table of variants out.

setup() {
	load helpers.bash
	begin
	need /usr/bin/python3
}

teardown() { clean_up; }

# Records made of one real one: `make_records VARIANT PHASE REAL...`, one for
# each time in seconds; 1,000 operations in each.
make_records() {
	[ -s model ] || {
		mkfiles 1000 d -q --json model
		rmfiles 1000 d -q
	}
	/usr/bin/python3 - "$@" <<'END'
import copy, json, sys
model = json.loads(open("model").read())
variant, phase = sys.argv[1:3]
for n, real in enumerate(sys.argv[3:]):
    r = copy.deepcopy(model)
    r["labels"] = {"variant": variant, "phase": phase}
    r["started"] = f"{variant}-{phase}-{n}"
    r["time"].update(real_s=float(real), user_s=float(real) / 4, sys_s=0)
    r["operations"][0]["rate_per_s"] = 1000 / float(real)
    print(json.dumps(r))
END
}

# three variants, five repeats: b is faster for sure, c is like a
three() {
	make_records a create 2.00 2.02 2.04 2.06 2.08
	make_records b create 1.00 1.02 1.04 1.06 1.08
	make_records c create 2.01 2.03 2.05 2.07 2.09
}

# csv VARIANT METRIC COLUMN FILE...: one figure
csv() {
	local variant=$1 metric=$2 column=$3
	shift 3
	compare --format csv "$@" | /usr/bin/python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if [row["variant"], row["metric"]] == sys.argv[1:3]:
        print(row[sys.argv[3]])' "$variant" "$metric" "$column"
}

@test "three variants, five repeats each: ratios, the best, noise" {
	three >r
	ends 0 compare --metric real r
	contains '^  A  a: 5 runs;' "$output"
	contains '^ +A +B/A +C/A$' "$output"
	contains '^ +n = 5 +n = 5 +n = 5$' "$output"
	contains '^real time +2\.04 s +0\.510 \* +1\.005  ~$' "$output"
	contains '^  95 % interval +2\.00\.\.2\.08 s ' "$output"
	contains '^  sd, p +1\.6 % +3\.0 %, 0\.0079 +1\.5 %, 0\.69$' "$output"
	contains '~ +noise' "$output"
	[ -z "$(awk 'length > 80' <<<"$output")" ]
	[ "$(csv B real difference r)" = significant ]
	[ "$(csv C real difference r)" = noise ]
	[ "$(csv B rate best r)" = yes ]
	[ "$(csv C rate best r)" = no ]
	[ "$(csv B utilisation median r)" = 25 ]
}

@test "real runs on tmpfs: three orders, five repeats, three phases" {
	local order _
	# others make and delete files on the file system of all tests
	[ "$(id -u)" != 0 ] || tmpfs_at d size=16M
	for _ in 1 2 3 4 5; do
		for order in sequential random reverse; do
			mkfiles 300 d -q --order $order --json r
			statfiles 300 d -q --order $order --json r
			timed --dir d --count 300 -q --label order=$order \
				--label phase=delete --json r -- \
				find d -type f -delete
		done
	done
	ends 0 compare --by plan.order --baseline plan.order=random r
	contains '^45 runs, 3 variants, 3 phases$' "$output"
	contains '^  A  plan.order=random: 10 runs' "$output"
	contains '^create 300 \(mkfiles\)$' "$output"
	contains '^stat 300, fsync none \(statfiles\)$' "$output"
	contains '^delete$' "$output"
	contains '^p99 ' "$output"
	contains_not '^p99\.9 ' "$(sed -n '/^delete$/,$p' <<<"$output")"
	ends 0 compare --by plan.order --metric inodes --metric directory r
	[ "$(id -u)" != 0 ] || contains '^inodes used +300 +1\.00' "$output"
	[ -z "$stderr" ]
}

@test "identical figures are never a difference" {
	make_records a x 1 2 3 4 5 >r
	make_records b x 1 2 3 4 5 >>r
	ends 0 compare --metric real --metric directory r
	contains '^real time .* 1\.000  ~$' "$output"
	contains '^directory size .* 1\.000  =$' "$output"
	contains_not '\*' "$output"
	[ "$(csv B real p r)" = 1 ]
}

@test "too few runs: said so, and no best" {
	make_records a x 1 1.01 1.02 >r
	make_records b x 5 5.01 5.02 >>r
	ends 0 compare --metric real r
	contains '^real time .* 4\.960  \?$' "$output"
	contains 'takes 4 runs' "$(tr -s ' \n' ' ' <<<"$output")"
	contains_not '\*' "$output"
	[ "$(csv B real difference r)" = "too few" ]
	make_records c x 1 >r
	ends 0 compare --metric real r
	contains '^real time +1\.00 s$' "$output"
}

@test "the seed decides on intervals, and nothing else does" {
	three >r
	compare r >one
	compare r >two
	cmp one two
	[ "$(csv B real low --seed 7 r)" = "$(csv B real low --metric real --seed 7 r)" ]
}

@test "many variants: several tables of 80 columns" {
	local v
	for v in a b c d e f g; do
		make_records $v x 1 2 3 4 5
	done >r
	ends 0 compare r
	[ -z "$(awk 'length > 80' <<<"$output")" ]
	[ "$(grep -c '^ .* A .*/A' <<<"$output")" -gt 1 ]
	contains ' G/A' "$output"
}

@test "markdown and html show marks and names as they are" {
	three | sed 's/"a"/"a|<b>*"/' >r
	ends 0 compare --format markdown --metric real r
	contains '\*\*A\*\*: a\\\|\\<b\\>\\\*: 5 runs' "$output"
	contains '^\| real time<br>95 % interval<br>sd, p \| 2\.04 s<br>' "$output"
	contains '0\.510 \\\*<br>' "$output"
	ends 0 compare --format html --metric real r
	contains '<b>A</b>: a\|&lt;b&gt;\*: 5 runs' "$output"
	contains '<td>0\.510 \*<br>' "$output"
	/usr/bin/python3 -c '
import html.parser, sys
class Balance(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"): self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
b = Balance()
b.feed(sys.stdin.read())
assert not b.open, b.open' <<<"$output"
}

@test "csv can be read back, whatever is in a name" {
	three | sed 's/"a"/"a \\"x\\", y"/' >r
	[ "$(csv A real description r)" = 'a "x", y' ]
	[ "$(csv A real n r)" = 5 ]
	[ "$(csv A real median r)" = 2.04 ]
	[ "$(compare --format csv r | wc -l)" -gt 20 ]
}

@test "the baseline, and what is none" {
	three >r
	ends 0 compare --baseline variant=b r
	contains '^  A  b: 5 runs' "$output"
	contains '^  B  a: 5 runs' "$output"
	refused 'no record has variant=x' compare --baseline variant=x r
	refused 'several variants' compare --baseline phase=create r
	refused 'KEY=VALUE' compare --baseline x r
}

@test "by file, and by several keys" {
	make_records a x 1 2 3 4 5 >before
	make_records b x 2 3 4 5 6 >after
	ends 0 compare --by file before after
	contains '^  B  file=after: 5 runs' "$output"
	ends 0 compare --by file --by variant before after
	contains '^  B  file=after, variant=b: 5 runs' "$output"
	ends 0 compare --by file_system.type before after
	contains ' 1 variant,' "$output"
	refused 'no record has a label' compare --by nothing before
}

@test "broken lines, other versions, empty and missing files: the rest is used" {
	three >r
	{
		head -n 2 r
		echo '{"schema":'
		echo '{"schema":"bigdir-record","schema_version":2}'
		echo
		tail -n +3 r
		tail -n 1 r | head -c 500
	} >mixed
	: >empty
	ends 0 compare --metric real mixed empty missing
	contains '^15 runs' "$output"
	contains '^compare: mixed:3: left out: no JSON' "$stderr"
	contains '^compare: mixed:4: left out: .*another version \(2\)' "$stderr"
	contains '^compare: mixed:19: left out: no JSON' "$stderr"
	contains '^compare: empty: the file is empty$' "$stderr"
	contains '^compare: missing: No such file' "$stderr"
	[ "${#stderr_lines[@]}" = 5 ]
}

@test "nothing to compare: exit code 1, and a sentence" {
	: >empty
	ends 1 compare empty
	contains 'there is no record to compare' "$stderr"
	[ -z "$output" ]
	ends 1 compare missing
}

@test "from standard input" {
	three >r
	ends 0 compare --metric real - <r
	contains '^15 runs' "$output"
}

@test "no run counts twice" {
	three >r
	ends 0 compare r r
	contains '^15 runs' "$output"
	contains 'r:1: left out: the same record as r:1' "$stderr"
}

@test "runs that ended early or failed are left out, and named" {
	local lines
	three >r
	sed -i '2s/"end": "complete"/"end": "time-limit"/' r
	sed -i '7s/"exit_code": 0/"exit_code": 4/' r
	ends 0 compare r
	contains '^  A  a: 4 runs, others left out' "$output"
	lines=$(tr -s ' \n' ' ' <<<"$output")
	contains 'r:2, variant A, create: ended early \(time-limit\)' "$lines"
	contains 'r:7, variant B, create: failed \(exit code 4\)' "$lines"
	contains '^ +n = 4 +n = 4 +n = 5$' "$output"
	ends 0 compare --format csv r
	contains 'left out: r:2, variant A' "$stderr"
}

@test "a variant all of whose runs failed has a column all the same" {
	three >r
	sed -i '/"variant": "b"/s/"exit_code": 0/"exit_code": 1/' r
	ends 0 compare --metric real r
	contains '^  B  b: 0 runs, others left out' "$output"
	contains '^real time +2\.04 s +- +1\.005  ~$' "$output"
}

@test "a warning when machines differ" {
	three >r
	ends 0 compare r
	contains '^Machine$' "$output"
	contains_not 'Warning' "$output"
	sed -i '1s/"kernel": "[^"]*"/"kernel": "Linux 2.5.40-mm1"/' r
	ends 0 compare r
	contains '^Warning: the records come from 2 different' "$output"
	contains 'Linux 2\.5\.40-mm1' "$output"
}

@test "percentiles that no run is long enough for are of all together" {
	three >r
	# 500 operations each: too few for p99.9, but 2,500 together are not
	sed -i 's/"done": 1000/"done": 500/g' r
	ends 0 compare --metric p99.9 r
	contains '^p99\.9 +[0-9.]+ .s +m +1\.000  m' "$output"
	[ "$(csv A p99.9 merged r)" = yes ]
	[ "$(csv B p99.9 difference r)" = "not tested" ]
}

@test "two kinds of operation: a row for each" {
	mkfiles 1000 d -q --stage --json r
	ends 0 compare r
	contains '^p99, create ' "$output"
	contains '^p99, rename ' "$output"
}

@test "control characters do not reach the terminal" {
	make_records a x 1 2 | sed 's/"x"/"x\\u001b[31m"/' >r
	ends 0 compare r
	contains '^x\\033\[31m$' "$output"
}

@test "usage errors: one line" {
	three >r
	refused 'which records' compare
	refused "not 'x'" compare --metric x r
	refused "not 'x'" compare --format x r
	refused "not 'x'" compare --seed x r
	refused 'takes a label' compare --by '' r
	refused 'unknown option' compare --json r
}

@test "output that cannot be written is noticed" {
	[ -w /dev/full ] || skip "there is no /dev/full"
	three >r
	run bash -c 'compare r >/dev/full'
	[ "$status" = 1 ]
	contains 'cannot write to standard output' "$output"
}

@test "--help: 80 columns, examples, exit 0" {
	ends 0 compare --help
	contains_not '.{81}' "$output"
	contains '^Examples:' "$output"
	contains '^Exit codes: ' "$output"
	ends 0 compare --version
	contains '^compare \(bigdir\) [0-9.]+$' "$output"
}
