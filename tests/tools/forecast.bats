#!/usr/bin/env bats
# Forecast against reality: a small file system in a loop image, a forecast of
# what fits, then the same names created until the kernel refuses.

setup() {
	BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build}
	DRIVER=$(realpath "$BUILD/drivers/forecast_driver")
	[ "$(id -u)" = 0 ] || skip "needs root to mount"
	[ -c /dev/loop-control ] || skip "needs loop devices"
	WORK=$(mktemp -d)
	MOUNTED=
	mkdir "$WORK/mnt"
}

teardown() {
	[ -z "$MOUNTED" ] || umount "$WORK/mnt"
	[ -z "$WORK" ] || rm -rf "$WORK"
}

# image SIZE MKFS...: make a file system with that command and mount it
image() {
	local size=$1
	shift
	command -v "$1" >/dev/null || skip "needs $1"
	truncate -s "$size" "$WORK/image"
	"$@" "$WORK/image" >"$WORK/mkfs.log" 2>&1 ||
		{ cat "$WORK/mkfs.log"; return 1; }
	mount -o loop,noatime "$WORK/image" "$WORK/mnt" ||
		skip "this kernel does not mount it"
	MOUNTED=1
	mkdir "$WORK/mnt/dir"
}

ext4() {
	local size=$1
	shift
	image "$size" mke2fs -q -F -t ext4 "$@"
}

# drive COUNT LENGTH ORDER MODE: run the driver, set its figures as variables
drive() {
	run "$DRIVER" "$WORK/mnt/dir" "$@"
	echo "$output"
	[ "$status" = 0 ]
	[[ "$output" =~ ^cause=([0-9]+)\ at=([0-9]+)\ low=([0-9]+)\ high=([0-9]+)\ made=([0-9]+)\ bytes=([0-9]+)\ real=([0-9]+)\ full=([01])$ ]]
	cause=${BASH_REMATCH[1]} at=${BASH_REMATCH[2]}
	low=${BASH_REMATCH[3]} high=${BASH_REMATCH[4]}
	made=${BASH_REMATCH[5]} bytes=${BASH_REMATCH[6]}
	real=${BASH_REMATCH[7]} full=${BASH_REMATCH[8]}
}

# The causes, as numbered in lib/forecast.h.
FITS=0 INODES=1 BLOCKS=2 INDEX=4 TMPFS=6 XFS=7 BTRFS=8

# exactly CAUSE: the forecast was right to the name and to the byte
exactly() {
	[ "$cause" = "$1" ]
	[ "$full" = $((cause != FITS)) ]
	[ "$made" = "$at" ]
	[ "$real" = "$bytes" ]
}

# within PERCENT A B
within() {
	local difference=$(($2 > $3 ? $2 - $3 : $3 - $2))
	[ $((difference * 100)) -le $(($1 * $3)) ]
}

@test "index full, 1 KiB blocks, names of 255 bytes in sequence: exact" {
	ext4 1G -b 1024 -N 40000
	drive 40000 255 sequential exact
	exactly $INDEX
}

@test "index full, 1 KiB blocks, names of 255 bytes at random: exact" {
	ext4 1G -b 1024 -N 40000
	drive 40000 255 random exact
	exactly $INDEX
}

@test "index full, 1 KiB blocks, names of 8 to 255 bytes: exact" {
	ext4 1G -b 1024 -N 80000
	drive 80000 0 random exact
	exactly $INDEX
}

@test "index full, no checksums, another hash: exact" {
	ext4 1G -b 1024 -N 80000 -O ^metadata_csum,^64bit
	umount "$WORK/mnt" && MOUNTED=
	tune2fs -E hash_alg=tea "$WORK/image"
	mount -o loop "$WORK/image" "$WORK/mnt" && MOUNTED=1
	drive 80000 200 random exact
	exactly $INDEX
}

