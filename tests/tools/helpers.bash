# Shared by the tests of the tools; loaded in setup(). Each test has a
# directory of its own, $PLACE, with an empty one in it, $D, and starts there.

bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PATH=${BUILD:-$ROOT/build}:$PATH:/usr/sbin:/sbin

begin() {
	local top=${TMPDIR:-/tmp}
	# in memory where that can be: the tests are of the tools, not of a disk
	[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || top=/dev/shm
	PLACE=$(mktemp -d "$top/bigdir-tools.XXXXXX")
	D=$PLACE/d
	chmod 755 "$PLACE"
	mkdir "$D"
	cd "$PLACE" || return 1
	trap 'clean_up; exit 1' TERM INT HUP
}

# Everything that was mounted below goes first, deepest and latest first;
# mountinfo writes a blank as \040.
clean_up() {
	local mount
	[ -n "${PLACE:-}" ] || return 0
	cd / || return 1
	jobs -p | xargs -r kill -KILL 2>/dev/null
	awk '{print $5}' /proc/self/mountinfo | grep -F "$PLACE/" | tac |
		while read -r mount; do
			mount=$(printf '%b' "${mount//\\0/\\00}")
			umount "$mount" || umount -l "$mount"
		done
	[ ! -e "$PLACE/immutable" ] || xargs -0 chattr -f -i <"$PLACE/immutable"
	rm -rf "$PLACE"
	PLACE=
}

# --- what a test needs -------------------------------------------------------

need_root() {
	[ "$(id -u)" = 0 ] || skip "takes root: $1"
}

need() {
	local command
	for command; do
		command -v "$command" >/dev/null ||
			skip "$command is not installed"
	done
}

# tmpfs_at DIR OPTIONS
tmpfs_at() {
	need_root "to mount"
	mkdir -p "$1"
	mount -t tmpfs -o "$2" tmpfs "$1" || skip "tmpfs cannot be mounted"
}

# image_at DIR TYPE SIZE MKFS-OPTIONS...: a fresh file system on a loop device,
# which goes away with the mount.
image_at() {
	local dir=$1 type=$2 size=$3
	shift 3
	need_root "to mount"
	need "mkfs.$type"
	grep -qw "$type" /proc/filesystems || modprobe -q "$type" ||
		skip "this kernel has no $type"
	[ -e /dev/loop-control ] || skip "there are no loop devices here"
	mkdir -p "$dir"
	truncate -s "$size" "$dir.image"
	"mkfs.$type" "$@" "$dir.image" >/dev/null 2>&1
	mount -o loop "$dir.image" "$dir" || skip "$type cannot be mounted"
}

# --- what a test expects -----------------------------------------------------

# Say what was there when the test fails.
show() {
	printf 'status %s\n--- output\n%s\n--- stderr\n%s\n' \
		"${status:-}" "${output:-}" "${stderr:-}"
}

# ends STATUS COMMAND...: run it, and look at the status. Sets output, stderr.
ends() {
	local want=$1
	shift
	run --separate-stderr "$@"
	[ "$status" = "$want" ] || {
		echo "wanted status $want from: $*"
		show
		return 1
	}
}

# interruptible COMMAND...: to be used in the background, where a shell has
# SIGINT ignored.
interruptible() {
	exec env --default-signal=INT "$@"
}

# waits STATUS PROCESS: for a process in the background to end like this.
waits() {
	local got=0
	wait "$2" || got=$?
	[ "$got" = "$1" ] || {
		echo "process ended with status $got, not $1"
		return 1
	}
}

contains() {
	grep -qE -e "$1" <<<"$2" || {
		echo "no '$1' in:"
		echo "$2"
		return 1
	}
}

contains_not() {
	if [ -z "$2" ] || grep -qE -e "$1" <<<"$2"; then
		echo "there is '$1', or nothing, in:"
		echo "$2"
		return 1
	fi
}

# All that a refusal must leave as it was; a stage may have come and gone, which
# the times of directories tell, but nothing else.
everything() {
	find "$PLACE" \( -type d -printf '%p %y %i\n' \) -o \
		-printf '%p %y %i %C@\n' | sort
}

# refused PATTERN COMMAND...: exit code 2, one line that has the pattern, no
# output, and nothing touched.
refused() {
	local pattern=$1 before
	shift
	before=$(everything)
	ends 2 "$@"
	[ "$(everything)" = "$before" ] || {
		echo "touched by: $*"
		diff <(echo "$before") <(everything)
		return 1
	}
	if [ -n "$output" ] || [ "${#stderr_lines[@]}" != 1 ]; then
		echo "wanted one line from: $*"
		show
		return 1
	fi
	contains "$pattern" "$stderr"
}

# count_is N DIR
count_is() {
	local n
	n=$(find "$2" -mindepth 1 -maxdepth 1 -printf x | wc -c)
	[ "$n" = "$1" ] || {
		echo "$2 holds $n entries, not $1"
		return 1
	}
}

names_of() {
	find "$1" -mindepth 1 -maxdepth 1 -printf '%f %y\n' | sort
}

# field EXPRESSION FILE: of the last record, as r.
field() {
	/usr/bin/python3 - "$1" "$2" <<'END'
import json, sys
r = json.loads(open(sys.argv[2]).read().splitlines()[-1])
print(eval(sys.argv[1]))
END
}

# valid FILE [N]: N records that the schema allows and that agree in
# themselves.
valid() {
	need /usr/bin/python3
	[ "$(wc -l <"$1")" = "${2:-1}" ] || {
		echo "wanted ${2:-1} lines in $1:"
		cat "$1"
		return 1
	}
	[ -x "$ROOT/tests/validate_record" ] || skip "no schema yet"
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		skip "python3-jsonschema is not installed"
	/usr/bin/python3 "$ROOT/tests/validate_record" "$1"
}
