# On real file systems, full ones, and as an ordinary user.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# One life of a directory: made, read, renamed and deleted in every order.
life() {
	local order type=$2
	mkdir "$1/d"
	for order in sequential random readdir inode $3; do
		ends 0 mkfiles 500 "$1/d" -q -j 2 --order random --verify
		ends 0 statfiles 500 "$1/d" -q -j 2 --order "$order" --verify
		ends 0 renamer 500 "$1/d" -q --order "$order" --verify
		ends 0 rmfiles 500 "$1/d" -q --prefix r- --order "$order" \
			-j 2 --verify --json r
		[ "$(field 'r["file_system"]["type"]' r)" = "$type" ]
		[ "$(field 'r["outcome"]["done"]' r)" = 500 ]
	done
	ends 0 mkfiles 500 "$1/d" -q --stage --stage-batch 50 --fsync none
	ends 0 rmfiles --all "$1/d" -q
	count_is 0 "$1/d"
	valid r "$(wc -l <r)"
}

@test "ext4" {
	image_at m ext4 16M -q
	life m ext4 hash
	ends 0 mkfiles 500 m/d -q --order hash --verify
}

@test "ext4 without a journal, blocks of 1 KiB" {
	image_at m ext4 16M -q -O ^has_journal -b 1024
	life m ext4 hash
}

@test "xfs" {
	image_at m xfs 320M -q
	life m xfs
}

@test "btrfs" {
	image_at m btrfs 128M -q
	life m btrfs
}

@test "tmpfs" {
	tmpfs_at m size=64m
	life m tmpfs
}

@test "ext4: hash order is the order in which the directory is read" {
	image_at m ext4 16M -q
	mkdir m/d
	mkfiles 2000 m/d -q
	randfiles m/d/other 3 -q
	mkfiles 2000 m/d -q --name dec --order hash
	/usr/bin/python3 -c 'import os
print("\n".join(n for n in (e.name for e in os.scandir("m/d")) if len(n) == 8 and n[0] == "0"))' >readdir
	strace -qq -e trace=unlinkat -o calls rmfiles 2000 m/d -q --order hash \
		2>/dev/null || skip "strace is not installed"
	grep -o '[0-9A-F]\{8\}' calls | cmp - readdir
}

@test "out of inodes on tmpfs: exit 3, and what was made is told" {
	tmpfs_at m nr_inodes=100
	mkdir m/d
	ends 3 mkfiles 1000 m/d --json r
	contains 'No space left on device' "$stderr"
	count_is "$(field 'r["outcome"]["done"]' r)" m/d
	[ "$(field 'r["space_after"]["inodes_free"]' r)" = 0 ]
	[ "$(field 'r["outcome"]["exit_code"]' r)" = 3 ]
	valid r
	ends 3 mkfiles 1000 m/d -q --start 5000 --stage
	ends 3 mkfiles 1000 m/d -q --start 5000 -j 4
	ends 0 rmfiles --all m/d -q
}

@test "out of inodes on ext4: exit 3" {
	image_at m ext4 8M -q -N 200
	mkdir m/d
	ends 3 mkfiles 1000 m/d --json r -j 2
	count_is "$(field 'r["outcome"]["done"]' r)" m/d
	valid r
}

@test "too many links to one file on ext4: exit 3" {
	image_at m ext4 32M -q
	mkdir m/d
	ends 3 mkfiles 66k m/d -q --type hardlink --json r
	contains 'Too many links' "$stderr"
	[ "$(field 'r["outcome"]["done"]' r)" = 65000 ]
	valid r
}

@test "out of quota on ext4: exit 3" {
	need setquota quotaon setpriv
	image_at m ext4 16M -q -O quota
	mount -o remount,usrquota m 2>/dev/null || true
	quotaon m 2>/dev/null || true
	setquota -u 65534 0 0 0 50 m || skip "quotas cannot be set here"
	mkdir -m 777 m/d
	ends 3 setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$(command -v mkfiles)" 100 "$PLACE/m/d"
	contains 'Disk quota exceeded' "$stderr"
	count_is 50 m/d
}

@test "a read-only file system fails at once" {
	tmpfs_at m size=1m
	mkdir m/d
	mount -o remount,ro m
	ends 1 mkfiles 10 m/d -q
	contains 'Read-only file system' "$stderr"
	count_is 0 m/d
}

@test "an ordinary user, in a directory of their own" {
	need_root "to become another user"
	need setpriv
	local user=(setpriv --reuid 65534 --regid 65534 --clear-groups) tool
	export HOME=/nonexistent
	cp "$(command -v mkfiles)" "$(command -v rmfiles)" \
		"$(command -v statfiles)" "$(command -v renamer)" .
	chown 65534 d
	ends 0 "${user[@]}" ./mkfiles 100 d --verify
	ends 0 "${user[@]}" ./statfiles 100 d --order inode
	ends 0 "${user[@]}" ./renamer 100 d --verify
	ends 0 "${user[@]}" ./rmfiles --all d
	for tool in file dir symlink hardlink fifo; do
		ends 0 "${user[@]}" ./mkfiles 10 d -q --type $tool
		ends 0 "${user[@]}" ./rmfiles 10 d -q --type $tool
	done
}
