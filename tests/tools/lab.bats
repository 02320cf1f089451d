#!/usr/bin/env bats
# The lab: what it makes, what it says of what it cannot make, and that it leaves
# nothing behind and touches nothing else, however it ends.

setup() {
	load helpers
	begin
	export TMPDIR=$PLACE
	LAB=$ROOT/scripts/lab
}

teardown() {
	kill_labs
	clean_up
}

# What a test that failed halfway may have left.
kill_labs() {
	local scratch device
	for scratch in "${PLACE:-/nowhere}"/bigdir-lab.*; do
		[ -d "$scratch" ] || continue
		grep -lzsxF "BIGDIR_LAB=$scratch" /proc/[0-9]*/environ |
			cut -d/ -f3 | xargs -r kill -KILL 2>/dev/null || true
		sleep 0.2
		umount -l "$scratch/mnt" 2>/dev/null || true
		for device in $(losetup -nO NAME -j "$scratch/image" 2>/dev/null)
		do
			losetup -d "$device"
		done
	done
}

lab() {
	run --separate-stderr timeout -k 5 120 "$LAB" "$@"
	show
}

need_images() {
	need_root "to mount"
	need mkfs.ext4 losetup findmnt
	[ -e /dev/loop-control ] || skip "there are no loop devices here"
	# in memory, an image is a file on tmpfs: as good as any
}

# A pattern of one's own: with a slash in its name.
pattern() {
	cat >"$PLACE/mine"
}

cells() {
	cut -f"$1" "$PLACE/r/cells.tsv" | tail -n +2 | sort | paste -sd' '
}

nothing_is_left() {
	local left group
	left=$(ls -d "$PLACE"/bigdir-lab.* 2>/dev/null) || true
	[ -z "$left" ] || { echo "left: $left"; return 1; }
	! grep -F "$PLACE/" /proc/self/mountinfo || return 1
	if [ "$(id -u)" = 0 ]; then
		! losetup -lnO BACK-FILE | grep -F "$PLACE/" || return 1
	fi
	# others may have a lab at work: those whose process is gone are left
	while read -r group; do
		group=${group#bigdir-lab.}
		kill -0 "${group%%-*}"
	done < <(find /sys/fs/cgroup -maxdepth 3 -name 'bigdir-lab.*' \
		-printf '%f\n' 2>/dev/null)
}

@test "--help fits 80 columns, --list names every pattern" {
	lab --help
	[ "$status" -eq 0 ]
	[ "$(wc -L <<<"$output")" -le 80 ]
	lab --list
	[ "$status" -eq 0 ]
	for file in "$ROOT"/patterns/*; do
		grep -q "^${file##*/} .*[a-z]" <<<"$output"
		grep -q '^# models: ' "$file"
	done
}

@test "what makes no sense is refused before anything is made" {
	for arguments in "" "--repeats 0 htree-300k" "--repeats x htree-300k" \
		"--cache tepid htree-300k" "--cell-timeout soon htree-300k" \
		"--size big htree-300k" "--sweep journal htree-300k" \
		"nosuch" "./nosuch" "htree-300k size=3" "htree-300k count=1,,2" \
		"--size 0 htree-300k" "--cell-timeout 08m htree-300k" \
		"--disk iops=00 htree-300k" "--disk bps=0 htree-300k" \
		"--disk iops=99999999999999999999 htree-300k" \
		"--mem 1 htree-300k" "--fs ext4 --fs ext4 htree-300k" \
		"--sweep journal=4,4 htree-300k" "--dir $PLACE/missing htree-300k" \
		"--resume $D --mem 64M" \
		"--sweep count=1,2 htree-300k" "--nosuch htree-300k" \
		"--dir $D --fs ext4 htree-300k" "--resume $D htree-300k"; do
		# shellcheck disable=SC2086
		lab $arguments
		[ "$status" -eq 2 ]
		[[ $stderr == *lab* ]]
	done
	for spec in 'ext4 -L "a"' $'ext4\n-j' 'ext4 : a : b' 'ext4 : a b' ' '; do
		lab --fs "$spec" htree-300k
		[ "$status" -eq 2 ]
	done
	printf '# mine - x\r\n' | pattern
	lab "$PLACE/mine"
	[ "$status" -eq 2 ]
	[[ $stderr == *"carriage returns"* ]]
	lab nosuch
	[[ $stderr == *"no pattern nosuch"*--list* ]]
	lab htree-300k size=3
	[[ $stderr == *"no variable size; it has: count"* ]]
	TMPDIR=$PLACE/missing lab --dir "$D" -o "$PLACE/r" htree-300k
	[ "$status" -eq 1 ]
	[ ! -e "$PLACE/r" ]
	lab --resume "$D"
	[ "$status" -eq 1 ]
	[[ $stderr == *"holds no lab"* ]]
	[ -z "$(ls "$D")" ]
	[ -z "$(ls -d "$PLACE"/lab-* 2>/dev/null)" ]
}

