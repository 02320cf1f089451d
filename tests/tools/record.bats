# Every record that the tools write is as doc/record.schema.json says.

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BIN=${BUILD:-$ROOT/build}
VALIDATE=$ROOT/tests/validate_record

setup() {
	python3=$(sed -n '1s/^#!//p' "$VALIDATE")
	"$python3" -c 'import importlib.util as u, sys
sys.exit(not u.find_spec("jsonschema"))' 2>/dev/null ||
		skip "python3-jsonschema is not installed"
	PLACE=$(mktemp -d "${TMPDIR:-/tmp}/bigdir-record.XXXXXX")
	R=$PLACE/records
	D=$PLACE/d
	mkdir "$D"
	trap 'clean_up; exit 1' TERM INT HUP
}

clean_up() {
	[ -n "${PLACE:-}" ] || return 0
	if mountpoint -q "$PLACE/m"; then umount -l "$PLACE/m"; fi
	rm -rf "$PLACE"
	PLACE=
}

# All records of a test are checked when it ends.
teardown() {
	local records=0
	if [ -s "${R:-}" ]; then
		"$VALIDATE" "$R" || records=1
	fi
	clean_up
	return "$records"
}

# keeps EXIT-CODE TOOL ARGUMENTS...: it ends so, and keeps a record.
keeps() {
	local code=$1 tool=$2
	shift 2
	run "$BIN/$tool" "$@" --json "$R"
	[ "$status" -eq "$code" ] ||
		{ echo "$tool $*: exit $status: $output"; return 1; }
}

# last PATH.TO.VALUE: a value of the last record.
last() {
	tail -n 1 "$R" | "$python3" -c "
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split('.'):
    value = value[int(key) if key.isdigit() else key]
print(json.dumps(value))" "$1"
}

# full_cycle DIR
full_cycle() {
	local order D=$1
	for order in sequential reverse random stride:7 interleave:3; do
		keeps 0 mkfiles 700 "$D" --fsync none --order "$order" --verify -q
		keeps 0 statfiles 700 "$D" --order "$order" --via statx -q
		keeps 0 rmfiles 700 "$D" --fsync none --order "$order" --verify
	done
	for order in readdir inode; do
		keeps 0 mkfiles 700 "$D" --fsync none --stage -j 2 --verify
		keeps 0 statfiles 700 "$D" --order "$order" --via open -j 2
		keeps 0 renamer 700 "$D" --fsync none --order "$order" --verify
		keeps 0 rmfiles 700 "$D" --fsync none --order "$order" --prefix r- --verify
	done
}

@test "records: every computed and read order, created, looked up, deleted" {
	full_cycle "$D"
}

@test "records: every naming scheme and type" {
	local name type
	for name in hex dec hash uuid long:200 maildir 'a%05x.z'; do
		keeps 0 mkfiles 50 "$D" --name "$name" --fsync none --verify
		keeps 0 rmfiles 50 "$D" --name "$name" --fsync none --verify
	done
	for type in file dir symlink hardlink fifo; do
		keeps 0 mkfiles 50 "$D" --type "$type" --fsync none --verify
		keeps 0 rmfiles 50 "$D" --type "$type" --fsync none --verify
	done
	keeps 0 mkfiles 50 "$D" --via mknod --stage="$D/stage" --stage-batch 7
}

@test "records: randfiles, labels, and a seed over 2^63" {
	keeps 0 randfiles "$D/f" 500 --seed 18446744073709551615 \
		--label a=b --label 'with=an=equals sign' --label "u=$(printf '\377')"
	[ "$(last plan.seed)" = '"18446744073709551615"' ]
	[ "$(last labels.with)" = '"an=equals sign"' ]
	[ "$(last labels.u)" = '"\\377"' ]
}

