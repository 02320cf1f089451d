# shellcheck shell=bash disable=SC2154 # some come from what is sourced before
# The lab's virtual machine: a guest of QEMU for each cell, so that file systems
# which this kernel lacks can be tried. It takes no root. Sourced, after lib.sh,
# packages.sh and vm_kernel.sh; vm_prepare, vm_probe and vm_run_cell are to be
# called in this order, and by the main shell: a guest dies with the shell that
# started it.

# --- what may be set before ---------------------------------------------------
vm_memory=1G   # of the guest, its kernel's included
vm_disk=       # iops=N,bps=N: of the disk under test, either or both
vm_timeout=600 # seconds for a cell
vm_icount=     # not empty: the guest's time counts its instructions

vm_boot_limit=120 # seconds beyond a cell's, to boot and to end
vm_probe_limit=20 # seconds to boot under KVM, which takes 2 to 4

# --- what is set here ---------------------------------------------------------
vm_kind= # kvm, tcg (emulated) or icount; the label vm=
vm_pid=  # of the guest that runs
vm_dir=

# vm_prepare DIR FSTYPE...: get all that is needed; the guest's kernel, its first
# file system (with the drivers of these file systems) and the disks of results
# are kept in DIR, which the caller makes and removes. False, with a message:
# something cannot be had.
vm_prepare() {
	vm_dir=$1
	shift
	get_packages "${vm_packages[@]}" || return 1
	flock "$here/Makefile" make -s -C "$here" BUILD="$build" static \
		>/dev/null || return 1
	vm_get_kernel || return 1
	cp "$vm_kernel/boot/linux" "$vm_dir/linux" &&
		vm_make_initramfs "$vm_dir/initramfs" "$@"
}