@test "--dry-run multiplies file systems, sweeps and variables" {
	need_root "to make file systems"
	lab --dry-run --fs 'ext4 -O ^dir_index : noatime' --fs xfs \
		--sweep journal=8,64 htree-300k count=1k,2k --repeats 3
	[ "$status" -eq 0 ]
	[[ $output == *"8 variants, 3 times each"* ]]
	[[ $output == *"mkfs.ext4 -q -F -O '^dir_index' -J size=8"* ]]
	[[ $output == *"mkfs.xfs -q -f -l size=64m"* ]]
	[[ $output == *"mount -o noatime"* ]]
	nothing_is_left
}

@test "in a directory of the user's, without root, nothing but its own" {
	need setpriv
	touch "$D/precious"
	chmod 777 "$PLACE" "$D"
	as=()
	[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --regid=65534
		--clear-groups)
	run --separate-stderr "${as[@]}" "$LAB" --dir "$D" --repeats 2 \
		-o "$PLACE/r" htree-300k count=300 --no-pictures
	show
	[ "$status" -eq 0 ]
	[ "$(ls -A "$D")" = precious ]
	[ "$(cells 5)" = "ok ok" ]
	[ "$(wc -l <"$PLACE/r/records.jsonl")" = 4 ]
	python3 "$ROOT/tests/validate_record" "$PLACE/r/records.jsonl" ||
		[ $? = 77 ]
	[[ $output == *create*real\ time* ]]
	nothing_is_left
	# killed, too
	"${as[@]}" "$LAB" --dir "$D" --repeats 99 -o "$PLACE/k" htree-300k \
		count=300 >/dev/null 2>&1 &
	pid=$!
	for _ in {1..200}; do
		compgen -G "$D/bigdir-work.*" && break
		sleep 0.02
	done
	pkill -KILL -f "$LAB --dir $D --repeats 99"
	wait "$pid" || true
	run "${as[@]}" "$LAB" --dir "$D" --repeats 1 -o "$PLACE/l" htree-300k \
		count=10 --no-pictures
	show
	[ "$status" -eq 0 ]
	[ "$(ls -A "$D")" = precious ]
	nothing_is_left
}

@test "each cell is on a new file system, has its labels, and goes" {
	need_images
	need jq
	lab -o "$PLACE/r" --no-pictures --repeats 2 --cache cold htree-300k \
		count=200 --fs 'ext4 -J size=4 -I 512 : noatime' --fs tmpfs
	[ "$status" -eq 0 ]
	[ "$(cells 1)" = "1-1 1-2 2-1 2-2" ]
	[ "$(cells 5)" = "ok ok ok ok" ]
	run jq -r '[.labels.variant, .labels.phase, .labels.repeat,
		.labels.cache, .labels.count] | @csv' "$PLACE/r/records.jsonl"
	show
	[ "${lines[0]}" = \
		'"ext4 -J size=4 -I 512 : noatime","create","1","warm","200"' ]
	[ "${lines[1]}" = \
		'"ext4 -J size=4 -I 512 : noatime","delete","1","cold","200"' ]
	[ "${#lines[@]}" = 8 ]
	[ "$(jq -s '.[0].file_system | .ext.inode_size == 512 and
		.ext.journal_bytes == 4194304 and
		(.options | test("noatime"))' "$PLACE/r/records.jsonl")" = true ]
	grep -q '^umount' "$PLACE/r/cells/1-1/commands"
	nothing_is_left
}

