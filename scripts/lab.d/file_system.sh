# shellcheck shell=bash disable=SC2034,SC2154
# Making, mounting and unmounting the file system of a cell. What is asked for is
# in $type, $mkfs_options (array) and $mount_options of the variant; on the disk
# is $disk_type, which for nfs is what the server has.

# Which mkfs option, or mount option, a sweep of NAME means on this type; adds it
# to the arrays. False, with the reason in $unmade: there is no such thing.
apply_sweep() {
	local name=$1 value=$2 whose=$disk_type
	case $name in
	data | commit) whose=$type ;; # mount options
	esac
	case $whose:$name in
	ext[34]:journal) mkfs_options+=(-J "size=$value") ;;
	xfs:journal) mkfs_options+=(-l "size=${value}m") ;;
	reiserfs:journal) mkfs_options+=(-s "$((value * 256))") ;;
	jfs:journal) mkfs_options+=(-s "$value") ;;
	ext[234]:inodes) mkfs_options+=(-N "$value") ;;
	tmpfs:inodes) add_mount_option "nr_inodes=$value" ;;
	ext[234]:block) mkfs_options+=(-b "$value") ;;
	xfs:block) mkfs_options+=(-b "size=$value") ;;
	ext[234]:inode_size) mkfs_options+=(-I "$value") ;;
	xfs:inode_size) mkfs_options+=(-i "size=$value") ;;
	btrfs:node) mkfs_options+=(-n "$value") ;;
	xfs:dirblock) mkfs_options+=(-n "size=$value") ;;
	ext[234]:dir_index | ext[234]:large_dir | ext[234]:inline_data | \
	ext[234]:metadata_csum | ext[234]:extent | ext[234]:bigalloc | \
	ext[34]:has_journal)
		case $value in
		on) mkfs_options+=(-O "$name") ;;
		off) mkfs_options+=(-O "^$name") ;;
		*) unmade="$name is on or off, not $value"; return 1 ;;
		esac ;;
	ext[34]:data | ext[34]:commit | btrfs:commit)
		add_mount_option "$name=$value" ;;
	*:lazytime | *:discard | *:barrier | *:noatime)
		case $name=$value in
		noatime=off) add_mount_option strictatime ;;
		*=on) add_mount_option "$name" ;;
		*=off) add_mount_option "no$name" ;;
		*) unmade="$name is on or off, not $value"; return 1 ;;
		esac ;;
	*)
		unmade="$type has nothing to sweep that is called $name"
		return 1 ;;
	esac
}

add_mount_option() {
	mount_options=${mount_options:+$mount_options,}$1
}

# The command that makes $disk_type on DEVICE, as the array mkfs. Inode tables and
# journals are written at once where mkfs would leave that to the kernel, which
# would do it while phases run.
mkfs_command() {
	local program
	case $disk_type in
	ext[234])
		mkfs=("mkfs.$disk_type" -q -F)
		extended_options
		;;
	xfs | f2fs | btrfs) mkfs=("mkfs.$disk_type" -q -f "${mkfs_options[@]}") ;;
	reiserfs) mkfs=(mkfs.reiserfs -q -f -f "${mkfs_options[@]}") ;;
	jfs) mkfs=(mkfs.jfs -q "${mkfs_options[@]}") ;;
	nilfs2) mkfs=(mkfs.nilfs2 -q -f "${mkfs_options[@]}") ;;
	*) mkfs=("mkfs.$disk_type" "${mkfs_options[@]}") ;;
	esac
	program=$(command -v "${mkfs[0]}") || {
		unmade="${mkfs[0]} was not found$(package_of "$disk_type")"
		return 1
	}
	[ -n "$program" ] && mkfs+=("$1")
}

