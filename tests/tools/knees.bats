# Knees in the cost: the evidence beside them, the model of the index that they
# are held against, and how they are shown. Where a knee is depends on the
# machine; finding one is tested with series that are known (unit/test_knee).

setup() {
	load helpers
	begin
	DRIVERS=${BUILD:-$ROOT/build}/drivers
	PYTHON=$(sed -n '1s/^#!//p' "$ROOT/tests/validate_record")
}

teardown() {
	clean_up
}

# of_record EXPRESSION: of the last record r, its evidence e.
of_record() {
	tail -n 1 "$PLACE/r" | "$PYTHON" -c "
import json, sys
r = json.load(sys.stdin)
e = r['evidence']
print($1)"
}

@test "samples lie at the borders of slices, and tell the directory's size" {
	mkfiles 60000 "$D" -q --fsync none --json "$PLACE/r"
	[ "$(of_record "e['position'][0], e['position'][-1]")" = "0 60000" ]
	[ "$(of_record "2 <= len(e['position']) <= 130")" = True ]
	# blocks of 256 entries are not cut at a border
	[ "$(of_record "all(p % 600 < 256 for p in e['position'][1:-1])")" \
		= True ]
	[ "$(of_record "e['directory_bytes'] == sorted(e['directory_bytes'])")" \
		= True ]
	[ "$(of_record "e['directory_bytes'][-1]")" = "$(stat -c %s "$D")" ]
	[ "$(of_record "e['processor_ns'][-1] > e['processor_ns'][0]")" = True ]
	[ "$(of_record "isinstance(r['operations'][0]['knees'], list)")" = True ]
}

@test "samples are few, however long the run is and whatever was expected" {
	tmpfs_at m nr_inodes=20001
	mkfiles --until-full m -q --fsync none --json "$PLACE/r"
	[ "$(of_record "len(e['position']) <= 130")" = True ]
	[ "$(of_record "e['position'][-1] > 19000")" = True ]
}

@test "a cache and a command have no knees" {
	timed -q --fsync none --json "$PLACE/r" -- true
	[ "$(of_record "e")" = None ]
	[ "$(of_record "'knees' in r['operations'][0]")" = False ]
}

# level_of TYPE: of the directory d in the image i.
level_of() {
	case $1 in
	ext4) debugfs -R "htree /d" "$PLACE/image" 2>/dev/null |
		sed -n 's/.*Indirect levels: *//p' | head -n 1 ;;
	# one block of hashes has a magic number of its own
	xfs) xfs_db -r -c "inode $INODE" -c "dblock 8388608" -c print \
		"$PLACE/image" | awk '/magic = 0x3df1/ { one = 1 }
			END { print !one }' ;;
	btrfs) btrfs inspect-internal dump-tree -t 5 "$PLACE/image" |
		sed -n 's/^node .* level \([0-9]*\).*/\1/p' | head -n 1 ;;
	esac
}

# deepens TYPE LEVEL MKFS...: the step from that level, as the driver numbers
# them, is where the model says.
deepens() {
	local type=$1 from=$2 step low high
	shift 2
	need_root "to mount"
	[ -x "$DRIVERS/index_steps" ] || skip "the drivers are not built"
	truncate -s 512M image
	"$@" image >mkfs.log 2>&1
	mkdir m
	mount -o loop image m
	mkdir m/d
	INODE=$(stat -c %i m/d)
	step=$("$DRIVERS/index_steps" m/d 50000 | grep "^$from ")
	read -r _ _ _ low high <<<"$step"
	echo "model: $step"
	mkfiles $((low - 2)) m/d -q
	umount m
	BEFORE=$(level_of "$type")
	mount -o loop image m
	mkfiles --start $((low - 2)) $((high + 2 - low + 2)) m/d -q
	umount m
	AFTER=$(level_of "$type")
	echo "before $BEFORE after $AFTER"
}

@test "ext4: the index gets a second level where the model says" {
	need debugfs mkfs.ext4
	deepens ext4 1 mkfs.ext4 -F -b 1024 -N 20000
	[ "$BEFORE" = 0 ]
	[ "$AFTER" = 1 ]
}

@test "XFS: one block of hashes becomes several where the model says" {
	need xfs_db mkfs.xfs
	deepens xfs 0 mkfs.xfs
	[ "$BEFORE" = 0 ]
	[ "$AFTER" = 1 ]
}

@test "btrfs: the tree gets a second level where the model says" {
	need btrfs mkfs.btrfs
	deepens btrfs 1 mkfs.btrfs
	[ "$BEFORE" = 1 ]
	[ "$AFTER" = 2 ]
}

@test "a picture marks the knees that most repeats have" {
	need gnuplot
	mkfiles 20000 "$D" -q --fsync none --json "$PLACE/r" \
		--label variant=one --label phase=create
	"$PYTHON" - "$PLACE/r" >records <<'END'
import json, sys
with open(sys.argv[1]) as f:
    record = json.load(f)
names = ["index-depth", "index-depth", "preempted"]
for repeat, (name, low) in enumerate(zip(names, [5000, 5200, 15000])):
    record["labels"]["repeat"] = str(repeat)
    record["operations"][0]["knees"] = [
        {"of": "p50", "low": low, "high": low + 400, "from_ns": 5000.0,
         "to_ns": 7000.0, "p99_from_ns": 9000.0, "p99_to_ns": 9000.0,
         "processor_from_ns": None, "processor_to_ns": None,
         "causes": [{"cause": name, "evidence": "made up"}]}]
    print(json.dumps(record))
END
	"$ROOT/tests/validate_record" records || [ $? = 3 ]
	"$ROOT/scripts/plot" -o pictures records
	grep -q "index depth" pictures/rate-create.svg
	run ! grep -q "processor shared" pictures/rate-create.svg
}
