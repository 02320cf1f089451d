#!/usr/bin/env bats
# The race and the table of scaling: that every runner does the same work on
# names alike, and that no verdict is given without a test.

setup() {
	load helpers
	begin
	export TMPDIR=$PLACE
	PATH=$PATH:${BUILD:-$ROOT/build}/bench
	need_root "to mount"
	need jq getopt
	[ -x "${BUILD:-$ROOT/build}/bench/bare" ] ||
		make -s -C "$ROOT" BUILD=build build/bench/bare
}

teardown() { clean_up; }

race() {
	run --separate-stderr timeout -k 5 120 "$ROOT/scripts/race" "$@"
	show
}

# raced NAMES/RUNNER/WORKERS...: a lab of these, on 2048 files each
raced() {
	local IFS=,
	run timeout -k 5 60 "$ROOT/scripts/lab" race --no-pictures --repeats 1 \
		--fs tmpfs -o "$PLACE/r" count=2048 entry="$*"
	show
	[ "$status" = 0 ]
	[ "$(cut -f5 "$PLACE/r/cells.tsv" | grep -cx ok)" = $# ] || {
		tail -n 5 "$PLACE"/r/cells/*/*
		return 1
	}
	[ "$(jq -s 'all(.[]; .outcome.exit_code == 0 and .outcome.done == 2048)' \
		"$PLACE/r/records.jsonl")" = true ]
}

# does NAMES/RUNNER/WORKERS OPERATION...: it did these, in turn
does() {
	[ "$(jq -r --arg entry "$1" 'select(.labels.entry == $entry and
		.labels.phase != "whole") | .labels.phase' \
		"$PLACE/r/records.jsonl" | paste -sd' ')" = "${*:2}" ]
}

# claims: each rate is by what the runner says of itself
claims() {
	[ "$(jq -s 'all(.[]; .command.took_s > 0 and
		.command.took_s < .time.real_s)' "$PLACE/r/records.jsonl")" = true ]
}

@test "fio" {
	need fio
	raced fio/fio/2
	does fio/fio/2 create stat delete
	claims
}

@test "perl" {
	need perl
	raced fio/perl/2
	does fio/perl/2 create stat rename delete
	claims
}

@test "fs_mark" {
	need fs_mark
	raced fs_mark/fs_mark/2
	does fs_mark/fs_mark/2 create
	claims
}

@test "the bare loop, with the names of each" {
	raced fio/bare/2 bonnie/bare/1 fs_mark/bare/1
	does fio/bare/2 create stat rename delete
	does bonnie/bare/1 create stat delete
	does fs_mark/bare/1 create
	claims
}

@test "ours, with the names of each" {
	raced fio/ours/2 bonnie/ours/1 fs_mark/ours/1
	does fio/ours/2 create stat rename delete
	does bonnie/ours/1 create stat delete
	does fs_mark/ours/1 create
}

@test "the names of the bare loop are ours" {
	local pair
	for pair in 'dec:f.0. f.0.%d' 'hex hex' 'hex10 %010Xqrstuv'; do
		bare -n "${pair% *}" create 1000 "$D" >/dev/null
		ends 0 statfiles -q --name "${pair#* }" --verify 1000 "$D"
		bare -n "${pair% *}" rename 1000 "$D" >/dev/null
		ends 0 rmfiles -q --name "${pair#* }" --prefix r- --verify \
			1000 "$D"
	done
}

@test "a race: a table of every operation, and who was not there" {
	need fio
	race --rounds 1 --count 2000 --fs tmpfs --peers fio,createmany --jobs 1 \
		--no-instructions -o "$PLACE/r"
	[ "$status" = 0 ]
	contains '^tmpfs, one worker' "$output"
	contains '^create fio ' "$output"
	contains '^stat +fio ' "$output"
	contains '^delete fio ' "$output"
	# one round tells nothing
	contains_not 'faster +[0-9]|SLOWER +[0-9]' "$output"
	command -v createmany >/dev/null ||
		contains 'not there, and so not raced: createmany' "$output"
	[ -s "$PLACE/r/race.txt" ]
	contains '^race: [0-9] of 3 runs, some .* min left' "$stderr"
	! command -v gnuplot >/dev/null || [ -s "$PLACE/r/plots/race-1.png" ]
	race --table "$PLACE/r"
	contains '^create fio ' "$output"
}

@test "a race that is ended, or killed, ends its lab" {
	local signal pid
	export TMPDIR=$PLACE/tmp
	mkdir "$TMPDIR"
	for signal in TERM KILL; do
		"$ROOT/scripts/race" --rounds 99 --count 2000 --fs tmpfs --peers perl \
			--jobs 1 -o "$PLACE/$signal" >"$PLACE/log" 2>&1 3>&- 4>&- &
		pid=$!
		for _ in {1..200}; do
			! ls "$PLACE/$signal"/cells/*/records.jsonl || break
			sleep 0.1
		done
		ls "$PLACE/$signal"/cells/*/records.jsonl
		kill "-$signal" $pid
		wait $pid || true
		for _ in {1..100}; do
			pgrep -f "lab race .*$PLACE/$signal" || break
			sleep 0.1
		done
		run ! pgrep -f "lab race .*$PLACE/$signal"
		[ -z "$(ls "$TMPDIR")" ]
	done
	race --table "$PLACE/TERM"
	[ "$status" = 0 ]
}

@test "a verdict of the table is that of compare" {
	# four rounds that differ beyond doubt, and an operation that does not
	local round rate runner
	mkdir "$PLACE/r"
	for round in 1 2 3 4 5; do
		for runner in fio:100 bare:400 ours:300; do
			for rate in create:${runner#*:} stat:$((200 + round)); do
				timed -q --count 1000 --dir "$D" \
					--took "echo 1000 / ${rate#*:}.$round | bc -l" \
					--label variant="tmpfs entry=fio/${runner%:*}/1" \
					--label entry="fio/${runner%:*}/1" \
					--label count=1000 \
					--label phase="${rate%:*}" \
					--json "$PLACE/r/records.jsonl" -- true
			done
		done
	done
	race --table "$PLACE/r"
	[ "$status" = 0 ]
	contains '^create fio +100 +400 +300 +2.9. faster +0.75 SLOWER ' "$output"
	contains '^stat +fio +20. +20. +20. +1.00 ~ +1.00 ~ ' "$output"

	need gnuplot /usr/bin/python3
	"$ROOT/scripts/plot" -k race "$PLACE/r"
	contains '5 runs each' "$(cat "$PLACE/r/plots/race-1.svg")"
	run /usr/bin/python3 -c '
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from show import naming, picture_race, reading
results = reading.read(sys.argv[2:])
naming.label_all(results)
for row in picture_race.rows_of(picture_race.groups_of(results)["1"]["tmpfs"]):
    print(row.step, *(f"{who}={f.ratio:.2f}/{f.n}"
                      for who, f in row.ratios.items()))
' "$ROOT/scripts" "$PLACE/r/records.jsonl"
	show
	contains '^create fio=2.9./5 bare=0.75/5$' "$output"
	contains '^stat fio=1.00/5 bare=1.00/5$' "$output"
}

@test "usage of the race" {
	race --peers nobody
	[ "$status" != 0 ]
	contains 'is no nobody' "$stderr"
	race --count x
	[ "$status" = 2 ]
	race --help
	[ "$status" = 0 ]
	[ "$(wc -L <<<"$output")" -le 80 ]
}

@test "scaling: a table of both places, with a judgement each" {
	run timeout -k 5 60 "$ROOT/scripts/lab" scaling --no-pictures --repeats 1 \
		--fs tmpfs -o "$PLACE/r" count=2000 jobs=1,2
	show
	[ "$(cut -f5 "$PLACE/r/cells.tsv" | sort -u | paste -sd' ')" = 'ok status' ]
	run "$ROOT/scripts/scaling-table" "$PLACE/r"
	show
	[ "$status" = 0 ]
	contains '^tmpfs, one directory for all' "$output"
	contains '^tmpfs, a directory for each worker' "$output"
	[ "$(grep -cE '^ +(create|stat|delete): ' <<<"$output")" = 6 ]
	[ "$(grep -cE '^(create|stat|delete) +1 .* 1\.00 ' <<<"$output")" = 6 ]
}

@test "the race of deleters runs the commands of the lab's pattern" {
	need mkfs.ext4 losetup
	[ -e /dev/loop-control ] || skip "there are no loop devices here"
	ends 0 "$ROOT/scripts/race-delete" --count 300 --rounds 1 \
		--fs ext4,tmpfs --made random --json "$PLACE/r" \
		--who rmfiles,rmfiles-inode,rm,find,xargs
	contains '^ext4, cold, random +[0-9]+ ' "$output"
	contains '^tmpfs, warm, random +[0-9]+ ' "$output"
	[ "$(jq -r '.command.argv | join(" ")' "$PLACE/r" |
		grep -c 'rmfiles --all -q --fsync none')" = 6 ]
	ends 1 "$ROOT/scripts/race-delete" --count 300 --who nobody
}

@test "the race of deleters on a slow disk leaves nothing, also when killed" {
	need mkfs.ext4 losetup
	[ -e /dev/loop-control ] || skip "there are no loop devices here"
	local limit=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
	[ -w "$limit" ] || skip "no throttle of cgroup v1 here"
	local signal pid race=("$ROOT/scripts/race-delete" --count 4000
		--rounds 1 --fs ext4 --state cold --made random --who rm
		--disk iops=10)
	export TMPDIR=$PLACE/tmp
	mkdir "$TMPDIR"
	for signal in TERM KILL; do
		"${race[@]}" 3>&- 4>&- &
		pid=$!
		for _ in {1..300}; do
			! grep -q ' 10$' "$limit" || break
			sleep 0.1
		done
		grep -q ' 10$' "$limit"
		kill "-$signal" $pid
		wait $pid || true
	done
	# the next one sweeps
	ends 0 "$ROOT/scripts/race-delete" --count 300 --rounds 1 --fs tmpfs \
		--made random --who rm --json "$PLACE/r"
	contains 'removing what a killed lab left' "$stderr"
	[ -z "$(ls "$TMPDIR")" ]
	run ! grep -q ' 10$' "$limit"
	run ! grep -qF "$TMPDIR" /proc/self/mountinfo
	run ! grep -F "$TMPDIR" <<<"$(losetup -nlO BACK-FILE)"
	ends 2 "$ROOT/scripts/race-delete" --disk slow
}