# -E may be given once only: ours are put together with the user's.
extended_options() {
	local extended=lazy_itable_init=0 word i
	[ "$disk_type" = ext2 ] || extended+=,lazy_journal_init=0
	for ((i = 0; i < ${#mkfs_options[@]}; i++)); do
		word=${mkfs_options[i]}
		case $word in
		-E) extended+=,${mkfs_options[++i]:-} ;;
		-E?*) extended+=,${word#-E} ;;
		*) mkfs+=("$word") ;;
		esac
	done
	mkfs+=(-E "$extended")
}

# get_mkfs TYPE...: the programs that make them, as far as they can be had.
get_mkfs() {
	local type line wanted=()
	for type; do
		for line in "${mkfs_packages[@]}"; do
			[ "${line#* }" != "cmd:mkfs.$type" ] || wanted+=("$line")
		done
	done
	get_packages "${wanted[@]}"
}

package_of() {
	local line
	for line in "${mkfs_packages[@]}"; do
		[ "${line#* }" != "cmd:mkfs.$1" ] ||
			echo "; it is in the package ${line%% *}"
	done
}

# Does the kernel know this type, or have a module of it?
kernel_knows() {
	grep -qw "$1" /proc/filesystems || modprobe -q "$1" 2>/dev/null
}

# make_file_system OUT: make what the variant asks for, mounted nowhere yet, as
# $device, on $image if it is a loop device. False: $unmade says why not.
make_file_system() {
	image='' device=''
	if [ "$type" = tmpfs ]; then
		[ ${#mkfs_options[@]} -eq 0 ] || {
			unmade="tmpfs takes mount options, after a colon"
			return 1
		}
		[ -z "$disk$on_device" ] || {
			unmade="tmpfs has no disk"
			return 1
		}
		return
	fi
	if [ -n "$on_device" ]; then
		device=$on_device
	else
		image=$scratch/image
		rm -f "$image"
		quote truncate -s "$size" "$image" >>"$1/commands"
		truncate -s "$size" "$image" 2>>"$1/console.log" || {
			unmade="cannot make an image of $size bytes in $scratch"
			return 1
		}
	fi
	mkfs_command "${device:-$image}" || return
	quote "${mkfs[@]}" >>"$1/commands"
	BIGDIR_LAB=$scratch "${mkfs[@]}" >"$scratch/said" 2>&1 </dev/null || {
		unmade="${mkfs[0]} failed: $(said "$1")"
		return 1
	}
	cat "$scratch/said" >>"$1/console.log"
}

# mount_file_system OUT: what was made, at $scratch/mnt. With a limit on memory
# the loop device goes past the page cache, where what it has read would lie
# outside that limit.
mount_file_system() {
	local direct=off
	unmounted=''
	quote mkdir -p "$scratch/mnt" >>"$1/commands"
	mkdir -p "$scratch/mnt"
	if [ "$type" = tmpfs ]; then
		local options=nr_inodes=0,size=75%
		run_logged "$1" mount -t tmpfs -o \
			"$options${mount_options:+,$mount_options}" \
			bigdir "$scratch/mnt"
		return
	fi
	if ! kernel_knows "$type"; then
		unmounted="this kernel has no $type; a virtual machine may (--vm)"
		return 1
	fi
	if [ "$type" = nfs ]; then
		unmounted="nfs is served in a virtual machine only (--vm): what"
		unmounted+=" this machine itself serves is none of the lab's"
		return 1
	fi
	if [ -n "$image" ]; then
		[ -z "$mem" ] || direct=on
		device=$(losetup -f --show --direct-io=$direct "$image" \
			2>>"$1/console.log") ||
			{ unmounted="no loop device for $image"; return 1; }
		quote losetup --direct-io=$direct "$device" "$image" \
			>>"$1/commands"
	fi
	run_logged "$1" mount -t "$type" \
		${mount_options:+-o "$mount_options"} "$device" "$scratch/mnt"
}

# False: $unmounted says why.
run_logged() {
	local out=$1
	shift
	quote "$@" >>"$out/commands"
	if "$@" >"$scratch/said" 2>&1 </dev/null; then
		cat "$scratch/said" >>"$out/console.log"
		return
	fi
	unmounted="$1 failed: $(said "$out")"
	return 1
}

# What a command has said, to the console's log; its first line, which tells
# most, to standard output.
said() {
	cat "$scratch/said" >>"$1/console.log"
	sed -n '/./{p;q}' "$scratch/said"
}

unmount_file_system() {
	unmount_below "$scratch"
	detach_loops "$scratch"
	rm -f "$scratch/image"
}