@test "records: renames there and back, over, across, exchanged" {
	mkdir "$PLACE/e"
	keeps 0 mkfiles 500 "$D"
	keeps 0 renamer 500 "$D" --passes 3 --verify
	keeps 0 renamer 500 "$D" "$PLACE/e" --prefix r- --to-prefix "" \
		--to-name hash --verify
	keeps 0 mkfiles 500 "$D"
	keeps 0 renamer 500 "$D" "$PLACE/e" --to-name hash --exchange --verify
	keeps 0 renamer 500 "$D" "$PLACE/e" --to-name hash --over --verify
	keeps 1 renamer 500 "$D" --passes 2 --verify
	[ "$(last not_verified)" != null ]
}

@test "records: names that do not exist, and the directory listed" {
	local via
	keeps 0 mkfiles 500 "$D"
	for via in stat open access statx; do
		keeps 0 statfiles 500 "$D" --missing --via "$via"
	done
	keeps 0 statfiles --list "$D"
	[ "$(last outcome.listed)" = 500 ]
	mkdir "$PLACE/empty"
	keeps 0 statfiles --list "$PLACE/empty"
}

@test "records: directories emptied, with and without what is below" {
	keeps 0 mkfiles 500 "$D"
	keeps 0 mkfiles 3 "$D" --type dir --prefix sub
	keeps 0 mkfiles 20 "$D/sub00000001"
	keeps 1 rmfiles --all "$D"
	[ "$(last outcome.left.directories)" = 3 ]
	keeps 0 rmfiles --all --recursive --order inode -j 2 "$D"
	[ "$(last outcome.done)" = 23 ]
	keeps 0 rmfiles --all "$D"
}

