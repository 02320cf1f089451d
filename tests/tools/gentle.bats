# rmfiles --all: what must stay does, and what goes, goes gently.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# stays NAME...: each is still in d.
stays() {
	local name
	for name; do
		[ -e "d/$name" ] || [ -L "d/$name" ] ||
			{ echo "gone: $name"; return 1; }
	done
}

# --- what must stay ----------------------------------------------------------

@test "--match: names that do not match stay" {
	touch d/{a.tmp,b.tmp,a.tmp.keep,tmp,x.TMP,.hidden.tmp,b.log} \
		d/$'new\nline' d/$'\377.bak'
	ends 0 rmfiles --all d --match '*.tmp' --json r
	stays a.tmp.keep tmp x.TMP .hidden.tmp b.log $'new\nline' $'\377.bak'
	count_is 7 d
	[ "$(field 'r["deletion"]["selection"]["unmatched"]' r)" = 7 ]
	contains 'left alone +7 for their names, 0 for their age' "$output"
	ends 0 rmfiles --all d -q --match '*.bak' --match '.h*' --json r
	count_is 5 d
	stays tmp b.log
	valid r 2
}

@test "--match alone asks for no time: what has the name goes" {
	touch d/a.log
	touch -d '+1 year' d/a.tmp
	ends 0 rmfiles --all d -q --match '*.tmp'
	stays a.log
	count_is 1 d
}

@test "--match: a pattern that cannot be read matches nothing" {
	touch d/a d/b
	ends 0 rmfiles --all d -q --match '[a'
	ends 0 rmfiles --all d -q --match 'a\'
	count_is 2 d
}

@test "--older-than: newer ones stay, and those of the future" {
	touch -d '31 days ago' d/old d/'older still'
	touch -d '29 days ago' d/young
	touch -d '+1 year' d/future
	touch -d '1960-01-01' d/ancient
	touch d/now
	ends 0 rmfiles --all d --older-than 30d --json r
	stays young future now
	count_is 3 d
	contains 'left alone +0 for their names, 3 for their age' "$output"
	[ "$(field 'r["deletion"]["selection"]["kept"]' r)" = 3 ]
	[ "$(field 'r["outcome"]["failed"]' r)" = 0 ]
	valid r
}