@test "a variant that cannot be made, or dies, or hangs, is a row that says so" {
	need_images
	pattern <<-'END'
		# mine - one that misbehaves
		# what=exit,hang,fill,fine
		# entries: 0
		case $what in
		exit) phase bad sh -c 'exit 7' ;;
		hang) phase bad timed -q -- sleep 60 ;;
		fill) phase bad mkfiles 9999 "$DIR" ;;
		fine) phase good mkfiles 10 "$DIR" ;;
		esac
	END
	ln -s "$LAB" "$PLACE/link"
	LAB=$PLACE/link lab -o "$PLACE/r" --no-pictures --repeats 1 --cell-timeout 3 --size 8M \
		--fs 'ext4 -N 100' --fs 'ext4 -O nosuch' --fs 'ext4 : nosuch' \
		--fs nosuchfs "$PLACE/mine"
	[ "$status" -eq 0 ]
	[ "$(cells 5)" = "failed failed ok timeout unmade unmade unmade unmade \
unmade unmade unmade unmade unmounted unmounted unmounted unmounted" ]
	[[ $output == *"what=exit, repeat 1: failed: phase bad: "*"exit code 7"* ]]
	[[ $output == *"what=fill, repeat 1: failed: phase bad: ran out: inodes"* ]]
	[[ $output == *"mkfs.nosuchfs was not found"* ]]
	[[ $output == *"Invalid filesystem option"*nosuch* ]]
	nothing_is_left
}

@test "a sweep that a file system does not have is said, not ignored" {
	need_images
	lab -o "$PLACE/r" --no-pictures --repeats 1 --sweep inodes=100,200 \
		--fs ext4 --fs btrfs htree-300k count=20
	[ "$status" -eq 0 ]
	[ "$(cells 5)" = "ok ok unmade unmade" ]
	[[ $output == *"btrfs has nothing to sweep that is called inodes"* ]]
}

@test "nfs is an ext4 that a virtual machine serves, and nothing else does" {
	need_images
	lab --dry-run --fs 'nfs -N 1000 : async' --sweep journal=8 htree-300k
	[ "$status" -eq 0 ]
	[[ $output == *"mkfs.ext4 -q -F -N 1000 -J size=8"*"mount -o async"* ]]
	lab --dry-run --fs nfs --sweep data=journal htree-300k
	[[ $output == *"nfs has nothing to sweep that is called data"* ]]
	lab -o "$PLACE/r" --no-pictures --repeats 1 --fs nfs htree-300k count=9
	[ "$status" -eq 1 ]
	[ "$(cells 5)" = unmounted ]
	[[ $output == *"unmounted: "*nfs*"(--vm)"* ]]
	nothing_is_left
}

@test "inode-limit tells asked, made, usable and forecast" {
	need_images
	need jq
	lab -o "$PLACE/r" --no-pictures --repeats 1 inode-limit --size 64M \
		--sweep inodes=1000,2000
	[ "$status" -eq 0 ]
	grep -E '^ext4 inodes=1000 +1000 +[0-9]+ +([0-9]+) +\1 +exact' \
		<<<"$output"
}

@test "stopped by a signal, it cleans up, and goes on where it was" {
	need_images
	pattern <<-'END'
		# mine - fast, but for the last
		# what=one,two,slow
		# entries: 0
		phase make mkfiles 10 "$DIR"
		[ "$what" != slow ] || [ -e "$RELEASE" ] || sleep 60
	END
	export RELEASE=$PLACE/release
	for signal in INT TERM; do
		rm -rf "$PLACE/r" "$RELEASE"
		env --default-signal=INT "$LAB" -o "$PLACE/r" --no-pictures \
			--repeats 1 --fs ext2 --size 8M "$PLACE/mine" >"$PLACE/out" 2>&1 &
		pid=$!
		for _ in {1..200}; do
			grep -q 'slow, repeat 1 \.\.\. $' "$PLACE/out" &&
				[ -s "$PLACE/r/cells/3-1/records.jsonl" ] && break
			sleep 0.05
		done
		kill -"$signal" "$pid"
		code=0
		wait "$pid" || code=$?
		cat "$PLACE/out"
		[ "$code" = $((128 + $(kill -l "$signal"))) ]
		grep -q -- "--resume $PLACE/r" "$PLACE/out"
		nothing_is_left
		[ -z "$(cells 1 | grep -o 3-1)" ]
		done_before=$(cells 1 | wc -w)
		touch "$RELEASE"
		lab --resume "$PLACE/r"
		[ "$status" -eq 0 ]
		[ "$(cells 1)" = "1-1 2-1 3-1" ]
		[ "$(grep -c '^\[' <<<"$output")" = $((3 - done_before)) ]
		[ "$(wc -l <"$PLACE/r/records.jsonl")" = 3 ]
	done
}

