# The lab's virtual machine: a cell in a guest of QEMU. Nothing is downloaded
# here: the kernel has to be in the cache, where a lab with --vm puts it.

setup_file() {
	load helpers.bash
	need qemu-system-x86_64 modprobe cpio debugfs setpriv mkfs.reiserfs
	begin
	echo "$PLACE" >"$BATS_FILE_TMPDIR/place"
	lab
	vm_find_kernel || skip "there is no kernel in $vm_cache"
	is_static busybox || skip "busybox-static is not installed"
	get_packages() { :; }
	vm_get_kernel() { :; }
	mkdir "$PLACE/vm"
	vm_prepare "$PLACE/vm" reiserfs ext4 nfs
}

teardown_file() {
	PLACE=$(cat "$BATS_FILE_TMPDIR/place")
	load helpers.bash
	clean_up
	all_valid
}

setup() {
	load helpers.bash
	begin
	lab
	vm_dir=$(cat "$BATS_FILE_TMPDIR/place")/vm
}

teardown() {
	vm_stop
	clean_up
}

lab() {
	. "$ROOT/scripts/lib.sh"
	. "$ROOT/scripts/packages.sh"
	. "$ROOT/scripts/lab.d/vm_kernel.sh"
	. "$ROOT/scripts/lab.d/vm.sh"
	vm_memory=256M
}

# cell FSTYPE OPTIONS PHASES: a cell in ./out, and its disk.
cell() {
	mkdir out
	echo "$3" >pattern
	printf "%s='%s'\n" PATTERN "$PLACE/pattern" MOUNT /x DEVICE /dev/x \
		FSTYPE "$1" MOUNT_OPTIONS "$2" CACHE cold count 2000 >out/cell
	echo variant=x >out/labels
	truncate -s 256M disk
}

status_is() {
	[ "$(cat out/status)" = "$1" ] || {
		cat out/status
		tail -n 20 out/console.log out/kernel.log
		return 1
	}
}

@test "reiserfs: create, and delete with a cold cache" {
	# shellcheck disable=SC2016
	cell reiserfs noatime 'phase create mkfiles "$count" "$DIR"
		phase delete rmfiles "$count" "$DIR"'
	mkfs.reiserfs -q -ff disk >mkfs.log 2>&1 </dev/null
	vm_run_cell out disk || status_is ok
	status_is ok
	valid out/records.jsonl 2
	[ "$(field 'r["labels"]["vm"]' out/records.jsonl)" = "$vm_kind" ]
	[ "$(field 'r["labels"]["cache"]' out/records.jsonl)" = cold ]
	[ "$(field 'r["outcome"]["done"]' out/records.jsonl)" = 2000 ]
	[ "$(field 'r["file_system"]["type"], r["file_system"]["source"]' \
		out/records.jsonl)" = "('reiserfs', '/dev/vda')" ]
	contains 'vda.*journal' "$(cat out/kernel.log)"
}

# More names than one read of the directory returns.
@test "nfs: cold on both sides, and deleting looks up few names" {
	local looked_up
	# shellcheck disable=SC2016
	cell nfs async 'prepare mkfiles -q --name long:255 2000 "$DIR"
		cold
		phase delete rmfiles --all --order auto "$DIR"
		awk '\''$1 == "LOOKUP:" { print "looked up:", $2 }'\'' \
			/proc/self/mountstats'
	mke2fs -q -F -t ext4 disk
	vm_kind='' vm_icount=1 # emulated, a call takes far longer without
	vm_run_cell out disk || status_is ok
	status_is ok
	valid out/records.jsonl
	[ "$(field 'r["outcome"]["done"]' out/records.jsonl)" = 2000 ]
	[ "$(field 'r["labels"]["cache"], r["labels"]["export"]' \
		out/records.jsonl)" = "('cold', 'ext4,async')" ]
	[ "$(field 'r["file_system"]["type"], r["file_system"]["source"]' \
		out/records.jsonl)" = "('nfs4', '127.0.0.1:/')" ]
	[ "$(grep -c 'EXT4-fs (vda): unmounting' out/kernel.log)" = 2 ]
	looked_up=$(sed -n 's/^looked up: //p' out/console.log)
	[ "$looked_up" -lt 200 ]
}

