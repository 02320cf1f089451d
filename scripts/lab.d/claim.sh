# shellcheck shell=bash disable=SC2034,SC2154
# What a lab makes outside its results lies in, or is named after, one scratch
# directory, so that it can be found and removed: at the end, and, where a lab
# was killed, by the next one. Whatever is not below such a directory, on it, or
# called like it was made by somebody else and is left alone.
#
#   SCRATCH/owner      who has it: pid, when that started, boot, pid namespace
#   SCRATCH/worker     the process that works for it
#   SCRATCH/throttle   devices (major:minor) whose speed was limited
#   SCRATCH/ours       the directory made in one of the user's (--dir)
#   SCRATCH/image      the file that a loop device is on
#   SCRATCH/mnt        where it is mounted
#
# What changes the disk - mkfs and the phases - has BIGDIR_LAB=SCRATCH in its
# environment, by which it is found.

# process_start PID: when it started, in clock ticks since boot, as $started.
process_start() {
	local stat=''
	started=''
	{ IFS= read -rd '' stat <"/proc/$1/stat"; } 2>/dev/null || true
	[ -n "$stat" ] || return
	# the name before the last parenthesis may hold anything
	read -ra stat <<<"${stat##*)}"
	started=${stat[19]}
}

# is_alive PID START: the process that started then is there still.
is_alive() {
	process_start "$1" && [ "$started" = "$2" ]
}

claim_owner() {
	process_start "$1"
	printf '%s %s %s %s\n' "$1" "$started" \
		"$(cat /proc/sys/kernel/random/boot_id)" \
		"$(readlink /proc/self/ns/pid)"
}

# claim_scratch PARENT: a new scratch directory in PARENT, as $scratch. Its name
# tells whose it is until owner does.
claim_scratch() {
	process_start $$
	lab_start=$started
	scratch=$(mktemp -d "$1/bigdir-lab.$$-$lab_start.XXXXXX") ||
		die "cannot make a directory in $1; name another with --scratch"
	claim_owner $$ >"$scratch/owner"
}

# Is the lab that had DIR gone? When that cannot be known: no.
is_abandoned() {
	local pid start boot namespace
	[ -O "$1" ] && [ ! -L "$1" ] && [ -d "$1" ] || return
	if [ -s "$1/owner" ]; then
		read -r pid start boot namespace <"$1/owner"
		[ "$boot" = "$(cat /proc/sys/kernel/random/boot_id)" ] || return 0
		[ "$namespace" = "$(readlink /proc/self/ns/pid)" ] || return
	else
		[[ $1 =~ /bigdir-lab\.([0-9]+)-([0-9]+)\.[^/]*$ ]] || return
		pid=${BASH_REMATCH[1]} start=${BASH_REMATCH[2]}
	fi
	! is_alive "$pid" "$start"
}

# In the process that works for the lab: is the lab still there?
is_supervised() {
	is_alive $$ "$lab_start"
}

# sweep_abandoned PARENT: remove what killed labs have left.
sweep_abandoned() {
	local left
	for left in "$1"/bigdir-lab.*; do
		is_abandoned "$left" || continue
		say "removing what a killed lab left in $left"
		release_scratch "$left" || say "not all of $left could be removed"
	done
}

# release_scratch DIR: all that belongs to it, and itself. A process that waits
# for a throttled device does not end before the throttle is lifted, and a file
# system that it uses cannot be unmounted: hence the order.
release_scratch() {
	end_worker "$1"
	lift_throttle "$1"
	kill_marked "$1"
	unmount_below "$1"
	detach_loops "$1"
	remove_cgroups "${1##*/}"
	remove_ours "$1"
	rm -rf --one-file-system "$1" || say "cannot remove $1"
}

end_worker() {
	local pid start rest
	[ -s "$1/worker" ] || return 0
	read -r pid start rest <"$1/worker"
	is_alive "$pid" "$start" || return 0
	kill -KILL "$pid" 2>/dev/null || true
}

remove_ours() {
	local ours
	[ -s "$1/ours" ] || return 0
	IFS= read -r -d '' ours <"$1/ours" || true
	case $ours in
	*/bigdir-work."${1##*.}") rm -rf --one-file-system "$ours" ;;
	esac
	rm -f "$1/ours"
}

lift_throttle() {
	local device limit
	[ -e "$1/throttle" ] || return 0
	while read -r device; do
		for limit in "$blkio"/blkio.throttle.{read,write}_{iops,bps}_device; do
			{ echo "$device 0" >"$limit"; } 2>/dev/null || true
		done
	done <"$1/throttle"
	rm -f "$1/throttle"
}

# marked_processes DIR: as $pids.
marked_processes() {
	mapfile -t pids < <(grep -lzsxF "BIGDIR_LAB=$1" /proc/[0-9]*/environ)
	pids=("${pids[@]#/proc/}")
	pids=("${pids[@]%/environ}")
}

# end_phases DIR: let the tools write what they have, for some seconds.
end_phases() {
	local tries pids
	lift_throttle "$1"
	for tries in {1..50}; do
		marked_processes "$1"
		[ ${#pids[@]} -gt 0 ] || return 0
		[ "$tries" -gt 1 ] || kill -TERM "${pids[@]}" 2>/dev/null || true
		sleep 0.1
	done
}

kill_marked() {
	local tries pids
	for tries in {1..100}; do
		marked_processes "$1"
		[ ${#pids[@]} -gt 0 ] || return 0
		kill -KILL "${pids[@]}" 2>/dev/null || true
		sleep 0.1
	done
	say "still there after 10 s: process ${pids[*]}"
}

# Deepest and latest first; mountinfo writes blanks and the like as \040.
unmount_below() {
	local mounts mount tries i
	mapfile -t mounts </proc/self/mountinfo
	for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
		mount=${mounts[i]#* * * * }
		mount=${mount%% *}
		printf -v mount '%b' "${mount//\\/\\0}"
		[[ $mount == "$1"/* ]] || continue
		for tries in 1 2 3 4 5 6 7 8 9 10; do
			umount "$mount" 2>/dev/null && continue 2
			sleep 0.2
		done
		mountpoint -q "$mount" || continue
		say "$mount is in use; it goes when that ends"
		umount -l "$mount" || true
	done
}

detach_loops() {
	local device
	is_root && [ -e "$1/image" ] || return 0
	while read -r device; do
		losetup -d "$device" || true
	done < <(losetup -nO NAME -j "$1/image")
}

remove_cgroups() {
	local group
	is_root || return 0
	find /sys/fs/cgroup -mindepth 1 -maxdepth 3 -type d -name "$1" 2>/dev/null |
		while read -r group; do
			rmdir "$group" || say "cannot remove the cgroup $group"
		done
}