@test "killed at random moments, the next one removes all that was left" {
	need_images
	for round in {1..4}; do
		"$LAB" -o "$PLACE/r$round" --no-pictures --repeats 9 --fs ext4 \
			--fs xfs htree-300k count=2000 >/dev/null 2>&1 &
		pid=$!
		sleep "$((RANDOM % 2)).$((RANDOM % 10))"
		kill -KILL "$pid"
		wait "$pid" || true
	done
	# what is not abandoned stays
	mkdir "$PLACE/bigdir-lab.empty" "$PLACE/bigdir-lab.alive"
	printf '%s %s %s %s\n' $$ "$(awk '{print $22}' /proc/$$/stat)" \
		"$(cat /proc/sys/kernel/random/boot_id)" \
		"$(readlink /proc/self/ns/pid)" >"$PLACE/bigdir-lab.alive/owner"
	ln -s "$D" "$PLACE/bigdir-lab.link"
	touch "$D/precious"
	lab -o "$PLACE/r" --no-pictures --repeats 1 --fs ext2 htree-300k count=20
	[ "$status" -eq 0 ]
	[ -e "$PLACE/bigdir-lab.empty" ]
	[ -e "$PLACE/bigdir-lab.alive/owner" ]
	[ -e "$D/precious" ]
	rm -r "$PLACE"/bigdir-lab.{empty,alive,link}
	nothing_is_left
	! pgrep -f "$PLACE/r[0-9]" || return 1
}

@test "a slow disk is slow, and is so no longer afterwards" {
	need_images
	limits=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
	lab -o "$PLACE/r" --no-pictures --repeats 1 --disk iops=900,bps=30M \
		htree-300k count=500
	if [ ! -w $limits ]; then
		[ "$status" -eq 1 ]
		[[ $stderr == *"not possible here"*--vm* ]]
		skip "no throttle in cgroups here"
	fi
	[ "$status" -eq 0 ]
	[ "$(cells 5)" = ok ]
	grep -q '"disk": *"iops=900,bps=30M"' "$PLACE/r/records.jsonl"
	# killed under a throttle: the next one lifts it
	"$LAB" -o "$PLACE/k" --no-pictures --repeats 1 --disk iops=20 \
		htree-300k count=20000 >/dev/null 2>&1 &
	pid=$!
	for _ in {1..200}; do
		grep -q ' 20$' $limits && break
		sleep 0.05
	done
	grep ' 20$' $limits
	kill -KILL "$pid"
	wait "$pid" || true
	lab -o "$PLACE/l" --no-pictures --repeats 1 --fs ext2 htree-300k count=20
	[ "$status" -eq 0 ]
	! grep ' 20$' $limits || return 1
	nothing_is_left
}

@test "with a limit on memory, the phases are in it" {
	need_images
	need jq
	lab -o "$PLACE/r" --no-pictures --repeats 1 --mem 64M htree-300k count=500
	if [ "$status" -ne 0 ]; then
		[[ $stderr == *"not possible here"* ]]
		skip "no memory cgroups here"
	fi
	[ "$(jq -s 'map(.host.memory_limit_bytes == 67108864) | all' \
		"$PLACE/r/records.jsonl")" = true ]
	nothing_is_left
}

@test "a device is not touched unless its name is typed" {
	need_images
	truncate -s 64M "$PLACE/disk"
	device=$(losetup -f --show "$PLACE/disk")
	echo precious | dd of="$device" conv=notrunc status=none
	for answer in "" yes /dev/null; do
		run --separate-stderr "$LAB" --device "$device" -o "$PLACE/r" \
			--no-pictures --repeats 1 htree-300k count=20 <<<"$answer"
		show
		[ "$status" -eq 1 ]
		[[ $stderr == *"nothing was done"* ]]
		head -c 8 "$device" | grep -q precious
	done
	run --separate-stderr "$LAB" --device "$device" -o "$PLACE/r" \
		--no-pictures --repeats 2 --cache cold htree-300k count=20 \
		<<<"$device"
	show
	[ "$status" -eq 0 ]
	[ "$(cells 5)" = "ok ok" ]
	losetup -d "$device"
	nothing_is_left
}

