# A run that is cut short still says what was done.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# The record agrees with the directory $1; $2 is what it held before.
agrees() {
	local done_ there
	done_=$(field 'r["outcome"]["done"]' r)
	there=$(find "$1" -mindepth 1 -maxdepth 1 -name '[0-9A-F]*' | wc -l)
	case $2 in
	0) [ "$done_" = "$there" ] ;;
	*) [ $(($2 - done_)) = "$there" ] ;;
	esac || {
		echo "the record has $done_, the directory $there, of $2"
		return 1
	}
}

# Wait until the tool has got as far as to open its record.
begun() {
	local i
	for i in {1..1000}; do
		[ ! -e r ] || return 0
		sleep 0.01
	done
	echo "nothing has begun after $i tries"
	return 1
}

# killed SIGNAL STATUS SECONDS COMMAND...
killed() {
	local signal=$1 want=$2 delay=$3 pid status=0
	shift 3
	interruptible "$@" >out 2>err &
	pid=$!
	begun
	sleep "$delay"
	kill -"$signal" "$pid" 2>/dev/null || true
	wait "$pid" || status=$?
	[ "$status" = "$want" ] || {
		echo "status $status after $delay s of $*"
		cat out err
		return 1
	}
}

# while_stopped PROCESS COMMAND...
while_stopped() {
	kill -STOP "$1"
	"${@:2}"
	kill -CONT "$1"
}

@test "signals at random moments: the record agrees with the directory" {
	local i signal number stage
	for i in {1..12}; do
		case $((i % 3)) in
		0) signal=INT number=130 ;;
		1) signal=TERM number=143 ;;
		2) signal=HUP number=129 ;;
		esac
		stage=
		[ $((i % 2)) = 0 ] || stage="--stage --stage-batch 32"
		rm -f r
		# shellcheck disable=SC2086 # several words
		killed $signal $number "0.$((RANDOM % 2))$((RANDOM % 10))" \
			mkfiles 1G d -q --json r -j $((i % 2 + 1)) $stage
		valid r
		[ "$(field 'r["outcome"]["end"]' r)" = signal ]
		agrees d 0
		# and nothing in between
		[ -z "$(find d -name '.bigdir*')" ]
		find d -mindepth 1 -delete
	done
}

@test "signals while deleting" {
	local i
	for i in {1..4}; do
		mkfiles 100k d -q || true
		rm -f r
		interruptible "$(command -v rmfiles)" 100k d -q --json r --order random &
		begun
		sleep "0.0$((RANDOM % 9 + 1))"
		kill -TERM $! 2>/dev/null || true
		wait $! || [ $? = 143 ]
		valid r
		agrees d 100000
		find d -mindepth 1 -delete
	done
}

@test "the report of an interrupted run says so" {
	killed INT 130 0.3 mkfiles 1G d --json r
	contains 'ended early +by SIGINT' "$(cat out)"
}

@test "a second signal ends at once" {
	local pid status=0
	interruptible mkfiles 1G d -q --json r &
	pid=$!
	sleep 0.3
	kill -STOP $pid
	kill -INT $pid
	kill -TERM $pid
	kill -CONT $pid
	wait $pid || status=$?
	[ $status -gt 128 ]
}

@test "nohup: a hangup that is ignored does not stop it" {
	nohup bash -c 'exec mkfiles 1G d -q --time 1s --json r' >/dev/null 2>&1 &
	sleep 0.3
	kill -HUP $!
	waits 0 $!
	[ "$(field 'r["outcome"]["end"]' r)" = time-limit ]
}

@test "the directory removed while running" {
	mkdir d/sub
	interruptible mkfiles 1G d/sub --json r >out 2>err &
	sleep 0.3
	while_stopped $! rm -rf d/sub
	waits 1 $!
	contains 'create [0-9A-F]+: No such file or directory, no: ' "$(cat err)"
	contains '^created [0-9,]+ files' "$(cat out)"
	valid r
}

@test "the stage removed while running" {
	interruptible mkfiles 1G d --stage -q --json r 2>err &
	sleep 0.3
	while_stopped $! rm -rf d/.bigdir-stage-*
	waits 1 $!
	valid r
}

@test "the directory swapped for a link while running leads nowhere else" {
	mkdir precious
	mkfiles 50k d -q
	mkfiles 50k precious -q
	interruptible rmfiles 50k d -q --json r &
	sleep 0.02
	mv d away
	ln -s precious d
	wait $! || true
	count_is 50000 precious
	count_is 0 away
}

@test "the stage swapped for a link while running leads nowhere else" {
	local stage
	mkdir precious
	mkfiles 1000 precious -q
	interruptible mkfiles 1G d --stage -q --time 1s --on-error continue --json r 2>err &
	sleep 0.3
	stage=$(echo d/.bigdir-stage-*)
	mv "$stage" away
	ln -s "$PLACE/precious" "$stage"
	waits 1 $!
	contains 'stays behind' "$(cat err)"
	count_is 1000 precious
	count_is 0 away
	valid r
}

@test "the file system made read-only while running" {
	tmpfs_at t size=1g,nr_inodes=0
	interruptible mkfiles 1G t -q --json r 2>err &
	sleep 0.3
	until mount -o remount,ro t 2>/dev/null; do :; done
	waits 1 $!
	contains 'Read-only file system' "$(cat err)"
	valid r
	agrees t 0
}
