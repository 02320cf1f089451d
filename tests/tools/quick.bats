# A short run of everything that has memory or threads of its own: for the
# sanitizers, and to know at once that the tools work at all.

setup() {
	load helpers.bash
	begin
	mkdir e
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

@test "create, look up, rename, delete, with four workers" {
	ends 0 mkfiles 3000 d -j 4 --order random --verify --json r --label a=b
	ends 0 statfiles 3000 d -j 4 --order inode --json r
	ends 0 renamer 3000 d e -j 4 --order readdir --passes 3 --verify --json r
	ends 0 rmfiles 3000 e -j 4 --order inode --window 100 --verify --json r
	valid r 4
}

@test "staged, in batches, with four workers" {
	ends 0 mkfiles 3000 d -j 4 --stage --stage-batch 100 --verify --json r
	ends 0 statfiles --list d --json r
	ends 0 statfiles 3000 d --missing -j 4 --json r
	valid r 3
}

@test "in the directories of layouts, with four workers" {
	ends 0 mkfiles 2000 d -j 4 --layout fanout:4:8 --parents 5 --stage \
		--order random --verify --json r
	ends 0 statfiles 2000 d -j 4 --layout fanout:4:8 --hit 50% --json r
	ends 0 statfiles --list=stat d --layout fanout:4:8 --order inode --json r
	ends 0 renamer 2000 d -j 4 --layout fanout:4:8 --to-layout prefix:6:1 \
		--order readdir --passes 3 --verify --prune --json r
	ends 0 rmfiles 2000 d -j 4 --layout prefix:6:1 --order inode --prune \
		--verify --json r
	count_is 0 d
	valid r 5
}

@test "random names, echoed by four workers" {
	ends 0 randfiles d/f 3000 y -q -j 4
	[ "${#lines[@]}" = 3000 ]
}

@test "failures, with four workers" {
	mkfiles 1000 d -q
	ends 1 mkfiles 3000 d -j 4 --on-error continue --verify --json r
	ends 1 mkfiles 3000 d -j 4 --order reverse --json r
	valid r 2
}

@test "a tree emptied by four workers" {
	local i
	for i in 1 2 3; do
		mkdir -p d/$i/{a,b,c}
		mkfiles 300 d/$i/a -q
		mkfiles 300 d/$i/c -q --name long:255
	done
	ends 0 rmfiles --all --recursive d -j 4 --json r
	count_is 0 d
	valid r
}

@test "a cache: closed and open loop, resumed, in a tree, and a ramp" {
	ends 0 churn 2k --capacity 300 d --verify --json r
	churn 500 --capacity 300 --resume --rate 1M,poisson d -q --json r ||
		[ $? = 1 ]
	ends 0 churn 1k --capacity 300 --layout levels:1 e --verify --json r
	churn --ramp 1k:1M:x1000 --slo p90=1s --step-time 50ms --resume \
		--capacity 300 d -q --json r || [ $? = 1 ]
	valid r 4
}

@test "a directory made old" {
	ends 0 mkfiles 1k d --age 3 --verify --json r
	valid r
}

@test "refusals and help" {
	refused "'x'" mkfiles x d
	ends 0 mkfiles --help
	ends 0 renamer 300 d --dry-run --order random
}

@test "ended by a signal" {
	interruptible mkfiles 100M d -q -j 2 --json r &
	until [ -e r ]; do sleep 0.01; done
	sleep 0.2
	kill -INT $!
	waits 130 $!
	valid r
	[ "$(field 'r["outcome"]["done"]' r)" = "$(find d -type f | wc -l)" ]
}
