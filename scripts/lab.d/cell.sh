#!/bin/sh
# Runs the phases of a pattern on one mounted file system: a cell of the lab.
#
#   cell.sh OUT
#
# Plain POSIX shell, as the guest of a virtual machine has no more. OUT holds
#   cell     shell assignments: PATTERN, MOUNT, DEVICE (empty: cannot be
#            unmounted and mounted), IMAGE (what lies under the device, or
#            empty), FSTYPE, MOUNT_OPTIONS, CACHE (warm or cold), the variables
#            of the pattern, and what else is swept
#   labels   KEY=VALUE lines, for each record
# and gets
#   records.jsonl, forecasts.jsonl, commands,
#   status   "ok", or "failed", a tab and the reason
# shellcheck disable=SC2034
set -u
OUT=$1

quoted() {
	cell_separator=
	for cell_word; do
		case $cell_word in
		'' | *[!A-Za-z0-9_/.:,=+@%-]*)
			cell_word="'$(printf '%s' "$cell_word" | sed "s/'/'\\\\''/g")'" ;;
		esac
		printf '%s%s' "$cell_separator" "$cell_word"
		cell_separator=' '
	done
	echo
}

fail() {
	printf 'failed\t%s\n' "$1" >"$OUT/status"
	printf 'failed: %s\n' "$1" >&2
	exit 1
}

# What happens between phases and is not measured.
run() {
	quoted "$@" >>"$OUT/commands"
	"$@"
}

# --- numbers in patterns -------------------------------------------------------

# number 300k: 300000, as the tools read it.
number() {
	case $1 in
	*[kK]) echo "$((${1%?} * 1000))" ;;
	*M) echo "$((${1%?} * 1000000))" ;;
	*G) echo "$((${1%?} * 1000000000))" ;;
	*) echo "$1" ;;
	esac
}

# least N N: the smaller of the two.
least() {
	if [ "$(number "$1")" -lt "$(number "$2")" ]; then
		number "$1"
	else
		number "$2"
	fi
}

# --- what a pattern is written in ---------------------------------------------

# phase NAME TOOL|COMMAND [ARG...]: measure it, keep the record. A command that
# is not one of the suite's tools is run by timed.
phase() {
	cell_phase_name=$1
	shift
	if [ "$CACHE" = cold ] && [ "$cell_phases" -gt 0 ] && [ "$cell_state" = warm ]
	then
		cold
	fi
	cell_phases=$((cell_phases + 1))
	case $1 in
	mkfiles | rmfiles | randfiles | renamer | statfiles | churn | timed) ;;
	*) set -- timed --dir "$MOUNT" -- "$@" ;;
	esac
	cell_tool=$1
	shift
	set -- --label "phase=$cell_phase_name" --label "cache=$cell_state" "$@"
	while IFS= read -r cell_label; do
		set -- --label "$cell_label" "$@"
	done <"$OUT/labels"
	echo "== $cell_phase_name"
	quoted "$cell_tool" --json "$OUT/records.jsonl" "$@" >>"$OUT/commands"
	"$cell_tool" --json "$OUT/records.jsonl" "$@"
	cell_code=$?
	cell_state=warm
	[ "$cell_code" -eq 0 ] || fail "phase $cell_phase_name: $(why "$cell_tool" "$cell_code")"
}

why() {
	cell_cause=$(tail -n 1 "$OUT/records.jsonl" 2>/dev/null |
		sed -n 's/.*"verdict":{"cause":"\([^"]*\)".*/\1/p')
	case $2 in
	2) echo "$1 does not understand its command line; see console.log" ;;
	3) echo "ran out: ${cell_cause:-see console.log}" ;;
	4) echo "verification failed" ;;
	126 | 127) echo "the command was not found, or cannot be run" ;;
	129 | 13? | 14? | 15?) echo "$1 ended by signal $(($2 - 128))" ;;
	*) echo "$1 ended with exit code $2${cell_cause:+: $cell_cause}" ;;
	esac
}

# prepare COMMAND [ARG...]: do it, measure nothing.
prepare() {
	echo "== (prepare)"
	run "$@" || fail "preparation ended with exit code $?: $(quoted "$@")"
	cell_state=warm
}

# forecast COUNT DIR [OPTION...]: keep what mkfiles says of as many names, by
# playing them through where it can, by formula elsewhere.
forecast() {
	echo "== (forecast)"
	for cell_how in --plan=exact --plan; do
		quoted mkfiles "$cell_how" --json - "$@" >>"$OUT/commands"
		mkfiles "$cell_how" --json - "$@" >"$OUT/forecast"
		case $? in
		0 | 3) # 3: it runs out
			cat "$OUT/forecast" >>"$OUT/forecasts.jsonl"
			rm "$OUT/forecast"
			return ;;
		esac
	done
	fail "no forecast is possible here"
}

# Forget all that is cached of the file system, as far as that can be done:
# the state says which.
cold() {
	run sync -f "$MOUNT"
	if [ -n "$DEVICE" ]; then
		unmount_test || fail "cannot unmount $MOUNT for a cold cache"
	fi
	if [ -n "$IMAGE" ]; then
		run sync -f "$IMAGE"
	fi
	if { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null; then
		echo 'echo 3 >/proc/sys/vm/drop_caches' >>"$OUT/commands"
		cell_state=cold-partly
	fi
	if [ -n "$DEVICE" ]; then
		mount_test || fail "cannot mount $DEVICE again after a phase"
		[ "$cell_state" = warm ] || cell_state=cold
	fi
}

# ------------------------------------------------------------------------------

IMAGE='' CACHE=warm
# shellcheck source=scripts/lab.d/mount.sh
. "${0%/*}/mount.sh"
# shellcheck source=/dev/null
. "$OUT/cell"
DIR=$MOUNT/d
cell_phases=0 cell_state=warm
: >"$OUT/records.jsonl"
rm -f "$OUT/status"
run mkdir "$DIR" || fail "cannot make a directory on the new file system"
# shellcheck source=/dev/null
. "$PATTERN"
[ "$cell_phases" -gt 0 ] || fail "the pattern has no phases"
echo ok >"$OUT/status"
