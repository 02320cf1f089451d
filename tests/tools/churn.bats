# A cache at steady state, as a user runs it.

setup() {
	load helpers.bash
	DRIVER=$(realpath "${BUILD:-$BATS_TEST_DIRNAME/../../build}/drivers/requests")
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

small() { churn 20k --capacity 2k --keys 10k d -q --json r "$@"; }

# churned EXPRESSION: of the last record's cache, as c.
churned() { field "(lambda c: $1)(r['churn'])" r; }

@test "the books, the directory and the record agree" {
	ends 0 churn 20k --capacity 2k --keys 10k d --verify --json r
	contains '^answered 20,000 requests in ' "$output"
	contains '^  books +they agree: 2,000 objects' "$output"
	contains '^  verified +as it should be: 2,000 of 2,000 names, 0' "$output"
	contains '^  hit ratio +0\.' "$output"
	contains_not '.{81}' "$output"
	[ -z "$stderr" ]
	count_is 2000 d
	[ "$(churned "c['total']['created'] - c['total']['evicted']")" = 2000 ]
	[ "$(churned "c['counts']['hits'] + c['counts']['misses']")" = 20000 ]
	[ "$(churned "c['policy_bytes'] <= 24 * c['capacity']")" = True ]
}

@test "every policy, law, way of creating and looking up" {
	local policy law
	for policy in lru fifo random; do
		for law in zipf:0 zipf:1 zipf:1.4 uniform scan; do
			churn 3k --capacity 500 --keys 2k d -q --verify \
				--policy $policy --popularity $law
			rm -r d && mkdir d
		done
	done
	small --direct --lookup stat --verify
	[ "$(field "[o['operation'] for o in r['operations']].count('rename')" \
		r)" = 0 ]
	rm -r d && mkdir d
	small --stage=stage --fsync file --verify
	[ ! -e stage ]
	rm -r d && mkdir d
	small --name 'img%05d' --prefix p --mode 640 --verify
	[ "$(stat -c %a d/pimg00000.jpg d/* 2>/dev/null | sort -u)" = 640 ]
}

# The plainest reckoning there is, on the same requests: the very numbers.
@test "hit ratios of lru and fifo are those of an independent reckoning" {
	local policy want
	for policy in lru fifo; do
		small --policy $policy --warm-up 5000 --seed 7
		want=$("$DRIVER" zipf:0.9 10000 7 25000 |
			/usr/bin/python3 -c '
import sys
from collections import OrderedDict
there, hits = OrderedDict(), 0
for n, line in enumerate(sys.stdin):
    key = int(line)
    if key in there:
        hits += n >= 5000
        if sys.argv[1] == "lru":
            there.move_to_end(key)
    else:
        there[key] = True
        if len(there) > 2000:
            there.popitem(last=False)
print(hits)' $policy)
		[ "$(churned "c['counts']['hits']")" = "$want" ]
		# what is left is what should be
		rm -r d && mkdir d
	done
}

@test "the hit ratio is near what theory says" {
	churn 60k --capacity 2k --keys 20k d -q --json r
	[ "$(churned "abs(c['hit_ratio'] - c['theory']['hit_ratio']) < 0.01")" \
		= True ]
	[ "$(churned "c['theory']['by']")" = "Che's approximation" ]
	[ "$(churned "c['warm_up']['until']")" = full ]
}

@test "--resume takes up what is there, and only that" {
	small
	names_of d >before
	refused "holds objects already: take them up with --resume" \
		churn 20k --capacity 2k --keys 10k d
	names_of d | cmp - before
	touch d/stranger d/ffffffffffffffff
	ends 0 churn 1 --capacity 2k --keys 10k --resume d --verify=ours --json r
	[ "$(churned "c['resumed']")" = 2000 ]
	[ "$(churned "c['warm_up']")" = None ]
	[ -e d/stranger ] && [ -e d/ffffffffffffffff ]
	small --resume --seed 2 --verify=ours
	count_is 2002 d
	# of fewer keys, some objects are strangers
	small --resume --keys 5k --verify=ours
	[ -e d/stranger ]
}

@test "--resume: one that a kill has left too many is evicted first" {
	local policy
	for policy in lru fifo random; do
		small --policy $policy
		# a name of the scheme that is not there yet, and is the youngest
		touch "d/$(first_absent)"
		ends 0 churn 1 --warm-up 0 --capacity 2k --keys 10k --resume d \
			--policy $policy --json r --verify
		[ "$(churned "c['surplus']")" = 1 ]
		[ "$(churned "c['resumed']")" = 2000 ]
		contains '1 more than the capacity were evicted' "$output"
		count_is 2000 d
		rm -r d && mkdir d
	done
	small --layout levels:1:1
	ends 0 churn 1 --warm-up 0 --capacity 1999 --keys 10k --resume d \
		--layout levels:1:1 --json r --verify -q
	[ "$(churned "c['surplus']")" = 1 ]
	valid r 8
	# a slip of the user's costs nothing
	ends 2 churn 1 --warm-up 0 --capacity 1997 --keys 10k --resume d \
		--layout levels:1:1
	contains 'holds 1,999 objects, and --capacity is 1,997' "$stderr"
	[ "$(find d -type f | wc -l)" = 1999 ]
}

# A key that the cache of d does not hold now, by name.
first_absent() {
	mkdir all
	mkfiles 10k all -q --name hash
	comm -23 <(find all -type f -printf '%f\n' | sort) \
		<(find d -type f -printf '%f\n' | sort) | head -n 1
	rm -r all
}

@test "--resume: names that are no objects of the run are told" {
	small
	ends 0 churn 1 --capacity 2k --keys 10k --resume --prefix x d --json r
	contains '^churn: 2,000 names here are no objects of this run \(--name' \
		"$stderr"
	contains '\(2,000 names here are no objects' "$output"
	[ "$(churned "c['strangers']")" = 2000 ]
	rm -r d && mkdir d
	small
	ends 0 churn 1 --warm-up 0 --capacity 2k --keys 10k --resume d \
		--layout levels:1:1 -q
	contains '^churn: 2,000 names here are no objects' "$stderr"
	valid r 3
}

@test "--resume: staging directories of dead runs go, others stay" {
	local dead name
	small
	name=$(find d -type f -printf '%f\n' | head -n 1)
	(exit) & dead=$!
	wait $dead
	mkdir "d/.bigdir-stage-$dead" d/.bigdir-stage-$$
	touch "d/.bigdir-stage-$dead/$name" "d/.bigdir-stage-$$/$name"
	# one that goes on is no stranger to the verification
	ends 0 churn 1 --warm-up 0 --capacity 2k --keys 10k --resume d --json r \
		--verify
	contains '1 staging directories of killed runs removed, with 1 files' \
		"$output"
	contains 'and 1 staging directories of runs that go on' "$output"
	[ ! -e "d/.bigdir-stage-$dead" ] && [ -e "d/.bigdir-stage-$$/$name" ]
	[ "$(churned "c['stages_removed']")" = 1 ]
	[ "$(field 'r["verification"][0]["stages"]' r)" = 1 ]
	# what no run of these has made is never touched
	mkdir "d/.bigdir-stage-$dead"
	touch "d/.bigdir-stage-$dead/$name" "d/.bigdir-stage-$dead/letter"
	ends 4 churn 1 --warm-up 0 --capacity 2k --keys 10k --resume d --verify
	contains 'left alone 1 staging directories of killed runs' "$stderr"
	[ -e "d/.bigdir-stage-$dead/$name" ]
	[ -e "d/.bigdir-stage-$dead/letter" ]
	valid r 2
}

@test "--resume: fifo goes on in order of creation" {
	churn 1 --warm-up 999 --capacity 1k --keys 2k --popularity scan \
		--policy fifo d -q
	# those of rank 0 to 9 are the youngest now
	/usr/bin/python3 -c '
import os, subprocess
names = subprocess.run(["churn", "10", "--warm-up", "0", "--capacity", "10",
    "--popularity", "scan", "--trace", "t", "--keys", "10", "-q", "e"],
    check=True) if os.mkdir("e") is None else 0
for line in open("t"):
    if line[0] == "R":
        os.utime("d/" + line[2:].strip())'
	churn 1990 --warm-up 0 --capacity 1k --keys 2k --popularity scan \
		--policy fifo --resume --trace all d -q
	# the scan hits rank 0 to 999 and then creates 990: the ten are left
	[ "$(grep -c ^E all)" = 990 ]
	run ! grep -Fx -f <(sed -n 's/^R /E /p' t) all
}

@test "layouts: objects in directories, resumed and verified" {
	local layout
	for layout in fanout:4:16 levels:1:1 prefix:2; do
		small --layout $layout --verify
		small --layout $layout --verify --resume --seed 3
		[ "$(churned "c['resumed']")" = 2000 ]
		[ "$(find d -type f | wc -l)" = 2000 ]
		[ "$(find d -maxdepth 1 -type f | wc -l)" = 0 ]
		rm -r d && mkdir d
	done
}

@test "open loop: two histograms for each kind of request" {
	ends 0 churn 500 --capacity 500 --keys 1k --rate 2k,poisson \
		--slo p50=10s d --json r
	contains '^  open loop +2,000 per s were due, poisson: held' "$output"
	contains '^  SLO +p50=10s: kept' "$output"
	contains '^  response-hit ' "$output"
	[ "$(field "sum(o['done'] for o in r['operations']
		if o['operation'] in ('response-hit', 'response-miss'))" r)" = 500 ]
	[ "$(churned "c['open_loop']['held']")" = True ]
}

@test "the rate along an open loop is that of the service" {
	# all are due at once, and each is answered when the others are
	churn 2000 --capacity 500 --keys 1k --rate 100M/s d --json r >out || true
	contains '^  rate against position' "$(<out)"
	# no slice of a queue is faster than the whole by much, nor is each slower
	[ "$(field "(lambda p, mean: max(c * 1e9 / (e - s) for c, s, e in
		zip(p['count'], p['start_ns'], p['end_ns'])) > mean / 2 and
		p['start_ns'] == sorted(p['start_ns']) and p['start_ns'][-1] > 1e6)(
		[o for o in r['operations']
			if o['operation'] == 'response'][0]['by_position'],
		r['churn']['open_loop']['answered_per_s'])" r)" = True ]
}

@test "a rate that cannot be held is said so, and by how much" {
	ends 1 churn --time 200ms --capacity 500 --keys 1k --rate 100M/s d --json r
	contains '^churn: the rate was not held: [0-9.]+ % short$' "$stderr"
	contains 'NOT HELD' "$output"
	[ "$(churned "c['open_loop']['shortfall'] > 0.9")" = True ]
	[ "$(field 'r["outcome"]["end"]' r)" = complete ]
	rm -r d && mkdir d
	ends 1 churn 100 --capacity 500 --keys 1k --rate 10/s --time 1s \
		--slo p50=1ns d --json r
	# a machine that is busy may not even hold ten a second
	contains '^churn: (--slo p50=1ns was not kept|the rate was)' "$stderr"
	contains '^  SLO +p50=1ns: NOT KEPT' "$output"
}

@test "a ramp finds a rate, or says that there is none" {
	ends 0 churn --ramp 100:400:x2 --slo p50=10s --step-time 50ms \
		--capacity 500 --keys 1k d --json r
	contains '^  highest +400 per s keeps p50=10s; no higher' "$output"
	[ "$(churned "[s['good'] for s in c['ramp']['steps']]")" = \
		"[True, True, True]" ]
	rm -r d && mkdir d
	ends 0 churn --ramp 10:100M:x10000 --slo p50=50ms --step-time 200ms \
		--capacity 500 --keys 1k d --json r
	[ "$(churned "10 <= c['ramp']['highest_per_s'] < 1e8")" = True ]
	[ "$(churned "c['open_loop']['rate_per_s'] ==
		c['ramp']['highest_per_s']")" = True ]
	rm -r d && mkdir d
	ends 1 churn --ramp 1000:2000:x2 --slo p50=1ns --step-time 100ms \
		--capacity 500 --keys 1k d --json r
	contains 'not even the first rate' "$stderr"
	[ "$(churned "c['ramp']['highest_per_s']")" = None ]
}

@test "too few requests are not judged" {
	refused 'a step has 10 requests at the first rate .* p99=1s takes 100' \
		churn --ramp 100:200:x2 --slo p99=1s --step-time 100ms d
	ends 0 churn 50 --warm-up 0 --capacity 500 --keys 1k --rate 2k \
		--slo p99=10s d --json r
	contains '^  SLO +p99=10s: too few requests to say$' "$output"
	ends 0 churn 5 --warm-up 0 --capacity 500 --keys 1k --rate 100M --resume \
		--slo p50.000001=10s d --json r
	contains 'open loop .*: (too short to say|NOT HELD|held)$' "$output"
	contains 'p50.000001 is' "$output"
	ends 1 churn --warm-up 0 --time 1ms --keys 1k --capacity 500 --rate 1,poisson \
		--resume d --json r
	contains 'open loop .*: too short to say$' "$output"
	contains '^churn: too short to say whether the rate is held' "$stderr"
	[ "$(churned "c['open_loop']['too_short']")" = True ]
	valid r 3
}

@test "--trace: each operation, so that it can be done again" {
	churn 3000 --warm-up 0 --capacity 100 --keys 300 --trace t d -q --json r
	[ "$(grep -c ^L t)" = 3000 ]
	[ "$(grep -c ^C t)" = "$(churned "c['total']['created']")" ]
	[ "$(grep -c ^E t)" = "$(churned "c['total']['evicted']")" ]
	/usr/bin/python3 -c '
there, staged = set(), set()
for line in open("t"):
    what, name = line.split()
    if what == "C":
        staged.add(name)
    elif what == "R":
        staged.remove(name)
        there.add(name)
    elif what == "E":
        there.remove(name)
print("\n".join(sorted(there)))' >want
	find d -type f -printf '%f\n' | sort | cmp - want
}

@test "others at work are noticed, and no drift comes of it" {
	small
	find d -type f | head -n 100 | xargs rm
	ends 0 churn 20k --capacity 2k --keys 10k --resume d --json r --verify
	rm -r d && mkdir d
	churn 30 --warm-up 0 --capacity 100 --keys 10 --popularity scan \
		--rate 10 d -q --json r --verify=ours &
	until [ "$(find d -maxdepth 1 -type f | wc -l)" = 10 ]; do sleep 0.1; done
	find d -maxdepth 1 -type f | head -n 4 | xargs rm
	wait $!
	[ "$(churned "c['total']['lost']")" -ge 1 ]
	[ "$(churned "c['objects']")" = "$(find d -type f | wc -l)" ]
}

@test "ended by a signal, the books agree" {
	churn --time 1h --capacity 2k --keys 10k d --json r --verify >out &
	until [ "$(find d -maxdepth 1 -type f | wc -l)" -ge 2000 ]; do sleep 0.1; done
	sleep 0.3
	kill -TERM $!
	waits 143 $!
	contains 'they agree' "$(<out)"
	contains 'as it should be' "$(<out)"
	valid r
}

@test "a full file system ends it, with the cause" {
	tmpfs_at m nr_inodes=1000
	mkdir m/d
	ends 3 churn 20k --capacity 2k --keys 10k m/d --json r --verify
	contains '^churn: create [0-9a-f]{16}: No space left' "$stderr"
	contains 'cause: tmpfs-inodes' "$stderr"
	contains 'they agree' "$output"
	contains 'as it should be' "$output"
	valid r
}

@test "refusals" {
	refused 'say how long' churn d
	refused 'zipf:S' churn 1k --popularity often d
	refused 'lru, fifo, random' churn 1k --policy mru d
	refused 'exclude each other' churn 1k --direct --stage d
	refused 'needs --slo' churn --ramp 1:2:x2 d
	refused 'needs --rate or --ramp' churn 1k --slo p99=1ms d
	refused 'p99=5ms' churn 1k --rate 5 --slo 99=1ms d
	refused 'a rate such as' churn 1k --rate fast d
	refused 'goes by --step-time' churn 1k --ramp 1:2:x2 --slo p9=1s d
	refused 'one worker' churn 1k -j 2 d
	refused 'would be full after' \
		churn 1k --capacity 9999 --keys 10k --popularity zipf:3 d
	# what takes seconds is no reason
	ends 0 churn 1k --capacity 99 --keys 100 --popularity zipf:2 --dry-run d
	refused 'no such directory' churn 1k none
	refused '255 bytes' churn 1k --name 'f%0250d' --prefix abcdef d
}

@test "--dry-run touches nothing" {
	ends 0 churn 1M --capacity 1M --dry-run none
	contains 'memory for the objects: 17\.2 MiB' "$output"
	contains 'hit ratio then: 0\.' "$output"
	[ ! -e none ]
	# told, and not taken
	ends 0 bash -c 'ulimit -v 300000 &&
		exec churn 1M --capacity 1G --keys 4G --policy fifo --dry-run none'
	contains 'memory for the objects: [0-9.]+ GiB' "$output"
}

@test "compare reads it, each kind of operation" {
	local i
	for i in 1 2 3 4 5; do
		churn 2k --capacity 2k --keys 10k d -q --json r --resume \
			--label v=a --seed $i
		churn 2k --capacity 2k --keys 10k d -q --json r --resume \
			--label v=b --seed $i --lookup stat
	done
	ends 0 compare --by v r
	contains '^cache of 2,000, lru, zipf:0\.9 2,000 \(churn\)$' "$output"
	contains '^p99, evict' "$output"
	contains '^rate per s, request ' "$output"
}

@test "records are valid" {
	small
	small --resume --direct
	churn --time 100ms --rate 50k --resume --capacity 2k --keys 10k d \
		-q --json r || [ $? = 1 ]
	churn --ramp 100:100:x2 --slo p50=10s --step-time 50ms --resume \
		--capacity 2k --keys 10k d -q --json r
	valid r 4
}
