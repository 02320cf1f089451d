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
	separator=
	for word; do
		case $word in
		'' | *[!A-Za-z0-9_/.:,=+@%-]*)
			word="'$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'" ;;
		esac
		printf '%s%s' "$separator" "$word"
		separator=' '
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

# --- what a pattern is written in ---------------------------------------------

# phase NAME TOOL|COMMAND [ARG...]: measure it, keep the record. A command that
# is not one of the suite's tools is run by timed.
phase() {
	phase_name=$1
	shift
	if [ "$CACHE" = cold ] && [ "$phases" -gt 0 ] && [ "$state" = warm ]
	then
		cold
	fi
	phases=$((phases + 1))
	case $1 in
	mkfiles | rmfiles | randfiles | renamer | statfiles | churn | timed) ;;
	*) set -- timed --dir "$MOUNT" -- "$@" ;;
	esac
	tool=$1
	shift
	set -- --label "phase=$phase_name" --label "cache=$state" "$@"
	while IFS= read -r label; do
		set -- --label "$label" "$@"
	done <"$OUT/labels"
	echo "== $phase_name"
	quoted "$tool" --json "$OUT/records.jsonl" "$@" >>"$OUT/commands"
	"$tool" --json "$OUT/records.jsonl" "$@"
	code=$?
	state=warm
	[ "$code" -eq 0 ] || fail "phase $phase_name: $(why "$tool" "$code")"
}

why() {
	cause=$(tail -n 1 "$OUT/records.jsonl" 2>/dev/null |
		sed -n 's/.*"verdict":{"cause":"\([^"]*\)".*/\1/p')
	case $2 in
	2) echo "$1 does not understand its command line; see console.log" ;;
	3) echo "ran out: ${cause:-see console.log}" ;;
	4) echo "verification failed" ;;
	126 | 127) echo "the command was not found, or cannot be run" ;;
	129 | 13? | 14? | 15?) echo "$1 ended by signal $(($2 - 128))" ;;
	*) echo "$1 ended with exit code $2${cause:+: $cause}" ;;
	esac
}

# prepare COMMAND [ARG...]: do it, measure nothing.
prepare() {
	echo "== (prepare)"
	run "$@" || fail "preparation ended with exit code $?: $(quoted "$@")"
	state=warm
}

# forecast COUNT DIR [OPTION...]: keep what mkfiles says of as many names, by
# playing them through where it can, by formula elsewhere.
forecast() {
	echo "== (forecast)"
	for how in --plan=exact --plan; do
		quoted mkfiles "$how" --json - "$@" >>"$OUT/commands"
		mkfiles "$how" --json - "$@" >"$OUT/forecast"
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
		run umount "$MOUNT" || fail "cannot unmount $MOUNT for a cold cache"
	fi
	if [ -n "$IMAGE" ]; then
		run sync -f "$IMAGE"
	fi
	if { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null; then
		echo 'echo 3 >/proc/sys/vm/drop_caches' >>"$OUT/commands"
		state=cold-partly
	fi
	if [ -n "$DEVICE" ]; then
		run mount -t "$FSTYPE" ${MOUNT_OPTIONS:+-o "$MOUNT_OPTIONS"} \
			"$DEVICE" "$MOUNT" ||
			fail "cannot mount $DEVICE again after a phase"
		[ "$state" = warm ] || state=cold
	fi
}

# ------------------------------------------------------------------------------

IMAGE='' CACHE=warm
# shellcheck source=/dev/null
. "$OUT/cell"
DIR=$MOUNT/d
phases=0 state=warm
: >"$OUT/records.jsonl"
rm -f "$OUT/status"
run mkdir "$DIR" || fail "cannot make a directory on the new file system"
# shellcheck source=/dev/null
. "$PATTERN"
[ "$phases" -gt 0 ] || fail "the pattern has no phases"
echo ok >"$OUT/status"
