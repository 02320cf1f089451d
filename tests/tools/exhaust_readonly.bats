# EROFS and EIO: who or what made it so, and the way back.

setup() {
	load exhaust.bash
	begin
	need mke2fs e2fsck
}

teardown() { clean_up; }

ext4() {
	image 16M mke2fs -q -F -t ext4 "$@"
}

@test "read-only: mounted so" {
	ext4
	mounted
	mount -o remount,ro "$M"
	refused "$M/d"
	cause read-only-mount certain
	apply
	goes_on "$M/d"
}

@test "read-only: mounted so from the start, the loop device too" {
	ext4
	mounted
	umount "$M"
	mount -o loop,ro "$IMAGE" "$M"
	refused "$M/d"
	cause read-only-mount certain
	apply
	goes_on "$M/d"
}

@test "read-only: mounted without its journal" {
	ext4
	mounted
	umount "$M"
	mount -o loop,ro,noload "$IMAGE" "$M"
	refused "$M/d"
	cause read-only-mount certain
	apply
	goes_on "$M/d"
}

@test "read-only: a bind mount" {
	ext4
	mounted
	mkdir "$PLACE/bind"
	mount --bind "$M" "$PLACE/bind"
	mount -o remount,bind,ro "$PLACE/bind"
	refused "$PLACE/bind/d"
	cause read-only-mount certain
	apply
	goes_on "$PLACE/bind/d"
}

@test "read-only: the device" {
	ext4
	mounted
	umount "$M"
	device=$(losetup -r -f --show "$IMAGE")
	mount -o ro "$device" "$M"
	refused "$M/d"
	cause read-only-device certain
	apply
	goes_on "$M/d"
}

@test "read-only: the type" {
	need mksquashfs
	need_fs squashfs
	mkdir "$PLACE/tree"
	mksquashfs "$PLACE/tree" "$IMAGE" -quiet -no-progress >/dev/null
	mount -o loop "$IMAGE" "$M"
	refused "$M"
	cause read-only-type certain
}

# An error of our own making: needs a kernel with ext4's debugging.
trigger() {
	local sysfs
	sysfs=/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$M")")
	[ -w "$sysfs/trigger_fs_error" ] ||
		skip "this kernel cannot make an ext4 error on demand"
	sync -f "$M" # or what is not yet on disk would be lost
	echo test >"$sysfs/trigger_fs_error"
}

@test "read-only: after an error" {
	ext4
	mounted errors=remount-ro
	trigger
	refused "$M/d"
	cause read-only-error certain
	grep -q 'errors recorded=[1-9]' <<<"$output"
	apply
	goes_on "$M/d"
	grep -q errors=remount-ro <<<"$(findmnt -no OPTIONS "$M")"
}

@test "read-only: mounted so, though an error was recorded before" {
	ext4
	mounted errors=continue
	trigger
	mount -o remount,ro "$M"
	refused "$M/d"
	cause read-only-mount certain
	apply
	goes_on "$M/d"
}

@test "read-only: after an error, below an overlay" {
	need_fs overlay
	ext4
	mounted errors=remount-ro
	mkdir "$M/upper" "$M/work" "$PLACE/lower" "$PLACE/merged"
	mount -t overlay -o \
		"lowerdir=$PLACE/lower,upperdir=$M/upper,workdir=$M/work" \
		overlay "$PLACE/merged"
	mkdir "$PLACE/merged/d"
	trigger
	refused "$PLACE/merged/d"
	cause read-only-error certain
	apply
	goes_on "$PLACE/merged/d"
}

@test "shut down: ext4" {
	need xfs_io
	ext4
	mounted
	refused -x "xfs_io -x -c shutdown $M" "$M/d"
	cause shut-down certain
	apply
	goes_on "$M/d"
}

# Lets the kernel fail on one kind of block: 3 inode bitmap, 7 directory.
simulate() {
	local sysfs
	sysfs=/sys/fs/ext4/$(basename "$(findmnt -no SOURCE "$M")")
	[ -w "$sysfs/simulate_fail" ] ||
		skip "this kernel cannot make an ext4 error on demand"
	echo "$1" >"$sysfs/simulate_fail"
}

