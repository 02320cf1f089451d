# shellcheck shell=sh disable=SC2034 # nfs_writes is for guest_init
# Mounting and unmounting the file system under test, which is on DEVICE, at
# MOUNT: for cell.sh, and for guest_init. The caller says how commands are run,
# and noted (run), and where they are noted (OUT/commands).
#
# nfs is an ext4 that the kernel's nfsd serves to its own machine alone, over
# loopback, and the kernel's client mounts: its caches are the client's and the
# server's. The server is all the kernel's: what exportfs and mountd would tell
# it, once and for all, are three lines.

mount_test() {
	if [ "$FSTYPE" != nfs ]; then
		mount_at "$MOUNT" "$FSTYPE" "$MOUNT_OPTIONS" "${DEVICE:-none}"
		return
	fi
	mount_at $nfs_export ext4 '' "$DEVICE" && nfs_serve && mount_at "$MOUNT" \
		nfs4 "vers=4.2${MOUNT_OPTIONS:+,$MOUNT_OPTIONS}" 127.0.0.1:/
}

unmount_test() {
	run umount "$MOUNT" || return
	[ "$FSTYPE" = nfs ] || return 0
	tell $nfs_control/threads 0 && nfs_unmount_export
}

# mount_at DIR TYPE OPTIONS DEVICE
mount_at() {
	[ -d "$1" ] || run mkdir -p "$1" || return
	run mount -t "$2" ${3:+-o "$3"} "$4" "$1"
}

# tell FILE WORDS: to the kernel.
tell() {
	echo "echo '$2' >$1" >>"$OUT/commands"
	echo "$2" >"$1" || {
		echo "the kernel does not take '$2' in $1"
		return 1
	}
}

# --- the server of nfs --------------------------------------------------------

nfs_export=/export
nfs_control=/proc/fs/nfsd
nfs_caches=/proc/net/rpc

# Older protocols would want a portmapper.
nfs_serve() {
	if [ ! -e $nfs_control/threads ]; then
		run ifconfig lo 127.0.0.1 up &&
			run mkdir -p /var/lib/nfs/v4recovery &&
			run mount -t nfsd none $nfs_control || return
	fi
	tell $nfs_control/versions '-2 -3 +4 +4.2' &&
		tell $nfs_control/nfsv4gracetime 10 &&
		tell $nfs_control/portlist 'tcp 2049' &&
		tell $nfs_control/threads 8 &&
		nfs_end_grace &&
		nfs_export_all
}

# For some time no file is opened but by clients that had it open before the
# server started. There are none: it is asked to end that time at once, or, where
# it can keep no list of its clients and so will not, waited for.
nfs_end_grace() {
	tell $nfs_control/v4_end_grace Y && return
	while [ "$(cat $nfs_control/v4_end_grace)" = N ]; do
		sleep 1
	done
}

# A server that has ended lets go of its files and exports, but some moments later.
nfs_unmount_export() {
	nfs_tries=100
	until umount $nfs_export 2>/dev/null; do
		nfs_tries=$((nfs_tries - 1))
		[ $nfs_tries -gt 0 ] || break
		sleep 0.1
	done
	# the last one says why not
	[ $nfs_tries -gt 0 ] || umount $nfs_export || return
	echo "umount $nfs_export" >>"$OUT/commands"
}

# As exportfs would say it: rw,no_root_squash,no_subtree_check,fsid=0, and sync,
# as it is there unless async is asked for. These lines do not expire before
# 2038.
nfs_export_all() {
	nfs_flags=$((0x2000 | 0x400)) nfs_writes=sync
	case ,$MOUNT_OPTIONS, in
	*,async,*) nfs_flags=$((nfs_flags | 0x10)) nfs_writes=async ;;
	esac
	nfs_forever=2147483647
	tell $nfs_caches/auth.unix.ip/channel \
		"nfsd 127.0.0.1 $nfs_forever loopback" &&
		tell $nfs_caches/nfsd.export/channel \
			"loopback $nfs_export $nfs_forever $nfs_flags 65534 65534 0" &&
		tell $nfs_caches/nfsd.fh/channel \
			"loopback 1 \\x00000000 $nfs_forever $nfs_export"
}
