# Quotas of user, group and project on ext4 and XFS.

setup() {
	load exhaust.bash
	begin
	need setquota xfs_quota mke2fs mkfs.xfs chattr
}

teardown() { clean_up; }

ext4() {
	image 64M mke2fs -q -F -t ext4 -b 1024 -O quota,project \
		-E quotatype=usrquota:grpquota:prjquota
	mount -o loop,usrquota,grpquota,prjquota "$IMAGE" "$M" 2>/dev/null ||
		skip "this kernel has no quotas for ext4 (CONFIG_QFMT_V2)"
	mkdir "$M/d"
	chmod 777 "$M/d"
}

xfs() {
	need_fs xfs
	image 320M mkfs.xfs -q -f
	mount -o loop,uquota,gquota,pquota "$IMAGE" "$M" 2>/dev/null ||
		skip "this kernel has no quotas for XFS (CONFIG_XFS_QUOTA)"
	mkdir "$M/d"
	chmod 777 "$M/d"
}

# The directory hands project 42 down to what is made in it.
project() { chattr -p 42 +P "$M/d"; }

@test "ext4: user quota, inodes" {
	ext4
	setquota -u 65534 0 0 0 100 "$M"
	refused_user "$M/d"
	cause quota-user certain
	apply
	goes_on_user "$M/d"
}

@test "ext4: user quota, inodes, a soft limit past its grace period" {
	ext4
	setquota -t -u 1 1 "$M"
	setquota -u 65534 0 0 10 0 "$M"
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$REFUSE" -q -n 20 "$M/d" || true
	sleep 2
	refused_user -s 100 "$M/d"
	cause quota-user certain
	apply
	goes_on_user "$M/d"
}

@test "ext4: user quota, blocks" {
	ext4
	chown 65534 "$M/d"
	setquota -u 65534 0 50 0 0 "$M"
	refused_user -l 200 "$M/d"
	cause quota-user certain
	apply
	goes_on_user -l 200 "$M/d"
}

@test "ext4: group quota, inodes" {
	ext4
	setquota -g 65534 0 0 0 100 "$M"
	refused_user "$M/d"
	cause quota-group certain
	apply
	goes_on_user "$M/d"
}

@test "ext4: group quota of a set-gid directory" {
	ext4
	chgrp 1234 "$M/d"
	chmod 2777 "$M/d"
	setquota -g 1234 0 0 0 100 "$M"
	refused_user "$M/d"
	cause quota-group
	apply
	goes_on_user "$M/d"
}

@test "ext4: project quota, inodes" {
	ext4
	project
	setquota -P 42 0 0 0 100 "$M"
	refused_user "$M/d"
	cause quota-project
	apply
	goes_on_user "$M/d"
}

@test "ext4: project quota, blocks" {
	ext4
	project
	setquota -P 42 0 100 0 0 "$M"
	refused_user -l 200 "$M/d"
	cause quota-project
	apply
	goes_on_user -l 200 "$M/d"
}

limit() { xfs_quota -x -c "limit $*" "$M"; }

@test "xfs: user quota, inodes" {
	xfs
	limit -u ihard=100 65534
	refused_user "$M/d"
	cause quota-user certain
	apply
	goes_on_user "$M/d"
}

@test "xfs: user quota, blocks" {
	xfs
	chown 65534 "$M/d"
	limit -u bhard=100k 65534
	refused_user -l 200 "$M/d"
	cause quota-user certain
	apply
	goes_on_user -l 200 "$M/d"
}

@test "xfs: group quota, inodes" {
	xfs
	limit -g ihard=100 65534
	refused_user "$M/d"
	cause quota-group certain
	apply
	goes_on_user "$M/d"
}

@test "xfs: project quota, inodes, reported as ENOSPC" {
	xfs
	project
	limit -p ihard=100 42
	refused "$M/d"
	cause quota-project
	apply
	goes_on "$M/d"
}

@test "xfs: project quota, blocks, seen by a user" {
	xfs
	project
	limit -p bhard=200k 42
	refused_user -l 200 "$M/d"
	cause quota-project
	apply
	goes_on_user -l 200 "$M/d"
}

@test "tmpfs: user quota, inodes" {
	mount -t tmpfs -o usrquota,usrquota_inode_hardlimit=100 tmpfs "$M" \
		2>/dev/null ||
		skip "this kernel has no quotas for tmpfs (CONFIG_TMPFS_QUOTA)"
	mkdir "$M/d"
	chmod 777 "$M/d"
	refused_user "$M/d"
	cause quota-user certain
}
