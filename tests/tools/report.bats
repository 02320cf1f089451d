# What is reported, where, and how it looks.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# plain COMMAND...: ends with 0, and writes plain text of 80 columns.
plain() {
	ends 0 "$@"
	contains_not '.{81}' "$output"
	contains_not $'[\001-\010\013-\037]' "$output"
	[ -z "$stderr" ]
}

@test "a report has 80 columns and no colours" {
	plain mkfiles 5000 d --verify -j 2
	plain statfiles 5000 d --order random --seed 18446744073709551615
	plain renamer 5000 d --passes 2 --verify
	plain rmfiles 5000 d --order stride:9223372036854775807
	plain mkfiles 5000 d --stage --stage-batch 100
	plain statfiles --list d
	plain rmfiles --all d
}

@test "UTF-8 pictures only for terminals that speak it" {
	need script
	mkfiles 5000 d -q
	LC_ALL=C script -qec "statfiles 5000 d" /dev/null </dev/null >ascii
	LC_ALL=C.UTF-8 script -qec "statfiles 5000 d" /dev/null </dev/null >utf8
	[ -s ascii ]
	run ! grep -P '[\x80-\xff]' ascii
	LC_ALL=C run grep -P '[\x80-\xff]' utf8
	[ "$status" = 0 ]
	statfiles 5000 d >file
	LC_ALL=C run ! grep -P '[\x80-\xff]' file
}

@test "--quiet says nothing, but failures" {
	ends 0 mkfiles 10 d -q
	[ -z "$output$stderr" ]
	ends 1 mkfiles 10 d -q
	[ -z "$output" ]
	contains '^mkfiles: create 00000000: File exists, no: 0$' "$stderr"
}

