# ENOSPC on ext2, ext3 and ext4: each cause provoked, its remedy applied.

setup() {
	load exhaust.bash
	begin
	need mke2fs tune2fs e2fsck resize2fs
	need_fs ext4
}

teardown() { clean_up; }

# every_inode [-a] MKE2FS-OPTIONS...: inodes run out; the first remedy lets it
# go on, with -a each of them does.
every_inode() {
	local n=1 count=1
	[ "$1" != -a ] || { count=9 && shift; }
	while :; do
		image 32M mke2fs -q -F -N 1000 "$@"
		mounted
		refused -l 20 "$M/d"
		cause inodes certain
		[ "$count" != 9 ] || count=$(remedies)
		apply "$n"
		goes_on -l 20 "$M/d"
		umount "$M"
		[ $((n += 1)) -le "$count" ] || break
	done
}

@test "ext4: inodes" { every_inode -a -t ext4; }
@test "ext4: inodes, blocks of 1 KiB" { every_inode -t ext4 -b 1024; }
@test "ext4: inodes, blocks of 2 KiB, inodes of 128 bytes" {
	every_inode -t ext4 -b 2048 -I 128
}
@test "ext4: inodes, no journal" { every_inode -t ext4 -O ^has_journal; }
@test "ext4: inodes, inline_data" { every_inode -t ext4 -O inline_data; }
@test "ext4: inodes, bigalloc" { every_inode -t ext4 -O bigalloc; }
@test "ext4: inodes, meta_bg" {
	every_inode -t ext4 -O meta_bg,^resize_inode
}
@test "ext3: inodes" { every_inode -t ext3; }
@test "ext2: inodes" { every_inode -t ext2; }

@test "ext4: inodes, for mkdir, symlink and mknod too" {
	image 16M mke2fs -q -F -t ext4 -N 300
	mounted
	refused -o mkdir "$M/d"
	cause inodes certain
	refused -o symlink -s 5000 "$M/d"
	cause inodes certain
	refused -o mknod -s 5000 "$M/d"
	cause inodes certain
}

@test "ext4: inodes, on a loop device that stays" {
	image 32M mke2fs -q -F -t ext4 -N 1000
	device=$(losetup -f --show "$IMAGE")
	mount "$device" "$M"
	refused "$M"
	cause inodes certain
	apply
	goes_on "$M"
}

@test "ext4: inodes, in an image with a blank and a quote in its name" {
	image 32M mke2fs -q -F -t ext4 -N 1000
	mv "$IMAGE" "$PLACE/it's an image"
	IMAGE="$PLACE/it's an image"
	M="$PLACE/mnt 2"
	mkdir "$M"
	mounted
	refused "$M/d"
	cause inodes certain
	apply
	goes_on "$M/d"
}

@test "ext4: inodes for what is wanted" {
	image 32M mke2fs -q -F -t ext4 -N 1000
	mounted
	refused -w 5000 "$M/d"
	cause inodes certain
	apply
	run "$REFUSE" -q -n 5000 -s 100000 "$M/d"
	[ "$status" -eq 1 ]
}

# every_block MKE2FS-OPTIONS...: blocks run out, for root; each remedy helps.
every_block() {
	local n verdict
	image 24M mke2fs -q -F "$@"
	mounted
	fill "$M/filler"
	refused -l 200 "$M/d"
	cause blocks certain
	verdict=$output
	for n in $(seq "$(remedies)"); do
		[ "$n" = 1 ] || refused -s 3000000 -l 200 "$M/d"
		output=$verdict
		apply "$n"
		goes_on -l 200 -s $((n * 5000000)) "$M/d"
		fill "$M/filler"
	done
}

@test "ext4: blocks" { every_block -t ext4; }
@test "ext4: blocks of 1 KiB" { every_block -t ext4 -b 1024; }
@test "ext4: blocks, no reserve" { every_block -t ext4 -m 0; }
@test "ext4: blocks, bigalloc" { every_block -t ext4 -O bigalloc; }
@test "ext4: blocks, inline_data" { every_block -t ext4 -O inline_data; }
@test "ext3: blocks" { every_block -t ext3; }
@test "ext2: blocks" { every_block -t ext2 -b 1024; }

@test "ext4: blocks for directories" {
	image 16M mke2fs -q -F -t ext4 -N 20000 -b 1024
	mounted
	refused -o mkdir "$M/d"
	cause blocks certain
	apply
	goes_on -o mkdir "$M/d"
}

