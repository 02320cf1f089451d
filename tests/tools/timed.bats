# timed: any command as a phase, with a record like those of the others.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

@test "a command that succeeds: report, record, what it printed" {
	ends 0 timed --json r --label a=b -- echo hello there
	contains '^hello there$' "$output"
	contains '^ran echo in ' "$output"
	contains 'ended +with exit status 0' "$output"
	valid r
	[ "$(field 'r["tool"], r["labels"]["a"], r["outcome"]["end"]' r)" = \
		"('timed', 'b', 'complete')" ]
	[ "$(field 'r["command"]["argv"]' r)" = "['echo', 'hello', 'there']" ]
	[ "$(field 'r["operations"][0]["operation"]' r)" = echo ]
	[ "$(field 'r["operations"][0]["done"]' r)" = 1 ]
	[ "$(field 'r["plan"]["count"]' r)" = None ]
}

@test "time, memory and children are the command's" {
	ends 0 timed -q --json r -- sh -c \
		'awk "BEGIN { for (i = 0; i < 3000000; i++) a = a + i }"; sleep 0.3'
	valid r
	[ "$(field '0.3 < r["time"]["real_s"]' r)" = True ]
	[ "$(field '0 < r["time"]["user_s"]' r)" = True ]
	[ "$(field '1000000 < r["peak_memory_bytes"]' r)" = True ]
}

@test "--dir, --name, --count: what is described, and a rate" {
	mkfiles 500 d -q
	ends 0 timed --dir d --name sweep --count 500 --json r -- \
		find d -type f -delete
	contains '500 entries, .* per s' "$output"
	valid r
	[ "$(field 'r["plan"]["directory"]' r)" = "$PLACE/d" ]
	[ "$(field 'r["operations"][0]["operation"]' r)" = sweep ]
	[ "$(field 'r["operations"][0]["done"], r["plan"]["count"]' r)" = \
		"(500, 500)" ]
	[ "$(field 'round(r["operations"][0]["rate_per_s"] * r["time"]["real_s"])' \
		r)" = 500 ]
	count_is 0 d
}

@test "--took: the rate is by what the command says of itself" {
	ends 0 timed --count 500 --took 'cat took' --json r -- \
		sh -c 'echo 0.25 >took'
	contains '500 entries, 2,000 per s' "$output"
	contains 'its figure +250' "$output"
	valid r
	[ "$(field 'r["command"]["took_s"]' r)" = 0.25 ]
	[ "$(field 'round(r["operations"][0]["rate_per_s"])' r)" = 2000 ]
	[ "$(field 'r["time"]["real_s"] < 0.25' r)" = True ]
}

@test "--took: a command with no figure has its rate by the clock" {
	ends 0 timed -q --count 500 --took 'echo -' --json r -- true
	valid r
	[ "$(field 'r["command"]["took_s"]' r)" = None ]
	[ "$(field 'round(r["operations"][0]["rate_per_s"] * r["time"]["real_s"])' \
		r)" = 500 ]
}

@test "--took: what is no number of seconds is told, and fails" {
	local printed
	for printed in 'echo fast' 'true' 'echo 0' 'echo -1' 'echo 1 2' 'echo nan'
	do
		ends 1 timed -q --count 5 --took "$printed" -- true
		contains 'one number of seconds' "$stderr"
	done
	ends 1 timed -q --count 5 --took 'echo 1; exit 3' -- true
	contains 'this command failed' "$stderr"
	# a command that failed is not asked
	ends 7 timed -q --count 5 --took 'touch asked' -- sh -c 'exit 7'
	[ ! -e asked ]
}

@test "the base name of a path is the name" {
	ends 0 timed -q --json r -- "$(command -v true)"
	[ "$(field 'r["operations"][0]["operation"]' r)" = true ]
}

@test "--fsync none: no time to durable" {
	ends 0 timed -q --json r --fsync none -- true
	ends 0 timed -q --json r -- true
	valid r 2
	[ "$(field 'r["time"]["durable_s"] is None' r)" = False ]
	head -n 1 r >first
	[ "$(field 'r["time"]["durable_s"] is None' first)" = True ]
}

@test "exit status and signal are the command's own" {
	ends 7 timed -q --json r -- sh -c 'exit 7'
	contains 'exit status 7' "$stderr"
	[ "$(field 'r["command"]["exit_status"], r["outcome"]["exit_code"]' r)" = \
		"(7, 7)" ]
	ends 137 timed -q --json r --count 5 -- sh -c 'kill -9 $$'
	[ "$(field 'r["command"]["signal"], r["outcome"]["done"]' r)" = "(9, 0)" ]
	ends 3 timed -q --json r -- sh -c 'exit 3'
	ends 129 timed -q --json r -- sh -c 'exit 129'
	valid r 4
}

