# shellcheck shell=bash disable=SC2034,SC2154
# What the phases get of the machine: memory (a cgroup around them) and disk (a
# throttle on the device).

blkio=/sys/fs/cgroup/blkio
memory_root=

# --- memory -------------------------------------------------------------------

# Where a memory cgroup can be made, as $memory_root, and its kind, v1 or v2.
find_memory_cgroup() {
	memory_root=$(findmnt -rno TARGET -t cgroup -O memory | head -n 1)
	if [ -n "$memory_root" ]; then
		memory_limit=memory.limit_in_bytes
		return
	fi
	memory_limit=memory.max
	while read -r memory_root; do
		grep -qw memory "$memory_root/cgroup.controllers" || continue
		echo +memory >"$memory_root/cgroup.subtree_control" && return
	done < <(findmnt -rno TARGET -t cgroup2)
	return 1
}

check_memory() {
	[ -n "$mem" ] && [ -z "$vm" ] || return 0
	is_root || die "--mem takes root, for a memory cgroup"
	mem_bytes=$(numfmt --from=iec "$mem" 2>/dev/null) ||
		bad_usage "--mem: not a size: $mem (such as 256M)"
	[ "$mem_bytes" -ge $((16 << 20)) ] ||
		bad_usage "--mem: nothing works in $mem; 16M is the least"
	find_memory_cgroup ||
		die "--mem is not possible here: no memory controller of cgroups"
}

# make_memory_cgroup OUT
make_memory_cgroup() {
	local group=$memory_root/${scratch##*/}
	[ -n "$mem" ] || return 0
	quote mkdir "$group" >>"$1/commands"
	mkdir "$group" && set_limit "$1" "$mem_bytes" "$group/$memory_limit" &&
		echo "echo \$\$ >$group/cgroup.procs" >>"$1/commands"
}

# In the process that is to be limited.
enter_memory_cgroup() {
	[ -n "$mem" ] || return 0
	echo "$BASHPID" >"$memory_root/${scratch##*/}/cgroup.procs"
}

# --- disk ---------------------------------------------------------------------

# check_disk: parses --disk into $disk_iops and $disk_bps.
check_disk() {
	local part
	disk_iops='' disk_bps=''
	[ -n "$disk" ] || return 0
	for part in ${disk//,/ }; do
		case $part in
		iops=*)
			disk_iops=${part#iops=}
			[[ $disk_iops =~ ^[1-9][0-9]{0,8}$ ]] || bad_usage \
				"--disk: iops=N takes a number from 1 to 999999999" ;;
		bps=?*)
			disk_bps=$(numfmt --from=iec "${part#bps=}" 2>/dev/null) ||
				disk_bps=0
			[[ $disk_bps =~ ^[1-9][0-9]{0,14}$ ]] || bad_usage \
				"--disk: not a rate: $part (such as bps=20M)" ;;
		*) bad_usage "--disk: not iops=N or bps=SIZE: $part" ;;
		esac
	done
	[ -n "$disk_iops$disk_bps" ] ||
		bad_usage "--disk takes iops=N, bps=SIZE or both"
	[ -z "$vm" ] || return 0
	[ -z "$dir" ] || die "--disk is not for --dir: its device is not ours"
	is_root || die "--disk takes root, for a throttle on the device"
	[ -w "$blkio/blkio.throttle.write_iops_device" ] ||
		die "--disk is not possible here: no throttle in $blkio; those of" \
			"cgroup v2 do not hold for the journal's own writes, as it" \
			"has no limits at the root; try --vm"
}

# throttle_device OUT. Reads and writes have the limits each. Noted first, so that
# whoever cleans up finds it.
throttle_device() {
	local numbers way
	[ -n "$disk" ] && [ -n "$device" ] || return 0
	numbers=$(lsblk -dnro MAJ:MIN "$device")
	echo "$numbers" >"$scratch/throttle"
	for way in read write; do
		[ -z "$disk_iops" ] || set_limit "$1" "$numbers $disk_iops" \
			"$blkio/blkio.throttle.${way}_iops_device"
		[ -z "$disk_bps" ] || set_limit "$1" "$numbers $disk_bps" \
			"$blkio/blkio.throttle.${way}_bps_device"
	done
}

# set_limit OUT VALUE FILE
set_limit() {
	echo "echo '$2' >$3" >>"$1/commands"
	echo "$2" >"$3"
}
