# ENOSPC on tmpfs, and on overlay above tmpfs and ext4.

setup() {
	load exhaust.bash
	begin
}

teardown() { clean_up; }

tmpfs() {
	mount -t tmpfs -o "$1" tmpfs "$M"
	mkdir "$M/d"
}

@test "tmpfs: nr_inodes" {
	tmpfs nr_inodes=500,size=1m
	refused "$M/d"
	cause tmpfs-inodes certain
	effect online
	apply
	goes_on "$M/d"
	findmnt -no OPTIONS "$M" | grep -q size=1024k
}

@test "tmpfs: nr_inodes, for what is wanted" {
	tmpfs nr_inodes=500
	refused -w 20000 "$M/d"
	apply
	run "$REFUSE" -q -n 20000 -s 100000 "$M/d"
	[ "$status" -eq 1 ]
}

@test "tmpfs: nr_inodes, reached by hard links" {
	tmpfs nr_inodes=500
	touch "$M/d/source"
	refused -o link "$M/d"
	cause tmpfs-inodes certain
	apply
	goes_on -o link "$M/d"
}

@test "tmpfs: size, by long symbolic links" {
	tmpfs size=1m,nr_inodes=0
	refused -o symlink -t 200 "$M/d"
	cause tmpfs-size certain
	apply
	goes_on -o symlink -t 200 "$M/d"
}

@test "tmpfs: size, f_files being 0" {
	tmpfs size=1m,nr_inodes=0
	fill "$M/filler"
	refused -o symlink -t 200 "$M/d"
	cause tmpfs-size certain
	grep -q 'free inodes=not counted' <<<"$output"
}

@test "tmpfs: both limits, inodes first" {
	tmpfs size=64k,nr_inodes=100
	fill "$M/filler"
	refused "$M/d"
	cause tmpfs-inodes certain
	apply
	goes_on "$M/d"
}

overlay() {
	need_fs overlay
	mkdir "$PLACE/lower" "$PLACE/merged" "$1/upper" "$1/work"
	mkdir "$PLACE/lower/old"
	mount -t overlay -o \
		"lowerdir=$PLACE/lower,upperdir=$1/upper,workdir=$1/work" \
		overlay "$PLACE/merged"
	mkdir "$PLACE/merged/d"
}

@test "overlay on tmpfs: nr_inodes of the upper layer" {
	tmpfs nr_inodes=500
	overlay "$M"
	refused "$PLACE/merged/d"
	cause tmpfs-inodes
	grep -q "evidence.upper directory=$M/upper" <<<"$output"
	apply
	goes_on "$PLACE/merged/d"
}

@test "overlay on tmpfs: a directory that is still below" {
	tmpfs nr_inodes=20
	overlay "$M"
	"$REFUSE" -q "$M/d"
	refused "$PLACE/merged/old"
	cause tmpfs-inodes
	apply
	goes_on "$PLACE/merged/old"
}

@test "overlay on ext4: inodes" {
	need mke2fs resize2fs
	image 32M mke2fs -q -F -t ext4 -N 500
	mounted
	overlay "$M"
	refused "$PLACE/merged/d"
	cause inodes certain
	grep -q 'evidence.file system=ext4' <<<"$output"
	apply
	goes_on "$PLACE/merged/d"
}

@test "overlay on ext4: directory index full" {
	need mke2fs tune2fs
	image 64M mke2fs -q -F -t ext4 -b 1024 -N 30000
	mounted
	overlay "$M"
	refused -l 255 "$PLACE/merged/d"
	cause directory-index certain
	apply
	goes_on -l 255 "$PLACE/merged/d"
}

@test "overlay without an upper layer" {
	need_fs overlay
	mkdir -p "$PLACE/a" "$PLACE/b" "$PLACE/merged"
	mount -t overlay -o "lowerdir=$PLACE/a:$PLACE/b" overlay "$PLACE/merged"
	refused "$PLACE/merged"
	cause read-only-type
}
