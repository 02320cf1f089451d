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

# looked LEAST MOST: calls of the last record; reads, as $reads
looked() {
	local n
	[ "$(field 'r["deletion"]["look_ahead"]["errno"]' r)" = None ]
	n=$(field 'r["deletion"]["look_ahead"]["calls"]' r)
	[ "$n" -ge "$1" ]
	[ "$n" -le "$2" ]
	reads=$(field 'r["deletion"]["look_ahead"]["reads"]' r)
}

@test "xfs, btrfs: inodes are read ahead, where they must be read" {
	local fs
	for fs in xfs btrfs; do
		image_at $fs $fs 320M
		mkdir $fs/d
		mkfiles 20000 $fs/d -q
		umount $fs
		mount -o loop $fs.image $fs
		ends 0 rmfiles --all $fs/d --json r
		looked 10 700
		[ "$reads" -ge 10 ]
		contains 'look-ahead .* asked for before their turn' "$output"
		contains_not '.{81}' "$(grep -A 2 look-ahead <<<"$output")"
		count_is 0 $fs/d
		# sorted, too; in memory from here on, where most is passed over
		mkfiles 20000 $fs/d -q
		ends 0 rmfiles --all $fs/d --json r --order inode --window 5000 \
			--look-ahead yes
		looked 0 300
		[ "$reads" = 0 ]
		count_is 0 $fs/d
		mkfiles 6000 $fs/d -q
		ends 0 rmfiles --all $fs/d --json r --look-ahead no
		[ "$(field 'r["deletion"]["look_ahead"]' r)" = None ]
		contains_not 'look-ahead' "$output"
		# inodes of those that stay are not read
		mkfiles 20000 $fs/d -q
		umount $fs
		mount -o loop $fs.image $fs
		ends 0 rmfiles --all $fs/d --json r --match '000000??'
		looked 0 20
		ends 0 rmfiles --all $fs/d --json r -q
		# not beside those who are gentle
		mkfiles 6000 $fs/d -q
		ends 0 rmfiles --all $fs/d --json r --nice
		[ "$(field 'r["deletion"]["look_ahead"]' r)" = None ]
		umount $fs
	done
	valid r 12
}

@test "no look-ahead: why, and all is deleted all the same" {
	need setpriv
	local user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	image_at m xfs 320M
	mkdir m/d
	many m/d
	chown -R 65534 m/d
	chmod 777 .
	ends 0 "${user[@]}" "$(command -v rmfiles)" --all m/d --json r
	contains 'look-ahead +not permitted' "$output"
	[ "$(field 'r["deletion"]["look_ahead"]["errno"]' r)" = EPERM ]
	count_is 0 m/d
	many d
	ends 0 rmfiles --all d --json r --look-ahead yes
	contains 'look-ahead +(not known|none|[0-9])' "$output"
	count_is 0 d
	# nothing lies ahead of a window that is handed out at once
	chown -R 0 m/d
	mkfiles 300 m/d -q
	ends 0 rmfiles --all m/d --order inode --window 10 --look-ahead yes
	contains 'look-ahead +(nothing lay ahead|[0-9])' "$output"
	count_is 0 m/d
	ends 2 rmfiles --all d --look-ahead perhaps
	ends 2 rmfiles 10 d --look-ahead yes
	valid r 2
}

@test "a signal ends the look-ahead, too" {
	image_at m xfs 320M
	mkdir m/d
	mkfiles 60000 m/d -q
	umount m
	mount -o loop m.image m
	run timeout -s TERM 0.5 rmfiles --all m/d --json r -q \
		--look-ahead yes --rate 20000/s
	show
	[ "$status" = 124 ]
	ends 0 rmfiles --all m/d --json r -q
	count_is 0 m/d
	valid r 2
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