@test "records: a cache, closed and open loop, and a ramp" {
	keeps 0 churn 2k "$D" --capacity 200 --verify
	keeps 0 churn 2k "$D" --capacity 200 --resume --direct --lookup stat
	[ "$(last churn.resumed)" = 200 ]
	keeps 1 churn --time 50ms "$D" --capacity 200 --resume --rate 100M
	[ "$(last churn.open_loop.held)" = false ]
	keeps 1 churn --ramp 100M:100M:x2 --slo p99=1ns --step-time 50ms "$D" \
		--capacity 200 --resume
	[ "$(last churn.ramp.highest_per_s)" = null ]
	rm -r "${D:?}"/*
	keeps 0 mkfiles 300 "$D" --age 2 --verify
	[ "$(last aging.deleted)" = 600 ]
}

@test "records: failures of all, of some, and of the check" {
	keeps 1 rmfiles 10 "$D"
	keeps 1 rmfiles 10 "$D" --on-error continue
	keeps 1 rmfiles 10 "$D" --order readdir
	[ "$(last outcome.missing)" = 10 ]
	keeps 0 mkfiles 5 "$D" --start 1
	keeps 1 mkfiles 10 "$D" --on-error continue -j 2
	[ "$(last operations.0.errors.EEXIST)" = 5 ]
	keeps 1 mkfiles 10 "$D" --stage --on-error continue
	[ "$(last outcome.stage_removed)" = 10 ]
	touch "$D/stranger"
	keeps 4 statfiles 10 "$D" --verify
	[ "$(last verification.0.unexpected.examples.0)" = '"stranger"' ]
	keeps 0 statfiles 10 "$D" --verify=ours
}

@test "records: the time is up" {
	keeps 0 mkfiles 1G "$D" --time 50ms --verify
	[ "$(last outcome.end)" = '"time-limit"' ]
	keeps 1 rmfiles 1G "$D" --start 2G --time 1ms --on-error continue
	[ "$(last outcome.end)" = '"time-limit"' ]
}

@test "records: ended by each signal" {
	local signal code
	for signal in HUP:129 INT:130 TERM:143; do
		code=${signal#*:} signal=${signal%:*}
		# a job of its own, as a shell's background jobs ignore SIGINT
		"$python3" -c '
import os, signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[2:], preexec_fn=lambda: [
	signal.signal(s, signal.SIG_DFL) for s in (1, 2, 15)])
time.sleep(0.3)
p.send_signal(getattr(signal, "SIG" + sys.argv[1]))
sys.exit(p.wait())' "$signal" "$BIN/mkfiles" 1G "$D" --prefix "$signal" \
			--json "$R" -q 3>&- || [ $? -eq "$code" ]
		[ "$(last outcome.exit_code)" = "$code" ]
	done
}

on_full_disk() {
	keeps 3 mkfiles 100k "$PLACE/m/d" --plan
	keeps 0 mkfiles 100 "$PLACE/m/d" --plan=exact
	keeps 0 mkfiles "$PLACE/m/d" --until-full --free-check --verify
	[ "$(last outcome.end)" = '"full"' ]
	keeps 0 rmfiles --all "$PLACE/m/d"
	keeps 0 mkfiles 100k "$PLACE/m/d" --until-full=all -j 2
	keeps 0 rmfiles --all "$PLACE/m/d"
	keeps 3 mkfiles 100k "$PLACE/m/d" --verify
	[ "$(last operations.0.errors.ENOSPC)" = 1 ]
	[ "$(last outcome.verdict)" != null ]
	keeps 3 mkfiles 100k "$PLACE/m/d" --start 100k --on-error continue --time 1s
	keeps 0 statfiles --list "$PLACE/m/d"
	keeps 0 rmfiles --all "$PLACE/m/d" --fsync none
}

@test "records: on tmpfs, until it is full" {
	[ "$(id -u)" = 0 ] || skip "takes root to mount"
	mkdir "$PLACE/m"
	mount -t tmpfs -o nr_inodes=5k bigdir "$PLACE/m" || skip "no tmpfs here"
	mkdir "$PLACE/m/d"
	on_full_disk
	full_cycle "$PLACE/m/d"
}

@test "records: on ext4 in a file, until it is full, and in hash order" {
	[ "$(id -u)" = 0 ] || skip "takes root to mount"
	[ -e /dev/loop-control ] || skip "no loop devices here"
	command -v mkfs.ext4 >/dev/null || skip "mkfs.ext4 is not installed"
	mkdir "$PLACE/m"
	truncate -s 64M "$PLACE/image"
	mkfs.ext4 -q -N 5000 "$PLACE/image"
	mount -o loop "$PLACE/image" "$PLACE/m" || skip "cannot mount a loop image"
	mkdir "$PLACE/m/d"
	on_full_disk
	keeps 0 mkfiles 3k "$PLACE/m/d" --order hash --verify
	[ "$(last file_system.ext.dir_index)" = true ]
	keeps 0 rmfiles 3k "$PLACE/m/d" --order hash --window 1k --verify
	full_cycle "$PLACE/m/d"
}

# A checker that finds nothing must be one that could have.
@test "validate_record: finds what is wrong, and says so by its exit code" {
	keeps 0 mkfiles 50 "$D"
	# each change of a valid record, as a line of its own
	"$python3" - "$R" >"$PLACE/changed" <<-'END'
		import json, sys
		for change in (
		    'r["extra"] = 1',
		    'r["schema"] = "another"',
		    'del r["plan"]["seed"]',
		    'r["tool"] = "rmdirs"',
		    'r["outcome"]["done"] = 49',
		    'r["outcome"]["failed"] = 1',
		    'r["outcome"]["exit_code"] = 2',
		    'r["time"]["real_s"] = "fast"',
		    'r["plan"]["staged"] = True',
		    'r["operations"][0]["latency_ns"]["p50"] = 0',
		    'r["operations"][0]["histogram"]["buckets"].pop()',
		    'r["operations"][0]["by_position"]["count"].pop()',
		    'r["operations"][0]["slowest"].pop()'):
		    r = json.load(open(sys.argv[1]))
		    exec(change)
		    print(json.dumps(r))
		print('{"schema":')
	END
	run "$VALIDATE" "$PLACE/changed"
	echo "$output"
	[ "$status" -eq 1 ]
	[ "${lines[-1]}" = "14 records, 14 not valid" ]
	run "$VALIDATE" /dev/null
	[ "$status" -eq 2 ]
	run "$VALIDATE" "$PLACE/none"
	[ "$status" -eq 3 ]
}
