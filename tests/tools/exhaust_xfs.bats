# ENOSPC on XFS.

setup() {
	load exhaust.bash
	begin
	need mkfs.xfs xfs_growfs fallocate
	need_fs xfs
}

teardown() { clean_up; }

# Fills the file system, then frees every other piece of $1 blocks.
fragment() {
	local size=$(($1 * 4096)) at=0 end
	end=$(($(stat -f -c %a "$M") * 4096))
	until fallocate -l "$end" "$M/filler" 2>/dev/null; do
		end=$((end - 65536))
	done
	while [ "$at" -lt "$end" ]; do
		echo "fpunch $at $size"
		at=$((at + 2 * size))
	done | xfs_io "$M/filler" >/dev/null
	sync -f "$M"
}

@test "xfs: imaxpct" {
	image 320M mkfs.xfs -q -f -i maxpct=1
	mounted
	refused "$M/d"
	cause xfs-imaxpct certain
	effect online
	apply
	goes_on "$M/d"
}

@test "xfs: imaxpct, by what is wanted" {
	image 320M mkfs.xfs -q -f -i maxpct=1
	mounted
	refused -w 10000 "$M/d"
	cause xfs-imaxpct certain
	apply
	run "$REFUSE" -q -n 10000 -s 1000000 "$M/d"
	[ "$status" -eq 1 ]
}

@test "xfs: blocks" {
	image 320M mkfs.xfs -q -f
	mounted
	fill "$M/filler"
	refused "$M/d"
	cause blocks certain
	verdict=$output
	apply
	goes_on "$M/d"
	fill "$M/filler"
	refused -s 20000000 "$M/d"
	output=$verdict
	apply 2
	goes_on -s 30000000 "$M/d"
}

@test "xfs: blocks, blocks of 1 KiB and large directory blocks" {
	image 320M mkfs.xfs -q -f -b size=1024 -n size=16384
	mounted
	fill "$M/filler"
	refused "$M/d"
	cause blocks certain
	apply
	goes_on "$M/d"
}

@test "xfs: free space in pieces, no sparse inodes" {
	image 320M mkfs.xfs -q -f -i sparse=0
	mounted
	fragment 4
	refused "$M/d"
	cause xfs-inode-chunk
	apply
	goes_on "$M/d"
}

@test "xfs: free space in pieces, sparse inodes" {
	image 320M mkfs.xfs -q -f -i sparse=1
	mounted
	fragment 1
	refused "$M/d"
	cause xfs-inode-chunk
	apply
	goes_on "$M/d"
}

@test "xfs: free space in pieces, inodes of 2 KiB, no finobt" {
	image 320M mkfs.xfs -q -f -m finobt=0,reflink=0,rmapbt=0,inobtcount=0 \
		-i size=2048,sparse=0
	mounted
	fragment 8
	refused "$M/d"
	cause xfs-inode-chunk
	apply
	goes_on "$M/d"
}

@test "xfs: shut down" {
	need xfs_io
	image 320M mkfs.xfs -q -f
	mounted
	refused -x "xfs_io -x -c shutdown $M" "$M/d"
	cause shut-down
	apply
	goes_on "$M/d"
}