@test "--keep: exactly the newest stay, also with equal times" {
	local i
	for i in {1..9}; do
		touch -d "2020-01-0$i" "d/$i"
	done
	ends 0 rmfiles --all d -q --keep 4 --json r
	stays 6 7 8 9
	count_is 4 d
	ends 0 rmfiles --all d -q --keep 4 --json r
	ends 0 rmfiles --all d -q --keep 1000 --json r
	count_is 4 d
	[ "$(field 'r["deletion"]["selection"]["kept"]' r)" = 4 ]
	rm d/*
	touch -d 2020-01-01 d/{a,b,c,d,e}
	touch -d 2019-01-01 d/z
	ends 0 rmfiles --all d -q --keep 2 -j 4 --json r
	stays d e
	count_is 2 d
	valid r 4
}

@test "--keep with --match and --older-than: what any of them spares stays" {
	touch -d 2020-01-01 d/{1,2,3}.log
	touch -d 2020-01-02 d/{4,5}.log
	touch d/6.log d/{7,8}.txt
	ends 0 rmfiles --all d -q --match '*.log' --keep 2 --older-than 1d
	# the newest two of the logs are 6 and 5
	stays 5.log 6.log 7.txt 8.txt
	count_is 4 d
}

@test "subdirectories and what links lead to stay" {
	mkdir precious d/sub.tmp d/other
	touch -d 2020-01-01 precious/file d/sub.tmp/file d/sub.tmp/x.tmp
	ln -s ../precious d/link.tmp
	ln -s ../precious/file d/file.tmp
	touch -h -d 2020-01-01 d/link.tmp d/file.tmp
	ends 0 rmfiles --all d -q --match '*.tmp' --older-than 1d
	stays sub.tmp/file sub.tmp/x.tmp other
	[ ! -L d/link.tmp ] && [ ! -L d/file.tmp ]
	[ -e precious/file ]
	# below too, but never the directories themselves
	ends 0 rmfiles --all --recursive d -q --match '*.tmp'
	stays sub.tmp/file other
	[ ! -e d/sub.tmp/x.tmp ]
	ends 0 rmfiles --all --recursive d -q --older-than 1d
	[ -d d/sub.tmp ] && [ -d d/other ] && [ ! -e d/sub.tmp/file ]
}

@test "a link's own time counts, and not its target's" {
	touch -d 2020-01-01 ancient
	ln -s ../ancient d/link
	ends 0 rmfiles --all d -q --older-than 1d
	[ -L d/link ]
}

@test "what is mounted inside is not entered" {
	mkdir -p d/mnt
	tmpfs_at d/mnt size=1m
	touch -d 2020-01-01 d/mnt/x.tmp d/x.tmp
	ends 1 rmfiles --all --recursive d --match '*.tmp' --older-than 1d
	stays mnt/x.tmp
	[ ! -e d/x.tmp ]
}

@test "what is replaced while it runs stays" {
	mkdir new
	mkfiles 400 d -q
	mkfiles 400 new -q
	touch -d 2020-01-01 d/*
	rmfiles --all d -q --older-than 1d --rate 200/s --json r &
	until [ "$(find d -type f | wc -l)" -lt 400 ]; do sleep 0.01; done
	renamer 400 new d -q --to-prefix= --over
	waits 0 $!
	count_is 400 d
	[ "$(field 'r["outcome"]["done"] > 0' r)" = True ]
	[ "$(field 'r["deletion"]["selection"]["kept"] > 0' r)" = True ]
	[ "$(field 'r["outcome"]["failed"]' r)" = 0 ]
	valid r
}

@test "refused: what means nothing, or not what it seems" {
	refused "goes with --all" rmfiles 5 d --match '*'
	refused "goes with --all" rmfiles 5 d --older-than 1d
	refused "goes with --all" rmfiles 5 d --keep 5
	refused "goes with --all" rmfiles 5 d --recursive
	refused "goes with --all" rmfiles 5 d --order auto
	refused "order takes" mkfiles 5 d --order auto
	refused "one directory" rmfiles --all --recursive d --keep 5
	refused "pattern for names" rmfiles --all d --match 'a/b'
	refused "pattern for names" rmfiles --all d --match ''
	refused "--older-than takes" rmfiles --all d --older-than 30x
	refused "--older-than takes" rmfiles --all d --older-than=-1
	refused "--older-than takes" rmfiles --all d --older-than 0
	refused "--keep takes" rmfiles --all d --keep 0
	refused "--keep takes" rmfiles --all d --keep some
	refused "--keep takes how many stay, from 1 to 9223372036854775807" \
		rmfiles --all d --keep 9223372036854775808
	refused "--rate takes" rmfiles --all d --rate 0
	refused "--rate takes" rmfiles --all d --rate 5/d
	refused "--max-latency takes" rmfiles --all d --max-latency x
	refused "--drain takes" rmfiles --all d --drain perhaps
}

@test "--dry-run counts what would go, and nothing goes" {
	mkdir -p d/sub/deep
	touch -d 2020-01-01 d/{1,2,3}.tmp d/sub/4.tmp d/sub/deep/5.log
	touch d/6.tmp
	ends 0 rmfiles --all d --dry-run
	contains '^would delete 4 entries of d$' "$output"
	contains '^  1 subdirectories would stay$' "$output"
	ends 0 rmfiles --all --recursive d --dry-run
	contains '^would delete 6 entries of d and below, and remove 2 ' "$output"
	ends 0 rmfiles --all --recursive d --dry-run --match '*.tmp' \
		--older-than 1d
	contains '^would delete 4 entries of d and below$' "$output"
	contains '^  1 would stay for their names$' "$output"
	contains '^  1 would stay for their age$' "$output"
	ends 0 rmfiles --all d --dry-run --keep 3
	contains '^would delete 1 entries' "$output"
	[ "$(find d -type f | wc -l)" = 6 ]
}

# --- how gently --------------------------------------------------------------

@test "--rate: no more than that" {
	mkfiles 300 d -q
	ends 0 rmfiles --all d --rate 1000/s --json r
	contains 'pace +1000/s; waited ' "$output"
	# the last block of 20 may go at once
	[ "$(field 'r["time"]["real_s"] >= 280 / 1000' r)" = True ]
	[ "$(field 'r["deletion"]["pace"]["rate_per_s"]' r)" = 1000.0 ]
	[ "$(field 'r["deletion"]["pace"]["waited_s"] > 0' r)" = True ]
	# names of a scheme, and several workers
	mkfiles 300 d -q
	ends 0 rmfiles 300 d -q --rate 60k/m -j 3 --json r
	[ "$(field 'r["time"]["real_s"] >= 200 / 1000' r)" = True ]
	valid r 2
}

@test "--rate: a signal and --time end a long wait" {
	mkfiles 10 d -q
	interruptible rmfiles --all d -q --rate 1/h --json r &
	until [ "$(find d -type f | wc -l)" = 9 ]; do sleep 0.01; done
	kill -INT $!
	waits 130 $!
	[ "$(field 'r["outcome"]["done"]' r)" = 1 ]
	ends 0 rmfiles --all d -q --rate 1/h --time 200ms --json r
	[ "$(field 'r["outcome"]["end"]' r)" = time-limit ]
	count_is 8 d
	valid r 2
}

@test "--max-latency: rests, and longer ones when it is exceeded" {
	mkfiles 20000 d -q
	# no unlink is as fast as that
	ends 0 rmfiles --all d --max-latency 1ns --time 400ms --json r
	[ "$(field 'r["deletion"]["pace"]["slow_rests"] >= 2' r)" = True ]
	[ "$(field 'r["deletion"]["pace"]["longest_rest_s"] > 0.01' r)" = True ]
	contains 'pace +at most 1 ns for one; waited' "$output"
	contains 'longer ones after' "$output"
	# none is as slow
	ends 0 rmfiles --all d -q --max-latency 1h --json r
	count_is 0 d
	[ "$(field 'r["deletion"]["pace"]["slow_rests"]' r)" = 0 ]
	valid r 2
}

@test "--nice: the lowest priority, with no rights" {
	mkfiles 50 d -q
	interruptible rmfiles --all d -q --nice --rate 20/s --json r &
	until [ "$(ps -o ni= -p $!)" -eq 19 ]; do sleep 0.01; done
	need ionice
	contains idle "$(ionice -p $!)"
	kill -INT $!
	waits 130 $!
	[ "$(field 'r["deletion"]["pace"]["nice"]' r)" = True ]
	[ "$(field 'r["deletion"]["pace"]["nice_errno"]' r)" = None ]
	valid r
}

@test "after any kill the same command goes on" {
	local i before
	mkfiles 20k d -q --name uuid
	touch -d 2020-01-01 d/[0-7]*
	before=$(find d -newermt 2021-01-01 -type f | wc -l)
	for i in {1..5}; do
		rmfiles --all d -q --older-than 1d --max-latency 1h &
		sleep 0.05
		kill -KILL $! 2>/dev/null || true
		wait $! || true
	done
	ends 0 rmfiles --all d -q --older-than 1d
	count_is "$before" d
}

@test "progress tells the end once it is known" {
	need script
	mkfiles 3000 d -q
	script -qec "rmfiles --all d --rate 2000/s" /dev/null </dev/null >out
	contains 'deleted [0-9,]+ of 3,000  [0-9]+%' "$(cat out)"
	contains 'ETA [0-9.]+ s' "$(cat out)"
}

@test "what is only looked at takes nothing from the rate" {
	mkfiles 2000 d -q
	find d -type f -name '0000000[0-4]' -exec touch -d 2020-01-01 {} +
	# every entry at that rate would take minutes
	ends 0 timeout 60 rmfiles --all d -q --older-than 1d --rate 10/s --json r
	count_is 1995 d
	[ "$(field 'r["deletion"]["selection"]["kept"]' r)" = 1995 ]
}

@test "progress counts what is kept once" {
	need script
	mkfiles 600 d -q
	find d -type f -name '*[0-7]' -exec touch -d 2020-01-01 {} +
	script -qec "rmfiles --all d --older-than 1d --rate 400/s" /dev/null \
		</dev/null >out
	contains 'of 600  [0-9]+%' "$(cat out)"
	contains_not '(10[1-9]|1[1-9][0-9])%' "$(cat out)"
	count_is 296 d
}

# --- afterwards --------------------------------------------------------------

@test "the drain is told, and can be left out" {
	mkfiles 10 d -q
	ends 0 rmfiles --all d --json r
	contains '^  drain  ' "$output"
	mkfiles 10 d -q
	ends 0 rmfiles 10 d --drain no --json r
	contains_not '^  drain  ' "$output"
	[ "$(field 'r["deletion"]["drain"]' r)" = None ]
	mkfiles 10 d -q
	ends 0 rmfiles --all d --fsync none --json r
	[ "$(field 'r["deletion"]["drain"]' r)" = None ]
	mkfiles 10 d -q
	ends 0 rmfiles --all d -q --fsync none --drain 1s --json r
	[ "$(field 'r["deletion"]["drain"]["end"] in ("nothing", "settled")' \
		r)" = True ]
	valid r 4
}

@test "xfs: waited for until the inodes are free" {
	image_at m xfs 320M
	mkdir m/d
	mkfiles 20k m/d -q
	ends 0 rmfiles --all m/d --json r
	[ "$(field 'r["deletion"]["drain"]["end"]' r)" = settled ]
	[ "$(field 'r["deletion"]["drain"]["inodes_freed"]' r)" = 20000 ]
	contains 'drain +\+.* until xfs had settled' "$output"
	valid r
}

@test "ext4: a directory that stays large is told, with what helps" {
	image_at m ext4 64M -q -N 30000
	mkdir m/d
	mkfiles 5k m/d -q
	ends 0 rmfiles --all m/d --json r
	contains 'stays large +the directory keeps its [0-9.]+ KiB' "$output"
	contains 'e2fsck -fD' "$output"
	contains_not '.{81}' "$output"
	[ "$(field 'r["deletion"]["directory_stays_large"]' r)" = True ]
	[ "$(field 'r["deletion"]["drain"]["end"]' r)" = nothing ]
	valid r
}