@test "a directory that has names already, with holes: exact" {
	ext4 1G -b 1024 -N 80000
	for i in {1..3000}; do
		printf '%s/%0200d\0' "$WORK/mnt/dir" "$i"
	done | xargs -0 touch
	for i in {1..3000..3}; do
		printf '%s/%0200d\0' "$WORK/mnt/dir" "$i"
	done | xargs -0 rm
	drive 80000 0 sequential exact
	exactly $INDEX
}

@test "large_dir lifts the limit: exact" {
	ext4 1G -b 1024 -N 80000 -O large_dir
	drive 70000 255 random exact
	exactly $FITS
}

@test "names inside the inode, then in blocks: exact" {
	local n
	for n in 3 6 9 40 2000; do
		ext4 1G -b 1024 -N 8000 -O inline_data
		drive $n 20 sequential exact
		exactly $FITS
		umount "$WORK/mnt" && MOUNTED=
	done
}

@test "without an index: exact" {
	image 1G mke2fs -q -F -t ext2 -b 1024 -N 8000 -O ^dir_index
	drive 7000 0 random exact
	exactly $FITS
}

@test "inodes: what mke2fs rounds to is what fits" {
	local n
	for n in 1000 12345; do
		ext4 2G -N $n
		drive 100000 8 random exact
		exactly $INODES
		umount "$WORK/mnt" && MOUNTED=
	done
}

@test "inodes, by formula: the count is exact, the size within 5 %" {
	ext4 512M -b 4096 -i 16384
	drive 100000 40 random formula
	[ "$cause" = $INODES ]
	[ "$made" = "$at" ]
	within 5 "$bytes" "$real"
}

@test "blocks: within a block's worth of names" {
	ext4 24M -b 1024 -N 60000
	drive 60000 100 random exact
	[ "$cause" = $BLOCKS ]
	[ "$full" = 1 ]
	within 1 "$at" "$made"
}

@test "blocks mapped the old way: within a block's worth of names" {
	image 24M mke2fs -q -F -t ext3 -b 1024 -N 60000
	drive 60000 100 sequential exact
	[ "$cause" = $BLOCKS ]
	within 1 "$at" "$made"
}

@test "index full, by formula: the interval holds it" {
	ext4 2G -b 1024 -N 80000
	drive 80000 0 random formula
	[ "$cause" = $INDEX ]
	[ "$low" -le "$made" ]
	[ "$made" -le "$high" ]
}

@test "tmpfs: nr_inodes is the limit, size is not" {
	mount -t tmpfs -o nr_inodes=5000,size=64k tmpfs "$WORK/mnt" ||
		skip "needs tmpfs"
	MOUNTED=1
	mkdir "$WORK/mnt/dir"
	drive 10000 100 random formula
	exactly $TMPFS
}

@test "xfs: imaxpct, to within the inodes of the chunks in flight" {
	image 600M mkfs.xfs -q -i maxpct=1
	drive 40000 8 random formula
	[ "$cause" = $XFS ]
	[ "$full" = 1 ]
	[ "$low" -le "$made" ]
	[ "$made" -le "$high" ]
	[ $((high - low)) -le 1000 ]
	[ "$bytes" = "$real" ] || within 5 "$bytes" "$real"
}

@test "btrfs: metadata space, within 5 %" {
	image 120M mkfs.btrfs -q
	drive 400000 40 random formula
	[ "$cause" = $BTRFS ]
	[ "$full" = 1 ]
	within 5 "$at" "$made"
	within 5 "$bytes" "$real"
}

@test "the printed forecast keeps to 80 columns" {
	ext4 1G -b 1024 -N 80000
	run "$DRIVER" "$WORK/mnt/dir" 4000000 255 random print
	[ "$status" = 0 ]
	[[ "$output" == *"runs out"*"inodes"* || "$output" == *"index"* ]]
	[ "$(awk 'length > 80' <<<"$output" | wc -l)" = 0 ]
}
