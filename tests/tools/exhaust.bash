# Shared by the exhaust_*.bats files: images of their own, provoked to the end,
# and the remedy of the verdict applied. Sourced from setup().
# shellcheck disable=SC2154 # ends sets output

# shellcheck source=tests/tools/helpers.bash
. "$BATS_TEST_DIRNAME/helpers.bash"
REFUSE=${BUILD:-$ROOT/build}/drivers/refuse

# A scratch directory with a mount point; everything in it goes away in clean_up.
begin() {
	[ -x "$REFUSE" ] || skip "not built: $REFUSE (make drivers)"
	[ "$(id -u)" = 0 ] || skip "takes root to mount"
	local top=${TMPDIR:-/tmp}
	# in memory where that can be: nobody waits for a disk
	[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || top=/dev/shm
	PLACE=$top/bigdir-exhaust.$BASHPID-$SRANDOM
	M=$PLACE/mnt
	IMAGE=$PLACE/image
	mkdir -m 755 "$PLACE" "$M"
	trap 'clean_up; exit 1' TERM INT HUP
}

clean_up() {
	local device file
	[ -n "${PLACE:-}" ] || return 0
	unmount_all
	while read -r device file; do
		[[ $file != "$PLACE"/* ]] || losetup -d "$device"
	done < <(losetup -nO NAME,BACK-FILE)
	rm -rf "$PLACE"
	PLACE=
}

need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || skip "$tool is not installed"
	done
	[ -e /dev/loop-control ] || skip "no loop devices here"
}

need_fs() {
	grep -qw "$1" /proc/filesystems || skip "this kernel has no $1"
}

# image SIZE MKFS-COMMAND...: a fresh image, made by the command.
image() {
	local size=$1
	shift
	rm -f "$IMAGE"
	truncate -s "$size" "$IMAGE"
	"$@" "$IMAGE" >/dev/null
}

# mounted [OPTIONS]: the image on $M, with a directory $M/d for everyone.
mounted() {
	mount -o "loop${1:+,$1}" "$IMAGE" "$M"
	mkdir -p "$M/d"
	chmod 777 "$M/d"
}

# refused ARGS...: the driver is refused, and $output is its verdict.
refused() {
	ends 0 "$REFUSE" -q "$@"
	echo "$output"
}

# As refused, by an ordinary user without capabilities.
refused_user() {
	ends 0 setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all "$REFUSE" -q "$@"
	echo "$output"
}

value() { sed -n "s/^$1=//p" <<<"$output"; }

cause() {
	contains "^cause=$1\$" "$output"
	[ -z "${2:-}" ] || contains "^confidence=$2\$" "$output"
}

# Applies the Nth remedy of the verdict in $output (the first by default).
apply() {
	local command
	command=$(sed -n 's/^remedy\.[a-z]*=//p' <<<"$output" | sed -n "${1:-1}p")
	echo "applying: $command"
	[ -n "$command" ] || return 1
	bash -ec "$command" >/dev/null
}

# How many remedies the verdict has.
remedies() { grep -c '^remedy\.' <<<"$output"; }

effect() { [ "$(sed -n 's/^remedy\.\([a-z]*\)=.*/\1/p' <<<"$output" |
	sed -n "${2:-1}p")" = "$1" ]; }

# goes_on ARGS...: now 50 more names can be made.
goes_on() {
	mkdir -p "${!#}" # a file system made anew has lost it
	ends 1 "$REFUSE" -q -n 50 -s 9000000 "$@"
}

goes_on_user() {
	ends 1 setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps=-all --bounding-set=-all \
		"$REFUSE" -q -n 50 -s 9000000 "$@"
}

# Fills the free space of the directory's file system with one file.
fill() {
	dd if=/dev/zero of="$1" bs=64k oflag=append conv=notrunc status=none 2>/dev/null || true
	dd if=/dev/zero of="$1" bs=1k oflag=append conv=notrunc status=none \
		2>/dev/null || true
	sync -f "$1" 2>/dev/null || true
}
