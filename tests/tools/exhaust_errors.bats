# Refusals that are no want of room: each has its own cause and next step.

setup() {
	load exhaust.bash
	begin
}

teardown() { clean_up; }

small() {
	mount -t tmpfs -o size=8m tmpfs "$M"
	mkdir "$M/d"
}

@test "a name too long, with the limit" {
	small
	refused -l 256 "$M/d"
	cause name-length certain
	[ "$(value 'evidence.limit')" = "255 bytes" ]
	[ "$(value 'evidence.name length')" = "256 bytes" ]
	goes_on -l 255 "$M/d"
}

@test "a symbolic link's target too long: ext4" {
	need mke2fs
	image 16M mke2fs -q -F -t ext4 -b 1024
	mounted
	refused -o symlink -t 1024 "$M/d"
	cause target-length certain
	[ "$(value 'evidence.limit')" = "1,023 bytes" ]
	goes_on -o symlink -t 1023 "$M/d"
}

@test "a symbolic link's target too long: xfs" {
	need mkfs.xfs
	need_fs xfs
	image 320M mkfs.xfs -q -f
	mounted
	refused -o symlink -t 1024 "$M/d"
	cause target-length certain
	goes_on -o symlink -t 1023 "$M/d"
}

@test "the directory itself is gone" {
	small
	refused -x "rmdir $M/d" "$M/d"
	cause directory-removed certain
}

@test "a name that exists" {
	small
	touch "$M/d/00000000"
	refused "$M/d"
	cause exists certain
	goes_on "$M/d"
}

@test "a name that does not exist" {
	small
	refused -o unlink "$M/d"
	cause missing certain
}

@test "a directory that is not empty" {
	small
	mkdir -p "$M/d/00000000/x"
	refused -o rmdir "$M/d"
	cause not-empty certain
}

@test "rmdir of a file, unlink of a directory" {
	small
	mkdir "$M/d/00000000"
	touch "$M/d/00000001"
	refused -o unlink "$M/d"
	cause not-a-directory certain
	refused -o rmdir -s 1 "$M/d"
	cause not-a-directory certain
}

@test "a directory of another owner" {
	small
	refused_user "$M/d"
	cause permission certain
	apply
	goes_on_user "$M/d"
}

@test "a directory without write permission" {
	small
	chown 65534 "$M/d"
	chmod 555 "$M/d"
	refused_user "$M/d"
	cause permission certain
	apply
	goes_on_user "$M/d"
}

@test "a sticky directory: another owner's name" {
	small
	chmod 1777 "$M/d"
	touch "$M/d/00000000"
	refused_user -o unlink "$M/d"
	cause permission certain
	apply
	goes_on_user "$M/d"
}

@test "an immutable directory" {
	need mke2fs chattr
	image 16M mke2fs -q -F -t ext4
	mounted
	chattr +i "$M/d"
	refused "$M/d"
	cause immutable certain
	apply
	goes_on "$M/d"
}

@test "an append-only directory" {
	need mke2fs chattr
	image 16M mke2fs -q -F -t ext4
	mounted
	touch "$M/d/00000000"
	chattr +a "$M/d"
	refused -o unlink "$M/d"
	cause append-only certain
	apply
	rm "$M/d/00000000"
}

@test "no descriptor left" {
	command -v prlimit >/dev/null || skip "prlimit is not installed"
	small
	refused -x 'prlimit --pid $PPID --nofile=4' "$M/d"
	cause open-files certain
	apply
}

@test "a mount point in the way" {
	small
	mkdir "$M/d/00000000"
	mount -t tmpfs tmpfs "$M/d/00000000"
	refused -o rmdir "$M/d"
	cause busy certain
}
