# Fresh, aged and shrunk directories are told apart, where that can be.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# seen KEY: of the last record's age
seen() { field "r['age']['$1']" r; }

@test "ext4: fresh, aged and shrunk are told apart" {
	image_at m ext4 64M -q -N 12000 -b 1024
	mkdir m/fresh m/aged m/shrunk
	churn 1 --popularity scan --warm-up 3000 --capacity 4k m/fresh -q \
		--fsync none --json r
	[ "$(seen verdict)" = fresh ]
	[ "$(seen "fresh_bytes'] * 1.15 > r['age']['directory_bytes")" = True ]
	mkfiles 3000 m/aged -q --fsync none --age 3 --verify --json r
	[ "$(seen verdict)" = aged ]
	[ "$(seen "inode_order'] < 0.9 and r['age']['entries")" = 3000 ]
	mkfiles 3000 m/shrunk -q --name hash --fsync none
	rmfiles 2700 m/shrunk -q --name hash --fsync none
	churn 1 --warm-up 0 --capacity 300 --keys 3000 --resume m/shrunk -q \
		--fsync none --json r
	[ "$(seen verdict)" = shrunk ]
	valid r 3
}

@test "ext4: a directory that was emptied is reused, not fresh" {
	image_at m ext4 64M -q -N 12000 -b 1024
	mkdir m/d
	mkfiles 3000 m/d -q --fsync none --age 0 --json r
	[ "$(seen verdict)" = fresh ]
	[ "$(seen emptied_before)" = False ]
	rmfiles 3000 m/d -q --fsync none
	ends 0 mkfiles 3000 m/d --fsync none --age 0 --json r
	contains '^  age +reused: ' "$output"
	contains 'it was empty, but not new, when the run began' "$output"
	[ "$(seen verdict)" = reused ]
	[ "$(seen emptied_before)" = True ]
	# of so few it has shrunk, and that says more
	rmfiles 3000 m/d -q --fsync none
	mkfiles 300 m/d -q --fsync none --age 0 --json r
	[ "$(seen verdict)" = shrunk ]
	valid r 3
}

@test "tmpfs does not tell, and that is said" {
	tmpfs_at m size=10M
	ends 0 mkfiles 500 m --age 2 --verify --json r
	contains '^  aging +each file replaced 2 times: 1,000 deleted' "$output"
	contains '^  age +unknown: ' "$output"
	contains 'as it should be: 500 of 500 names, 0 others' "$output"
	[ "$(seen fresh_bytes)" = None ]
	[ "$(field "r['aging']['deleted']" r)" = 1000 ]
	valid r
}

@test "aging that meets a stranger stops, and says so" {
	touch d/00000065
	ends 1 mkfiles 100 d --age 3 --json r --verify
	contains '^mkfiles: --age: 00000065: File exists; the directory' "$stderr"
	contains 'the aging was not finished' "$output"
	valid r
}

@test "aging that is interrupted tells how far it came" {
	mkfiles 5000 d --age 1000 --json r >out &
	until [ -n "$(find d -name '0000[2-9A-F]*' -print -quit 2>/dev/null)" ]; do
		sleep 0.05
	done
	kill -TERM $!
	waits 143 $!
	contains 'aging +ended early, in pass [0-9]+ of 1000: ' "$(<out)"
	contains_not 'each file replaced' "$(<out)"
	valid r
}

@test "refusals" {
	refused 'from 0 to 1000' mkfiles 10 d --age 1001
	refused 'for files' mkfiles 10 d --age 2 --type dir
	refused 'no meaning' mkfiles 10 d --age 2 --time 1s
	refused 'not so many' mkfiles 10 d --age 1000 --start 9223372036854775790
}