@test "ext4: blocks for long symbolic links" {
	image 16M mke2fs -q -F -t ext4 -N 20000 -b 1024
	mounted
	refused -o symlink -t 200 "$M/d"
	cause blocks certain
	apply
	goes_on -o symlink -t 200 "$M/d"
}

@test "ext4: only root's reserve is left" {
	image 24M mke2fs -q -F -t ext4 -m 20
	mounted
	chmod 777 "$M"
	setpriv --reuid 65534 --clear-groups --bounding-set=-all \
		dd if=/dev/zero of="$M/filler" bs=1k status=none || true
	refused_user -l 200 "$M/d"
	cause reserved-blocks certain
	apply
	goes_on_user -l 200 "$M/d"
}

@test "ext4: the reserve is another user's (resuid)" {
	image 24M mke2fs -q -F -t ext4 -m 20
	mounted resuid=12345
	run capsh --has-p=cap_sys_resource
	[ "$status" -ne 0 ] || skip "root may use any reserve here"
	fill "$M/filler"
	refused -l 200 "$M/d"
	cause reserved-blocks certain
	apply
	goes_on -l 200 "$M/d"
}

full_index() {
	image 64M mke2fs -q -F -t ext4 -b 1024 -N 30000 "$@"
	mounted
	refused -l 255 "$M/d"
}

@test "ext4: directory index full, large_dir while mounted" {
	full_index
	cause directory-index certain
	effect online
	apply
	goes_on -l 255 "$M/d"
}

@test "ext4: directory index full, large_dir unmounted" {
	full_index -O ^has_journal
	cause directory-index certain
	effect offline 2
	apply 2
	goes_on -l 255 "$M/d"
}

@test "ext4: directory index full, packed by e2fsck" {
	full_index
	cause directory-index certain
	apply 3
	goes_on -l 255 "$M/d"
}

@test "ext3: directory index full" {
	image 64M mke2fs -q -F -t ext3 -b 1024 -N 30000
	mounted
	refused -l 255 "$M/d"
	cause directory-index certain
	apply
	goes_on -l 255 "$M/d"
}

@test "ext4: directory index full, seen by a user who cannot read the device" {
	image 64M mke2fs -q -F -t ext4 -b 1024 -N 30000
	mounted
	refused_user -l 255 "$M/d"
	cause directory-index likely
	apply
	goes_on_user -l 255 "$M/d"
}

@test "ext4: directory index full for rename and link" {
	image 64M mke2fs -q -F -t ext4 -b 1024 -N 30000
	mounted
	touch "$M/d/source"
	run "$REFUSE" -q -o link -l 255 "$M/d"
	cause directory-index certain
	refused -o rename -l 255 -s 500000 "$M/d"
	cause directory-index certain
}

@test "ext4: the mount option max_dir_size_kb" {
	image 16M mke2fs -q -F -t ext4 -b 1024
	mounted max_dir_size_kb=64
	refused -l 40 "$M/d"
	cause directory-size certain
	apply
	goes_on -l 40 "$M/d"
}

@test "ext4: too many subdirectories" {
	image 200M mke2fs -q -F -t ext4 -b 1024 -N 70000 -O ^dir_nlink
	mounted
	refused -o mkdir "$M/d"
	cause subdirectories certain
	effect online
	apply
	goes_on -o mkdir "$M/d"
}

@test "ext2: too many subdirectories, no index" {
	image 200M mke2fs -q -F -t ext4 -b 4096 -N 70000 \
		-O ^dir_nlink,^has_journal,inline_data
	# most are made while there is an index: it takes a minute without
	mounted
	refused -o mkdir "$M/d"
	umount "$M"
	# tune2fs wants one that was checked since it was mounted
	e2fsck -fy "$IMAGE"
	tune2fs -O ^dir_index "$IMAGE"
	e2fsck -fy "$IMAGE" || [ $? = 1 ]
	mounted
	refused -o mkdir -s 1000000 "$M/d"
	cause subdirectories certain
	apply
	goes_on -o mkdir "$M/d"
}

@test "ext4: too many hard links" {
	image 64M mke2fs -q -F -t ext4 -b 1024
	mounted
	touch "$M/d/source"
	refused -o link "$M/d"
	cause hard-links certain
	apply
	goes_on -o link "$M/d"
}
