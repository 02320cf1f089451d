# shellcheck shell=bash disable=SC2034,SC2154
# The lab's cells in a virtual machine.

vm_least_memory=96 # MiB; Debian's kernel and the tools take 80 of them

check_vm() {
	[ -n "$vm" ] || return 0
	vm_icount=$icount
	vm_timeout=$cell_timeout
	vm_disk=${disk_iops:+iops=$disk_iops}
	vm_disk+=${vm_disk:+${disk_bps:+,}}${disk_bps:+bps=$disk_bps}
	[ -z "$icount" ] || [ -z "$disk" ] ||
		bad_usage "--icount excludes --disk, which keeps to real time"
	[ -n "$mem" ] || return 0
	mem_bytes=$(numfmt --from=iec "$mem" 2>/dev/null) ||
		die "--mem: not a size: $mem (such as 256M)"
	[ "$mem_bytes" -ge $((vm_least_memory << 20)) ] ||
		die "--mem: a virtual machine takes ${vm_least_memory}M at least"
	vm_memory=$((mem_bytes >> 20))M
}

# Get ready what all cells share, in the scratch directory. The results are to
# tell what kind of machine it was.
start_vm() {
	local spec types=()
	[ -n "$vm" ] || return 0
	for spec in "${specs[@]}"; do
		split_spec "$spec"
		types+=("$type")
	done
	mkdir "$scratch/vm"
	vm_prepare "$scratch/vm" "${types[@]}" ||
		die "there can be no virtual machine here"
	BIGDIR_LAB=$scratch vm_probe
	sed -i "s/^vm=.*/vm=$vm_kind/" "$results/lab"
}

# The guest tells how many seconds mounting and the phases took; the rest, most
# of it booting, is the lab's own cost.
run_in_vm() {
	local guest
	if ! inherent make_file_system "$1"; then
		status=unmade reason=$unmade
		return
	fi
	[ "$type" != tmpfs ] ||
		mount_options=nr_inodes=0,size=75%${mount_options:+,$mount_options}
	write_cell /mnt >"$1/cell"
	BIGDIR_LAB=$scratch vm_run_cell "$1" "$image" || true
	rm -f "$scratch/image"
	read_status "$1"
	case $status:$reason in
	failed:mount:*) status=unmounted ;;
	esac
	[ -s "$1/seconds" ] || return 0
	read -r guest <"$1/seconds"
	inherent=$((inherent + 10#${guest/./} * 10000))
	rm "$1/seconds"
}

# What is to be known of the figures, where not the machine itself made them.
vm_caution() {
	case $vm_kind in
	tcg | icount)
		echo "In an emulated machine (vm=$vm_kind): compare the variants," \
			"but do not take the figures for those of a real one." ;;
	esac
}