@test "input/output error: a directory block" {
	ext4
	mounted
	simulate 7
	refused "$M/d"
	cause io-error certain
	apply
	goes_on "$M/d"
}

@test "damage: a group is out of use, and its inodes with it" {
	ext4
	mounted
	umount "$M"
	mount -o loop "$IMAGE" "$M"
	simulate 3
	refused "$M/d"
	cause corrupt certain
	apply
	run "$REFUSE" -q -s 900000 -n 1000 "$M/d"
	[ "$status" -eq 1 ]
}

@test "input/output error: the image was cut short" {
	image 32M mke2fs -q -F -t ext4 -O ^has_journal -b 1024 -G 1
	mounted
	refused -x "sync -f $M; truncate -s 12M $IMAGE
		echo 3 >/proc/sys/vm/drop_caches" -o mkdir "$M/d"
	cause io-error certain
	apply
	goes_on "$M/d"
}

# An ext4, XFS or btrfs image on a tmpfs that is too small for it.
on_small_tmpfs() {
	local size=$1
	mkdir "$PLACE/below"
	mount -t tmpfs -o "size=$size" tmpfs "$PLACE/below"
	IMAGE=$PLACE/below/image
}

@test "backing file system full: ext4" {
	on_small_tmpfs 8m
	image 64M mke2fs -q -F -t ext4 -E lazy_itable_init=1
	mounted
	dd if=/dev/zero of="$M/filler" bs=1M count=20 status=none || true
	sync -f "$M" || true
	refused -l 200 "$M/d"
	cause backing-full
	apply
	goes_on -l 200 "$M/d"
}

@test "backing file system full: ext4 without a journal" {
	on_small_tmpfs 8m
	image 64M mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1
	mounted errors=remount-ro
	dd if=/dev/zero of="$M/filler" bs=1M count=20 status=none || true
	sync -f "$M" || true
	run "$REFUSE" -q -l 200 -n 20000 "$M/d"
	[ "$status" -eq 0 ] ||
		skip "without a journal nothing waits for its writes: no refusal"
	cause backing-full
	apply
	goes_on -l 200 "$M/d"
}

@test "backing file system full: xfs" {
	need mkfs.xfs xfs_repair
	need_fs xfs
	on_small_tmpfs 90m
	image 320M mkfs.xfs -q -f
	mounted
	# by default XFS waits for room for ever, and refuses nothing
	errors=/sys/fs/xfs/$(basename "$(findmnt -no SOURCE "$M")")/error
	[ -w "$errors/metadata/ENOSPC/max_retries" ] ||
		skip "this kernel cannot make XFS give up"
	echo 0 >"$errors/metadata/ENOSPC/max_retries"
	fill "$PLACE/below/other"
	refused -l 200 "$M/d"
	cause backing-full
	apply
	goes_on -l 200 "$M/d"
}

@test "backing file system full: btrfs" {
	need mkfs.btrfs btrfs
	need_fs btrfs
	on_small_tmpfs 20m
	image 256M mkfs.btrfs -q -f
	mounted
	dd if=/dev/zero of="$M/filler" bs=1M count=60 status=none || true
	sync -f "$M" || true
	refused -l 200 "$M/d"
	cause backing-full
	apply
	goes_on -l 200 "$M/d"
}

@test "backing file system full: ext4 on ext4" {
	need resize2fs
	mkdir "$PLACE/below"
	truncate -s 24M "$PLACE/outer"
	mke2fs -q -F -t ext4 -b 1024 "$PLACE/outer"
	mount -o loop "$PLACE/outer" "$PLACE/below"
	IMAGE=$PLACE/below/image
	image 64M mke2fs -q -F -t ext4 -E lazy_itable_init=1
	mounted
	dd if=/dev/zero of="$M/filler" bs=1M count=40 status=none || true
	sync -f "$M" || true
	refused -l 200 "$M/d"
	cause backing-full
}