# What the guest has: busybox, the tools, the scripts, the drivers.
vm_make_initramfs() {
	local root=$1 name
	shift
	mkdir -p "$root/bin"
	cp "$(command -v busybox)" "$root/bin/busybox" || return 1
	busybox --list | while read -r name; do
		[ "$name" = busybox ] || ln -s busybox "$root/bin/$name"
	done
	cp "$build"/static/* "$root/bin/" || return 1
	cp "$here"/scripts/lab.d/{cell,mount}.sh "$root/" || return 1
	install "$here/scripts/lab.d/guest_init" "$root/init" || return 1
	set -- "${@/#/fs-}"
	vm_copy_modules "$root" virtio_pci virtio_blk fs-ext4 "$@" || return 1
	(cd "$root" && find . | cpio --quiet -o -H newc >"$vm_dir/initramfs.cpio")
}

# --- a guest ------------------------------------------------------------------

# Emulated, the kernel's guards against faults of real processors only cost;
# its clock is the counter of the processor, which is cheap to read.
vm_qemu_options() {
	local kind=$1 kernel="console=ttyS0 panic=-1 quiet nokaslr mitigations=off"
	shift
	options=(-name bigdir-lab -nodefaults -no-user-config -display none
		-no-reboot -m "$vm_memory" -kernel "$vm_dir/linux"
		-initrd "$vm_dir/initramfs.cpio"
		-serial "file:${vm_dir//,/,,}/serial.log")
	case $kind in
	kvm) options+=(-accel kvm -cpu host -smp 2) ;;
	tcg)
		options+=(-accel "tcg,thread=multi" -cpu max -smp 2)
		kernel+=" no5lvl tsc=reliable"
		;;
	icount)
		options+=(-accel "tcg,thread=single" -cpu max -smp 1
			-icount "shift=1,sleep=on")
		kernel+=" no5lvl tsc=reliable"
		;;
	esac
	options+=(-append "$kernel${*:+ $*}")
}

# vm_start SECONDS OPTION...: run a guest to its end, at most so long. Twice the
# kernel is asked to kill, when its parent dies: the clock, and QEMU.
vm_start() {
	local limit=$1 die_with_parent=(setpriv --pdeathsig KILL) status=0
	shift
	: >"$vm_dir/serial.log"
	"${die_with_parent[@]}" timeout -k 5 "$limit" "${die_with_parent[@]}" \
		qemu-system-x86_64 "$@" </dev/null >"$vm_dir/qemu.log" 2>&1 &
	vm_pid=$!
	wait "$vm_pid" || status=$?
	vm_pid=
	return $status
}

# vm_stop: end the guest that runs, if any; for the caller's cleaning up.
vm_stop() {
	[ -n "$vm_pid" ] || return 0
	kill "$vm_pid" 2>/dev/null || true
	wait "$vm_pid" 2>/dev/null || true
	vm_pid=
}

# vm_probe: sets vm_kind, and says why when it is not kvm. That /dev/kvm is there
# does not tell that it works: a guest has to come up.
vm_probe() {
	local options
	[ -z "$vm_kind" ] || return 0
	if [ -n "$vm_icount" ]; then
		vm_kind=icount
		return 0
	fi
	vm_kind=tcg
	if [ ! -r "${vm_kvm:=/dev/kvm}" ] || [ ! -w "$vm_kvm" ]; then
		echo "no KVM ($vm_kvm): emulating in software" >&2
		return 0
	fi
	vm_qemu_options kvm probe
	if vm_start "$vm_probe_limit" "${options[@]}" &&
		grep -q 'bigdir: up' "$vm_dir/serial.log"; then
		vm_kind=kvm
	else
		echo "no guest comes up under KVM: emulating in software" >&2
	fi
}

# --- a cell -------------------------------------------------------------------

# vm_run_cell OUT IMAGE: run cell.sh on OUT in a guest, on the file system that
# is in the file IMAGE (empty: one in the guest's memory). OUT gets what cell.sh
# writes, what the guest wrote (see guest_init), and the label vm=; its status may
# also be "timeout". True if the status is ok.
vm_run_cell() {
	local out=$1 image=$2 options ended=0
	vm_probe
	grep -q '^vm=' "$out/labels" || echo "vm=$vm_kind" >>"$out/labels"
	vm_write_exchange "$out" "$image" || {
		printf 'failed\tno disk for the results can be made\n' >"$out/status"
		return 1
	}
	vm_qemu_options "$vm_kind"
	[ -z "$image" ] || vm_add_disk test "$image" "$(vm_cache_mode "$@")" \
		"$(vm_throttle)"
	# not throttled: the results are no part of what is tested
	vm_add_disk exchange "$vm_dir/exchange.img" writeback
	{ printf '%q ' qemu-system-x86_64 "${options[@]}" && echo; } \
		>>"$out/commands"
	vm_start $((vm_timeout + vm_boot_limit)) "${options[@]}" || ended=$?
	vm_read_exchange "$out"
	[ -s "$out/status" ] || vm_why "$ended" >"$out/status"
	rm -rf "$vm_dir/exchange.img" "$vm_dir/exchange"
	[ "$(cat "$out/status")" = ok ]
}

# The disk of the results: an ext4, as that can be made, and read, by anybody. (An
# ext2 would do, but for sizes of files that a guest which dies has not written.)
vm_write_exchange() {
	local cell=$vm_dir/exchange/cell pattern
	rm -rf "$vm_dir/exchange" "$vm_dir/exchange.img"
	mkdir -p "$cell" &&
		cp "$1/cell" "$1/labels" "$cell/" &&
		pattern=$(vm_cell_value "$1" PATTERN) &&
		cp "$pattern" "$cell/pattern" || return 1
	cat >>"$cell/cell" <<-END
		PATTERN=/exchange/cell/pattern
		MOUNT=/mnt IMAGE=
		DEVICE=${2:+/dev/vda}
	END
	echo "TIMEOUT=$vm_timeout HOST=guest-of-$(uname -n)" >"$cell/vm"
	truncate -s 256M "$vm_dir/exchange.img" &&
		mke2fs -q -F -t ext4 -N 64 -d "$vm_dir/exchange" "$vm_dir/exchange.img"
}

# vm_cell_value OUT NAME: of a variable in OUT/cell.
vm_cell_value() (
	# shellcheck source=/dev/null
	. "$1/cell"
	printf '%s' "${!2}"
)

vm_read_exchange() {
	local file back=$vm_dir/exchange/back
	mkdir -p "$back"
	e2fsck -p "$vm_dir/exchange.img" >/dev/null 2>&1 || true # for its journal
	(cd "$vm_dir/exchange" && debugfs -R 'rdump cell back' ../exchange.img) \
		>/dev/null 2>&1
	for file in records.jsonl forecasts.jsonl status seconds kernel.log; do
		[ ! -f "$back/cell/$file" ] || cp "$back/cell/$file" "$1/$file"
	done
	# these may tell of mkfs already
	for file in commands console.log; do
		[ ! -f "$back/cell/$file" ] || cat "$back/cell/$file" >>"$1/$file"
	done
	# its last words, when it did not come to its end
	[ -f "$1/seconds" ] || vm_serial >>"$1/kernel.log"
}

# What the guest printed, without the firmware's control sequences.
vm_serial() {
	tr -d '\r\033' <"$vm_dir/serial.log" | sed '/SeaBIOS/d; /^Booting from/d'
}

# A cold cache is to be cold on this side too, where the image can be opened so.
vm_cache_mode() {
	if [ "$(vm_cell_value "$1" CACHE)" = cold ] &&
		dd if="$2" of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null
	then
		echo none
	else
		echo writeback
	fi
}

# vm_add_disk NAME IMAGE CACHE [OPTIONS]
vm_add_disk() {
	options+=(
		-drive "file=${2//,/,,},format=raw,if=none,id=$1,cache=$3${4:+,$4}"
		-device "virtio-blk-pci,drive=$1,serial=$1"
	)
}

# The limits are for reading and for writing each, as a control group's are.
vm_throttle() {
	local limit separator=
	for limit in ${vm_disk//,/ }; do
		printf '%sthrottling.%s-read=%s,throttling.%s-write=%s' "$separator" \
			"${limit%%=*}" "${limit#*=}" "${limit%%=*}" "${limit#*=}"
		separator=,
	done
}

# vm_why EXIT-CODE: why a guest that left no status ended, as a status.
vm_why() {
	local panic
	panic=$(vm_serial | sed -n 's/.*Kernel panic - not syncing: //p' | tail -n 1)
	if [ -n "$panic" ]; then
		printf 'failed\tthe guest panicked: %s\n' "$panic"
	elif [ "$1" = 124 ] || [ "$1" = 137 ]; then
		printf 'timeout\tthe guest did not end within %s s\n' \
			$((vm_timeout + vm_boot_limit))
	elif [ "$1" != 0 ]; then
		printf 'failed\tQEMU ended with exit code %s: %s\n' "$1" \
			"$(tail -n 1 "$vm_dir/qemu.log")"
	else
		printf 'failed\tthe guest ended early: %s\n' \
			"$(vm_serial | grep . | tail -n 1)"
	fi
}