@test "not found: 127; not to be run: 126" {
	touch plain
	run -127 --separate-stderr timed -q --json r -- no-such-command
	contains 'cannot run no-such-command: No such file' "$stderr"
	[ "$(field 'r["command"]["start_errno"]' r)" = ENOENT ]
	ends 126 timed -q --json r -- ./plain
	[ "$(field 'r["outcome"]["first_failure"]["errno"]' r)" = EACCES ]
	valid r 2
}

@test "what follows the command is its own" {
	ends 0 timed -q -- echo -q --json -- --stage
	[ "$output" = "-q --json -- --stage" ]
	ends 0 timed -q echo -q --stage --help
	[ "$output" = "-q --stage --help" ]
}

@test "--time ends the command and what it has started" {
	ends 143 timed -q --json r --time 300ms -- sh -c \
		'sleep 98 & echo $! >pid; wait'
	contains 'the time was up' "$stderr"
	valid r
	[ "$(field 'r["outcome"]["end"]' r)" = time-limit ]
	gone "$(cat pid)"
}

# gone PROCESS: it ends soon, or is a zombie that nobody waits for.
gone() {
	local _
	for _ in {1..50}; do
		grep -qs '^State:[[:space:]]*[^Z]' "/proc/$1/status" || return 0
		sleep 0.1
	done
	echo "process $1 is still there"
	return 1
}

@test "a command that will not end in time is killed" {
	ends 137 timed -q --json r --time 100ms -- sh -c \
		'trap "" TERM; while :; do sleep 0.1; done'
	valid r
	[ "$(field '5 < r["time"]["real_s"]' r)" = True ]
}

@test "signals are passed on, and the report is written" {
	timed --json r -- sh -c 'touch up; sleep 98' >out 2>err &
	until [ -e up ]; do sleep 0.1; done
	kill -TERM $!
	waits 143 $!
	contains 'killed by SIGTERM, as SIGTERM came' "$(cat out)"
	valid r
	[ "$(field 'r["outcome"]["end"], r["outcome"]["signal"]' r)" = \
		"('signal', 15)" ]
}

@test "a command that ends well on a signal was cut short all the same" {
	timed -q --json r -- sh -c \
		'trap "exit 0" TERM; touch up; while :; do sleep 0.1; done' &
	until [ -e up ]; do sleep 0.1; done
	kill -TERM $!
	waits 143 $!
	valid r
	[ "$(field 'r["command"]["exit_status"]' r)" = 0 ]
}

@test "a second signal ends all at once" {
	local process
	timed -q --json r -- sh -c \
		'trap "" TERM; echo $$ >pid; touch up; while :; do sleep 0.1; done' &
	process=$!
	until [ -e up ]; do sleep 0.1; done
	kill -TERM $process
	sleep 0.5
	kill -TERM $process
	waits 143 $process
	gone "$(cat pid)"
	[ ! -s r ]
}

@test "a command that is told of a broken pipe, as it would be otherwise" {
	# shellcheck disable=SC2016 # it is for the inner shell
	ends 0 timed -q -- bash -c 'yes | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"'
	[ "$output" = 141 ]
}

@test "usage errors: one line, and nothing is run" {
	refused 'which command' timed
	refused 'which command' timed --name x --
	refused 'which command' timed ''
	refused '^timed: no/such: no such directory' timed --dir no/such -- touch x
	refused "not '0'" timed --count 0 -- touch x
	refused "not 'x'" timed --count x -- touch x
	refused 'takes --count too' timed --took 'echo 1' -- touch x
	refused 'not empty' timed --name '' -- touch x
	refused 'none or end' timed --fsync file -- touch x
	refused 'none or end' timed --fsync dir -- touch x
	refused "business" timed --order random -- touch x
	refused "business" timed --jobs 2 -- touch x
	refused "does not know" timed --verify -- touch x
	refused "does not know" timed --dry-run -- touch x
	refused "not known" timed --progress -- touch x
	refused 'KEY=VALUE' timed --label x -- touch x
	refused 'unknown option' timed --unknown -- touch x
}

@test "--help: 80 columns, examples, exit 0" {
	ends 0 timed --help
	contains_not '.{81}' "$output"
	contains '^Examples:' "$output"
	contains '^Exit codes: ' "$output"
	ends 0 timed --version
	contains '^timed \(bigdir\) [0-9.]+$' "$output"
}