@test "names with quotes, blanks and dollars are kept as they are" {
	mkdir "$PLACE/a 'b' \$c"
	cp "$ROOT/patterns/htree-300k" "$PLACE/a 'b' \$c/pat 'x' \$y"
	lab --dir "$PLACE/a 'b' \$c" -o "$PLACE/r 'é'" --no-pictures --repeats 1 \
		"$PLACE/a 'b' \$c/pat 'x' \$y" count=10
	[ "$status" -eq 0 ]
	grep -qF "pat 'x' \$y" "$PLACE/r 'é'/records.jsonl"
	nothing_is_left
}

@test "images are made, and removed, in places of any name" {
	need_images
	mkdir "$PLACE/a b" "$PLACE/back\\slash" "$PLACE/ü" "$PLACE/"$'new\nline'
	ln -s "$PLACE/a b" "$PLACE/link"
	n=0
	for place in "$PLACE/a b" "$PLACE/back\\slash" "$PLACE/ü" \
		"$PLACE/"$'new\nline' "$PLACE/link" "$PLACE/" d; do
		n=$((n + 1))
		lab -o "$PLACE/r$n" --no-pictures --repeats 1 --fs ext2 --size 8M \
			--scratch "$place" htree-300k count=20
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[ -z "$(losetup -lnO BACK-FILE | grep -F "${PLACE##*/}")" ]
		! grep -F "${PLACE##*/}" /proc/self/mountinfo || return 1
		[ -z "$(ls -A "$D")" ]
	done
}

@test "what is asked for is in force, or not said to be" {
	need_images
	lab -o "$PLACE/r" --no-pictures --repeats 1 --fs tmpfs --disk iops=100 \
		htree-300k count=20
	[[ $output$stderr == *"tmpfs has no disk"* ]] ||
		[[ $stderr == *"not possible here"* ]]
	[ "$status" -eq 1 ]
	rm -rf "$PLACE/r"
	lab -o "$PLACE/r" --no-pictures --repeats 1 --dir "$D" --mem 64M \
		htree-300k count=20
	[ "$status" -eq 0 ] || skip "no memory cgroups here"
	grep -q '"memory_limit_bytes": *67108864' "$PLACE/r/records.jsonl"
	nothing_is_left
}

@test "a resumed lab is the same experiment, and does damaged cells again" {
	pattern <<-'END'
		# mine - small
		# n=10
		phase make mkfiles "$n" "$DIR"
		# m=5 is no variable
	END
	lab -o "$PLACE/r" --no-pictures --repeats 3 --dir "$D" "$PLACE/mine"
	[ "$status" -eq 0 ]
	truncate -s -9 "$PLACE/r/cells.tsv"
	rm -r "$PLACE/r/cells/1-1"
	lab --resume "$PLACE/r"
	[ "$status" -eq 0 ]
	[[ $stderr == *"of 2 cells the results are damaged"* ]]
	[ "$(cells 1)" = "1-1 1-2 1-3" ]
	[ "$(wc -l <"$PLACE/r/records.jsonl")" = 3 ]
	rm "$PLACE/r/cells.tsv"
	lab --resume "$PLACE/r"
	[ "$(cells 1)" = "1-1 1-2 1-3" ]
	flock "$PLACE/r/lock" sleep 3 &
	sleep 0.5
	lab --resume "$PLACE/r"
	[ "$status" -eq 1 ]
	[[ $stderr == *"another lab is at work"* ]]
	wait
	sed -i 's/n=10/n=20/' "$PLACE/mine"
	lab --resume "$PLACE/r"
	[ "$status" -eq 1 ]
	[[ $stderr == *"the pattern has changed"* ]]
	: >"$PLACE/r/args"
	lab --resume "$PLACE/r"
	[ "$status" -eq 1 ]
	[[ $stderr == *damaged* ]]
}

@test "patterns with mistakes in them are rows that say so" {
	need_images
	pattern <<-'END'
		# mine - cannot be reckoned
		# size=3
		# entries: 3 *
		phase make mkfiles 10 "$DIR"
	END
	lab -o "$PLACE/r" --no-pictures --repeats 1 --fs ext2 "$PLACE/mine"
	[ "$status" -eq 1 ]
	[ "$(cells 5)" = unmade ]
	[[ $output == *"cannot be reckoned"* ]]
	sed -i 's/entries: .*/entries: 2*size+none/' "$PLACE/mine"
	lab -o "$PLACE/s" --no-pictures --repeats 1 --fs ext2 "$PLACE/mine"
	[ "$status" -eq 0 ]
}
