#!/usr/bin/env bats
# The inode counts we compute against those that mke2fs itself names.

setup() {
	BUILD=${BUILD:-$BATS_TEST_DIRNAME/../../build}
	DRIVER=$(realpath "$BUILD/drivers/mke2fs_driver")
	command -v mke2fs >/dev/null || skip "needs mke2fs"
	WORK=$(mktemp -d)
	# Usage types as e2fsprogs ships them, whatever is in /etc.
	export MKE2FS_CONFIG=$WORK/none
}

teardown() {
	[ -z "$WORK" ] || rm -rf "$WORK"
}

# same BYTES BLOCK INODE_SIZE INODES RATIO USAGE
same() {
	local options=() real ours
	[ "$2" = 0 ] || options+=(-b "$2")
	[ "$3" = 0 ] || options+=(-I "$3")
	[ "$4" = 0 ] || options+=(-N "$4")
	[ "$5" = 0 ] || options+=(-i "$5")
	[ -z "$6" ] || options+=(-T "$6")
	truncate -s "$1" "$WORK/image"
	real=$(mke2fs -n -F -t ext4 "${options[@]}" "$WORK/image" 2>/dev/null |
		sed -n 's/.* blocks and \([0-9]*\) inodes.*/\1/p')
	ours=$("$DRIVER" "$@")
	[ "${real:-none}" = "$ours" ] || {
		echo "$1 bytes, ${options[*]}: mke2fs $real, we $ours"
		return 1
	}
}

@test "counts asked for with -N" {
	local n b
	for n in 16 100 1000 12345 100000 399999 400000 1200000; do
		for b in 0 1024 2048 4096; do
			same 2147483648 $b 0 $n 0 ''
		done
	done
}

@test "bytes per inode, and usage types" {
	local i t
	for i in 1024 4096 5000 16384 65536 1048576; do
		same 2147483648 0 0 0 $i ''
		same 77777777 0 128 0 $i ''
	done
	for t in news small big largefile largefile4; do
		same 2147483648 0 0 0 0 $t
		same 4294967296 0 512 0 0 $t
		same 7712129024 4096 0 0 0 $t
	done
}

@test "sizes with a last group that is hardly one" {
	local extra
	for extra in 0 1 2 10 30 60 100 200 400 600 800 1000 2000 9000 30000; do
		same $((134217728 * 5 + extra * 4096)) 4096 0 0 0 ''
		same $((8388608 * 9 + extra * 1024)) 1024 0 0 0 ''
	done
}

@test "random requests" {
	local i bytes block count
	RANDOM=1
	for i in {1..40}; do
		bytes=$((4194304 + (RANDOM << 15 | RANDOM) * (1 + RANDOM % 64)))
		block=$((1024 << RANDOM % 3))
		count=$((12 + (RANDOM << 15 | RANDOM) % (bytes / 1024)))
		same $bytes $block $((128 << RANDOM % 3)) $count 0 ''
		same $bytes 0 0 0 $((1024 + RANDOM * 4)) ''
	done
}
