# Shared by the tests of the tools; loaded in setup(). Each test has a
# directory of its own, $PLACE, with an empty one in it, $D, and starts there.
#
# What is called hundreds of times starts as few processes as it can, as they are
# most of what the tests cost: it reads files with mapfile where $(...) would be
# a process. After "local -; set +T", what a function calls runs without the trap
# that bats has before every command.

bats_require_minimum_version 1.5.0
ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
PATH=${BUILD:-$ROOT/build}:$PATH:/usr/sbin:/sbin

begin() {
	local top=${TMPDIR:-/tmp}
	# in memory where that can be: the tests are of the tools, not of a disk
	[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || top=/dev/shm
	PLACE=$top/bigdir-tools.$BASHPID-$SRANDOM
	D=$PLACE/d
	mkdir -m 755 "$PLACE" "$D"
	cd "$PLACE" || return 1
	trap 'clean_up; exit 1' TERM INT HUP
}

# Everything that was mounted below, deepest and latest first; mountinfo writes
# a blank as \040.
unmount_all() {
	local mounts mount i
	mapfile -t mounts </proc/self/mountinfo
	[[ ${mounts[*]} == *" $PLACE/"* ]] || return 0
	for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
		mount=${mounts[i]#* * * * }
		mount=${mount%% *}
		[[ $mount == "$PLACE"/* ]] || continue
		printf -v mount '%b' "${mount//\\0/\\00}"
		umount "$mount" || umount -l "$mount"
	done
}

clean_up() {
	local children
	[ -n "${PLACE:-}" ] || return 0
	cd / || return 1
	jobs -p >"$BATS_TEST_TMPDIR/jobs"
	mapfile -t children <"$BATS_TEST_TMPDIR/jobs"
	[ ${#children[@]} = 0 ] || kill -KILL "${children[@]}" 2>/dev/null || true
	unmount_all
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

# ends STATUS COMMAND...: run it, and look at the status. Sets what bats's run
# --separate-stderr sets: output, stderr, and the lines of both that have
# something in them.
ends() {
	local - want=$1
	set +T
	shift
	status=0
	if declare -F "$1" >/dev/null; then
		("$@") >"$BATS_TEST_TMPDIR/output" 2>"$BATS_TEST_TMPDIR/stderr" ||
			status=$?
	else
		"$@" >"$BATS_TEST_TMPDIR/output" 2>"$BATS_TEST_TMPDIR/stderr" ||
			status=$?
	fi
	text_of "$BATS_TEST_TMPDIR/output" output lines
	text_of "$BATS_TEST_TMPDIR/stderr" stderr stderr_lines
	[ "$status" = "$want" ] || {
		echo "wanted status $want from: $*"
		show
		return 1
	}
}

# text_of FILE TEXT LINES: read it into these two variables, without the line
# feeds at the end, and without empty lines.
text_of() {
	local -n text=$2 some=$3
	local all IFS=$'\n'
	mapfile -t all <"$1"
	text="${all[*]}"
	while [[ $text == *$'\n' ]]; do
		text=${text%$'\n'}
	done
	set -f
	# shellcheck disable=SC2206 # to be split
	some=($text)
	set +f
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

# contains PATTERN TEXT: a line of it has the extended regular expression.
contains() {
	local -
	set +T
	matches "$@" || {
		echo "no '$1' in:"
		echo "$2"
		return 1
	}
}

contains_not() {
	local - code=0
	set +T
	matches "$@" || code=$?
	[ -n "$2" ] && [ "$code" = 1 ] || {
		echo "there is '$1', or nothing, in:"
		echo "$2"
		return 1
	}
}

# As grep -qE does, line by line; status 2: that is no expression.
matches() {
	local line rest=$2 code
	while :; do
		line=${rest%%$'\n'*}
		code=0
		# shellcheck disable=SC2319 # it is of this condition
		[[ $line =~ $1 ]] || code=$?
		[ "$code" = 1 ] && [ "$line" != "$rest" ] || return "$code"
		rest=${rest#*$'\n'}
	done
}

# All that a refusal must leave as it was; a stage may have come and gone, which
# the times of directories tell, but nothing else.
everything() {
	find "$PLACE" \( -type d -printf '%p %y %i\n' \) -o \
		-printf '%p %y %i %C@\n'
}

# refused PATTERN COMMAND...: exit code 2, one line that has the pattern, no
# output, and nothing touched.
refused() {
	local - pattern=$1
	set +T
	shift
	everything >"$BATS_TEST_TMPDIR/before"
	ends 2 "$@"
	everything >"$BATS_TEST_TMPDIR/after"
	same "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after" || {
		echo "touched by: $*"
		return 1
	}
	if [ -n "$output" ] || [ "${#stderr_lines[@]}" != 1 ]; then
		echo "wanted one line from: $*"
		show
		return 1
	fi
	contains "$pattern" "$stderr"
}

# same FILE FILE: the same lines, in whatever order, or what differs.
same() {
	local one two
	mapfile one <"$1"
	mapfile two <"$2"
	[ "${one[*]}" = "${two[*]}" ] || diff <(sort "$1") <(sort "$2")
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
# themselves. This is found out in teardown_file() for all tests of the file at
# once, as it takes longer to begin than to look at a record.
valid() {
	local records
	declare -F teardown_file >/dev/null || {
		echo "a teardown_file() that calls all_valid is missing"
		return 1
	}
	need_schemas
	mapfile records <"$1"
	[ "${#records[@]}" = "${2:-1}" ] && [[ ${records[-1]} == *$'\n' ]] || {
		echo "wanted ${2:-1} lines in $1:"
		cat "$1"
		return 1
	}
	printf '%s' "${records[@]}" \
		>>"$BATS_FILE_TMPDIR/$BATS_TEST_NUMBER ${BATS_TEST_DESCRIPTION//\//:}"
}

need_schemas() {
	[ ! -e "$BATS_FILE_TMPDIR/schemas" ] || return 0
	need /usr/bin/python3
	/usr/bin/python3 -c 'import importlib.util as u, sys
sys.exit(not u.find_spec("jsonschema"))' ||
		skip "python3-jsonschema is not installed"
	touch "$BATS_FILE_TMPDIR/schemas"
}

# The records of the tests, which a message about one of them names.
all_valid() {
	[ -e "$BATS_FILE_TMPDIR/schemas" ] || return 0
	cd "$BATS_FILE_TMPDIR" || return 1
	"$ROOT/tests/validate_record" [0-9]*
}
