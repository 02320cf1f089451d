# rmfiles --all --order auto: chooses, says why, and deletes all the same.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# chose ORDER WORKERS REASON: as the last record and its report tell.
chose() {
	[ "$(field 'r["deletion"]["choice"]["order"]' r)" = "$1" ]
	[ "$(field 'r["plan"]["order"]' r)" = "$1" ]
	[ "$(field 'r["deletion"]["choice"]["workers"]' r)" = "$2" ]
	[ "$(field 'r["plan"]["workers"]' r)" = "$2" ]
	contains "$3" "$(field 'r["deletion"]["choice"]["reason"]' r)"
	contains "chosen as +.*" "$output"
	contains "work +$1 order, $2 worker" "$output"
}

many() {
	nproc=$(nproc)
	mkfiles 6000 "$1" -q "${@:2}"
}

@test "few entries: as they come" {
	mkfiles 100 d -q
	ends 0 rmfiles --all d --json r
	chose readdir 1 'so few'
	count_is 0 d
	valid r
}

@test "tmpfs: streamed, by two" {
	tmpfs_at m size=100m,nr_inodes=0
	mkdir m/d
	many m/d
	ends 0 rmfiles --all m/d --json r
	chose readdir $((nproc > 1 ? 2 : 1)) 'tmpfs has no inodes to be read'
	count_is 0 m/d
	valid r
}

@test "ext4: sorted by inode, by two" {
	image_at m ext4 64M -q -N 30000
	mkdir m/d
	many m/d
	ends 0 rmfiles --all m/d --json r
	chose inode $((nproc > 1 ? 2 : 1)) 'ext4 .* far from the order'
	[ "$(field 'r["plan"]["window"]' r)" = 1048576 ]
	[ "$(field 'r["sort_memory_bytes"] > 6000 * 32' r)" = True ]
	contains_not '.{81}' "$output"
	many m/d --order random
	ends 0 rmfiles --all m/d --order auto --window 1000 --json r
	chose inode $((nproc > 1 ? 2 : 1)) 'ext4 .* far from the order'
	[ "$(field 'r["sort_memory_bytes"] < 6000 * 32' r)" = True ]
	count_is 0 m/d
	valid r 2
}

@test "xfs: streamed when filled from new, sorted when not, by one" {
	image_at m xfs 320M
	mkdir m/d
	many m/d --order random
	ends 0 rmfiles --all m/d --json r
	chose readdir 1 'xfs returns names in the order of their inodes'
	many m/d
	renamer 6000 m/d -q --order random
	ends 0 rmfiles --all m/d --json r
	chose inode 1 'xfs .* far from the order'
	count_is 0 m/d
	valid r 2
}

@test "btrfs: by one" {
	image_at m btrfs 200M
	mkdir m/d
	many m/d
	ends 0 rmfiles --all m/d --json r
	chose readdir 1 'btrfs returns names in the order of their inodes'
	count_is 0 m/d
	valid r
}

@test "what was said holds: --order and --jobs" {
	many d
	ends 0 rmfiles --all d -q --order readdir --json r
	[ "$(field 'r["deletion"]["choice"]' r)" = None ]
	[ "$(field 'r["plan"]["workers"]' r)" = 1 ]
	many d
	ends 0 rmfiles --all d -q -j 3 --json r
	[ "$(field 'r["plan"]["workers"]' r)" = 3 ]
	[ "$(field 'r["deletion"]["choice"] != None' r)" = True ]
	valid r 2
}

@test "trees, links and strange names go by the chosen order too" {
	local i
	image_at m ext4 64M -q -N 30000
	mkdir m/d
	many m/d --name uuid
	mkdir -p m/d/{a,b,c}/deep
	for i in a b/deep c; do
		mkfiles 500 "m/d/$i" -q
	done
	touch m/d/$'new\nline' m/d/-rf
	ln -s / m/d/root
	ends 0 rmfiles --all --recursive m/d --json r
	count_is 0 m/d
	[ "$(field 'r["outcome"]["done"]' r)" = 7509 ]
	[ "$(field 'r["outcome"]["failed"]' r)" = 0 ]
	valid r
}

@test "--window says nothing with an order that was given and sorts nothing" {
	refused "sorts nothing" rmfiles --all d --order readdir --window 5
	touch d/x
	ends 0 rmfiles --all d -q --window 5
	count_is 0 d
}