@test "what cannot be mounted is told, with the guest's reason" {
	cell ext4 noatime 'phase create mkfiles 10 "$DIR"'
	run ! vm_run_cell out disk
	contains '^failed.mount: .*/dev/vda' "$(cat out/status)"
	contains 'vda.*ext4' "$(cat out/kernel.log)"
}

@test "a panic: the reason, and the records of the phases before" {
	# shellcheck disable=SC2016
	cell ext4 '' 'phase create mkfiles 100 "$DIR"
		echo c >/proc/sysrq-trigger'
	mke2fs -q -F -t ext4 disk
	run ! vm_run_cell out disk
	contains '^failed.the guest panicked: sysrq' "$(cat out/status)"
	contains 'Call Trace' "$(cat out/kernel.log)"
	valid out/records.jsonl
}

@test "a cell that takes too long is ended" {
	cell ext4 '' 'phase wait sleep 600'
	mke2fs -q -F -t ext4 disk
	vm_timeout=2
	run ! vm_run_cell out disk
	status_is "$(printf 'timeout\tafter 2 s')"
}

@test "a guest dies with the shell that started it" {
	local lab
	cell ext4 '' 'phase wait sleep 600'
	mke2fs -q -F -t ext4 disk
	bash -c '. "$1/lib.sh"; . "$1/packages.sh"; . "$1/lab.d/vm_kernel.sh"
		. "$1/lab.d/vm.sh"; vm_dir=$2; vm_run_cell out disk' - \
		"$ROOT/scripts" "$vm_dir" &
	lab=$!
	guests 1
	kill -KILL $lab
	guests 0
}

# guests N [DIR]: so many run whose files are in DIR, soon.
guests() {
	local _ n where=${2:+$PLACE/$2/}
	for _ in {1..1800}; do
		n=$(pgrep -c -f "^qemu-system.*file=${where:-$vm_dir/}") || :
		[ "$n" != "$1" ] || return 0
		sleep 0.1
	done
	echo "$n guests, not $1"
	return 1
}

# A lab that cannot reach the packages, and takes the kernel that is there.
lab_vm() {
	mkdir -p apt scratch
	printf '#!/bin/sh\nexit 1\n' | tee apt/apt-get >apt/apt-cache
	chmod +x apt/*
	PATH=$PLACE/apt:$PATH exec "$ROOT/scripts/lab" --vm --mem 128M --size 64M \
		--repeats 1 --no-pictures --scratch "$PLACE/scratch" -o "$PLACE/r" "$@"
}

@test "lab --vm: a cell, and what the results say of it" {
	ends 0 lab_vm --fs ext3 htree-300k count=500
	valid r/records.jsonl 2
	[ "$(field 'r["labels"]["vm"], r["labels"]["mem"]' r/records.jsonl)" = \
		"('$(sed -n 's/^vm=//p' r/lab)', '128M')" ]
	[ "$(field 'r["file_system"]["ext"]["extents"]' r/records.jsonl)" = False ]
	[ -z "$(ls -A scratch)" ]
}

@test "lab --vm: nothing is left of one that is stopped" {
	lab_vm --fs ext3 htree-300k count=1M >said 2>&1 &
	guests 1 scratch
	kill -TERM $!
	waits 143 $!
	guests 0 scratch
	[ -z "$(ls -A scratch)" ]
}

@test "a KVM that does not work is given up" {
	touch kvm
	printf '#!/bin/sh\nexec sleep 60\n' >qemu-system-x86_64
	chmod +x qemu-system-x86_64
	PATH=$PLACE:$PATH vm_kvm=$PLACE/kvm vm_probe_limit=1
	vm_probe 2>said
	[ "$vm_kind" = tcg ]
	contains 'no guest comes up' "$(cat said)"
	vm_kind='' vm_kvm=$PLACE/none
	vm_probe 2>said
	[ "$vm_kind" = tcg ]
	contains 'no KVM' "$(cat said)"
}
