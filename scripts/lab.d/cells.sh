# shellcheck shell=bash disable=SC2034,SC2154
# One cell after the other: make, mount, limit, run the phases, clean up.

# now: in microseconds, as $now.
now() {
	now=${EPOCHREALTIME/[.,]/}
}

seconds() {
	printf '%d.%02d' $(($1 / 1000000)) $(($1 % 1000000 / 10000))
}

# Adds the microseconds that COMMAND takes to $inherent: what a cell takes by
# itself, the rest being the lab's own cost.
inherent() {
	local now start code=0
	now
	start=$now
	"$@" || code=$?
	now
	inherent=$((inherent + now - start))
	return "$code"
}

# The numbers of the variants in the order of round $1, shuffled by the seed.
round_order() {
	local v
	for ((v = 1; v <= ${#variants[@]}; v++)); do
		printf '%s %d\n' "$(printf '%s %s %s' "$seed" "$1" "$v" | md5sum)" "$v"
	done | sort | sed 's/.* //'
}

run_cells() {
	local r v position=0
	cells=$((${#variants[@]} * repeats))
	for ((r = 1; r <= repeats; r++)); do
		for v in $(round_order "$r"); do
			position=$((position + 1))
			is_supervised || exit
			is_done "$v-$r" || run_cell "$v" "$r" "$position"
		done
	done
}

run_cell() {
	local out=$results/cells/$1-$2 now uptime inherent=0
	now
	status=ok reason=''
	rm -rf "$out"
	mkdir "$out" || cannot_write
	: >"$out/commands"
	: >"$out/console.log"
	read -r uptime _ </proc/uptime
	use_variant "$1" || { status=unmade reason=$unmade; }
	printf '[%d/%d] %s, repeat %d ... ' "$3" "$cells" "$variant_name" "$2"
	[ $status != ok ] || image_size || { status=unmade reason=$unmade; }
	if [ $status = ok ]; then
		write_labels "$2" >"$out/labels"
		if [ -n "$vm" ]; then
			run_in_vm "$out"
		elif [ -n "$dir" ]; then
			run_in_directory "$out"
		else
			run_on_new "$out"
		fi
	fi
	[ -n "$vm" ] || kernel_log "$uptime" >"$out/kernel.log"
	finish_cell "$@" "$now" "$inherent"
}

finish_cell() {
	local now total
	now
	total=$((now - $4))
	cell_line "$1-$2" "$1" "$2" "$3" "$status" "$reason" \
		"$(seconds $total)" "$(seconds $((total - $5)))"
	if [ "$status" = ok ]; then
		echo "$(seconds $total) s"
	else
		echo "$status: $reason"
	fi
}

write_labels() {
	local setting
	echo "variant=$variant_name"
	echo "pattern=$pattern_name"
	echo "repeat=$1"
	for setting in "${settings[@]}" ${mem:+"mem=$mem"} ${disk:+"disk=$disk"}; do
		echo "$setting"
	done
}

# write_cell MOUNT: the assignments that cell.sh reads.
write_cell() {
	local setting
	assign PATTERN "$(realpath "$pattern")"
	assign MOUNT "$1"
	assign DEVICE "$device"
	assign IMAGE "$image"
	assign FSTYPE "$type"
	assign MOUNT_OPTIONS "$mount_options"
	assign CACHE "$cache"
	for setting in "${settings[@]}"; do
		assign "${setting%%=*}" "${setting#*=}"
	done
}

assign() {
	printf "%s='%s'\n" "$1" "${2//\'/\'\\\'\'}"
}

run_on_new() {
	if ! inherent make_file_system "$1"; then
		status=unmade reason=$unmade
	elif ! inherent mount_file_system "$1"; then
		status=unmounted reason=$unmounted
	else
		write_cell "$scratch/mnt" >"$1/cell"
		make_memory_cgroup "$1" || { status=unmade reason="no memory cgroup"; }
		throttle_device "$1"
		[ "$status" != ok ] || inherent run_phases "$1"
		lift_throttle "$scratch"
		kill_marked "$scratch"
	fi
	inherent unmount_file_system
	[ -z "$mem" ] || remove_cgroups "${scratch##*/}"
}

# In a directory of the user's, in which nothing but a new one of ours is
# touched; it goes when the cell has ended. Noted first, so that whoever cleans
# up finds it.
run_in_directory() {
	local ours=$dir/bigdir-work.${scratch##*.}
	device='' image=''
	printf '%s' "$ours" >"$scratch/ours"
	mkdir "$ours" || {
		rm "$scratch/ours"
		status=unmade reason="cannot make $ours"
		return
	}
	write_cell "$ours" >"$1/cell"
	make_memory_cgroup "$1" || { status=unmade reason="no memory cgroup"; }
	[ "$status" != ok ] || inherent run_phases "$1"
	kill_marked "$scratch"
	inherent remove_ours "$scratch"
	[ -z "$mem" ] || remove_cgroups "${scratch##*/}"
}

# The phases in a process group of their own, with a time limit. A throttle is
# lifted first when the time is over, as nothing that waits for the device would
# end before.
run_phases() {
	local group timer first=''
	set -m
	(
		enter_memory_cgroup
		export BIGDIR_LAB=$scratch
		exec 9>&-
		exec sh "$lab_d/cell.sh" "$1"
	) >>"$1/console.log" 2>&1 </dev/null &
	group=$!
	BIGDIR_LAB=$scratch sleep "$cell_timeout" &
	timer=$!
	set +m
	wait -n -p first "$group" "$timer" || true
	kill "$timer" 2>/dev/null || true
	if [ "$first" = "$timer" ]; then
		end_phases "$scratch"
		kill_marked "$scratch"
		status=timeout reason="still running after $cell_timeout s"
	else
		read_status "$1"
	fi
	wait "$group" "$timer" 2>/dev/null || true
}

read_status() {
	status=failed reason="the cell died; see $1/console.log"
	[ -s "$1/status" ] || return 0
	IFS=$'\t' read -r status reason <"$1/status"
}

# What the kernel has said since it was up for $1 seconds.
kernel_log() {
	{ dmesg 2>/dev/null || true; } | awk -v since="$1" '
		match($0, /^\[ *[0-9]+\.[0-9]+\]/) {
			time = substr($0, 2, RLENGTH - 2)
			if (time + 0 >= since + 0)
				print
		}'
}