@test "failures in an errno table, not among the latencies" {
	mkfiles 4 d -q --start 3
	ends 1 mkfiles 10 d --on-error continue --json r
	contains 'create failed 4 times: File exists \(EEXIST\)' "$stderr"
	contains '^created 6 files' "$output"
	[ "$(field 'r["operations"][0]["errors"]' r)" = "{'EEXIST': 4}" ]
	[ "$(field 'r["outcome"]["first_failure"]["index"]' r)" = 3 ]
	[ "$(field 'sum(b[1] for b in
		r["operations"][0]["histogram"]["buckets"])' r)" = 6 ]
	valid r
	rm d/*
	touch d/00000003
	ends 1 mkfiles 10 d --json r
	contains 'no: 3$' "$stderr"
	count_is 4 d
	[ "$(field 'r["outcome"]["end"]' r)" = error ]
	valid r 2
}

@test "records are appended, one line each, and valid" {
	mkfiles 100 d -q --json r --label disk=new --label 'note=two words'
	statfiles 100 d -q --json r
	statfiles 100 d -q --missing --json r
	statfiles --list d -q --json r
	renamer 100 d -q --json r --verify
	rmfiles 100 d -q --prefix r- --order readdir --json r
	mkfiles 50 d -q --stage --json r
	rmfiles --all d -q --json r
	randfiles d/f 100 -q --json r --time 1h
	valid r 9
	[ "$(head -1 r | /usr/bin/python3 -c '
import json, sys
print(json.load(sys.stdin)["labels"]["note"])')" = "two words" ]
}

@test "names and labels of any bytes make a valid record" {
	local odd=$'p\377\n"\\\033'
	mkfiles 20 d -q --prefix "$odd" --label "k=$odd" --json r
	count_is 20 d
	valid r
	mkfiles 20 d --prefix "$odd" --json - 2>/dev/null >r2 || true
	valid r2
}

@test "--json - writes the record, and nothing else, to standard output" {
	mkfiles 10 d --json - >r
	valid r
}

@test "a full disk under the record: it goes to standard error whole" {
	tmpfs_at t size=64k
	head -c 1M /dev/zero >t/fill 2>/dev/null || true
	ends 1 mkfiles 10 d -q --json t/r
	contains 't/r: No space left on device' "$stderr"
	grep '^{' <<<"$stderr" >r
	valid r
	[ ! -s t/r ]
	count_is 10 d
}

@test "a record on /dev/full goes to standard error whole" {
	ends 1 mkfiles 10 d -q --json /dev/full
	grep '^{' <<<"$stderr" >r
	valid r
}

@test "standard output that is closed, full or a broken pipe" {
	ends 1 bash -c 'mkfiles 10 d >&-'
	contains 'standard output' "$stderr"
	count_is 10 d
	ends 1 bash -c 'rmfiles 10 d >/dev/full'
	contains 'standard output.*No space' "$stderr"
	count_is 0 d
	for tool in mkfiles rmfiles randfiles renamer statfiles churn timed \
		compare; do
		ends 1 bash -c "$tool --help >/dev/full"
	done
	ends 1 bash -c 'set -o pipefail
		{ sleep 0.3; mkfiles 10 d; } | { exec <&-; sleep 1; }'
	count_is 10 d
}

@test "with standard error closed, all is done and reported" {
	ends 0 bash -c 'mkfiles 10 d --json r 2>&-'
	contains '^created 10' "$output"
	count_is 10 d
	valid r
}

@test "closed descriptors: nothing printed gets into a file of ours" {
	run bash -c 'mkfiles 10 d --json r <&- >&- 2>&-'
	count_is 10 d
	valid r
	run bash -c 'mkfiles 10 d --json r <&- >&- 2>&-'
	count_is 10 d
	valid r 2
	run bash -c 'churn 10 --capacity 5 d --trace t <&- >&- 2>&-'
	run ! grep -vE '^[LCRE] [0-9a-f]{16}$' t
}

@test "a live line on a terminal, of its width, wiped at the end" {
	need script
	script -qec "stty cols 60; statfiles 1G d --missing --time 1s >/dev/null" \
		/dev/null </dev/null >out
	tr '\r' '\n' <out | grep -q '^looked up [0-9,]* of 1,000,000,000'
	run ! grep -qP '\x1b' out
	tr '\r' '\n' <out | awk 'length($0) > 60 { exit 1 }'
	tr '\r' '\n' <out | tail -n 1 | grep -q '^ *$'
	script -qec "statfiles 1G d --missing --time 1s -q" /dev/null \
		</dev/null >out
	[ ! -s out ]
}

@test "no line where there is no terminal, but a heartbeat if asked for" {
	ends 0 statfiles 1G d --missing --time 500ms
	[ -z "$stderr" ]
	# stopped for ten seconds, it has one to write when it goes on
	interruptible statfiles 1G d --missing --progress 2>err >out &
	sleep 0.5
	kill -STOP $!
	sleep 10
	kill -CONT $!
	sleep 0.5
	kill -INT $!
	waits 130 $!
	grep -q '^looked up [0-9,]* of 1,000,000,000' err
	run ! grep -q $'\r' err
}

@test "--time ends it, and that is no failure" {
	ends 0 mkfiles 1G d --time 300ms --json r
	contains 'ended early +the time was up' "$output"
	[ "$(field 'r["outcome"]["end"]' r)" = time-limit ]
	count_is "$(field 'r["outcome"]["done"]' r)" d
	valid r
}

@test "what is measured is in the report" {
	ends 0 mkfiles 2000 d
	contains 'time +real .* user .* sys .* durable \+' "$output"
	contains 'p50 .* p90 .* p99 ' "$output"
	contains 'p99\.9 .* p99\.99 .* max ' "$output"
	contains 'mean .* sd .* min ' "$output"
	contains 'directory .* -> ' "$output"
	contains 'one reading of the clock, [0-9]+ ns' "$output"
	[ "$(grep -cE '^ +[0-9.]+ [num]?s +[0-9.]+ [num]?s +[0-9A-F]{8}$' \
		<<<"$output")" = 10 ]
}
