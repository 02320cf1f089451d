# rmfiles --all: empties a directory, whatever it holds, and nothing else.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

@test "names of any bytes" {
	local long
	long=$(printf 'n%.0s' {1..255})
	# shellcheck disable=SC2016 # it is a name
	touch d/$'new\nline' d/$'\377\376' d/-rf d/--all 'd/ ' 'd/*' "d/$long" \
		d/.hidden d/$'\033[31m' d/..., d/'$(x)' 'd/\n'
	mkfifo d/fifo
	ln -s nowhere d/dangling
	ln -s "$PLACE" d/up
	ends 0 rmfiles --all d
	contains '^deleted 15 entries' "$output"
	count_is 0 d
	[ -d d ]
}

@test "both orders, windows, workers" {
	local how
	for how in "" "--order readdir -j 4" "--order inode" \
		"--order inode --window 10 -j 4"; do
		mkfiles 1000 d -q --name uuid
		# shellcheck disable=SC2086 # several words
		ends 0 rmfiles --all d -q $how
		count_is 0 d
	done
}

@test "subdirectories stay, and are told, without --recursive" {
	mkdir d/one d/two
	touch d/file d/one/inside
	ends 1 rmfiles --all d
	contains 'left alone 2 subdirectories, such as .*--recursive' "$stderr"
	[ -e d/one/inside ] && [ ! -e d/file ]
}

@test "--recursive takes the whole tree" {
	mkdir -p d/a/b/c d/a/x d/$'new\nline'/z d/empty
	touch d/a/b/c/1 d/a/b/2 d/a/x/3 d/$'new\nline'/z/4
	ends 0 rmfiles --all --recursive d -j 2 --json r
	count_is 0 d
	[ "$(field 'r["outcome"]["done"]' r)" = 11 ]
	valid r
}

@test "links are deleted, not followed" {
	mkdir precious
	touch precious/file
	ln -s ../precious d/link
	ln -s / d/root
	ends 0 rmfiles --all --recursive d
	count_is 0 d
	[ -e precious/file ]
}

@test "a tree of 2,000 levels" {
	/usr/bin/python3 - d <<'END' || skip "takes python3"
import os, sys
os.chdir(sys.argv[1])
for i in range(2000):
    os.mkdir("level"); os.chdir("level")
open("bottom", "w").close()
END
	ends 0 rmfiles --all --recursive d -q
	count_is 0 d
}

@test "refused: options that would be ignored" {
	refused "--parents is about" rmfiles --all d --parents 5
	refused "no random order" rmfiles --all d --seed 5
}

@test "refused for want of descriptors: with that reason" {
	local n said=
	mkdir other
	for n in 4 5 6 7 8; do
		run --separate-stderr bash -c "cd / && ulimit -n $n &&
			exec $(command -v rmfiles) --all $PLACE/other -q 3>&-"
		said+=$stderr
	done
	contains 'cannot be told from the current directory.*: Too many open' \
		"$said"
	contains_not 'holds, the current' "$said"
}

@test "refused: / and what holds the home or the current directory" {
	export HOME=$PLACE/home/me
	mkdir -p home/me d/below
	refused "is the root directory" rmfiles --all /
	refused "home" rmfiles --all home/me
	refused "home" rmfiles --all home
	refused "home" rmfiles --all "$PLACE/home/../home"
	cd d/below
	refused "current directory" rmfiles --all .
	refused "current directory" rmfiles --all ..
	refused "current directory" rmfiles --all "$D"
	refused "current directory|home" rmfiles --all --recursive "$PLACE"
	cd "$PLACE"
	refused "root|home|current" rmfiles --all "$PLACE/../../../../../.."
	refused "root|home|current" rmfiles --all /proc/self/root
}

@test "btrfs: subvolumes and snapshots are left alone, and called so" {
	need btrfs
	image_at m btrfs 200M
	mkdir m/d
	btrfs subvolume create m/d/sub >/dev/null
	mkfiles 10 m/d/sub -q
	btrfs subvolume snapshot -r m/d/sub m/d/snap >/dev/null
	mkfiles 10 m/d -q
	ends 1 rmfiles --all --recursive m/d
	contains 'left alone 2 subvolumes or mount points, such as s' "$stderr"
	count_is 2 m/d
	count_is 10 m/d/sub
	count_is 10 m/d/snap
}

@test "refused: a mount point, and one by bind" {
	tmpfs_at t size=1m
	mkdir t/inner bound
	touch t/inner/file
	refused "is a mount point" rmfiles --all t
	mount --bind t/inner bound
	refused "is a mount point" rmfiles --all bound
	ends 0 rmfiles --all t/inner
	count_is 0 t/inner
}

@test "what is mounted inside is not entered" {
	mkdir -p d/sub/mnt d/sub/bound source d/other
	touch source/precious d/other/file
	tmpfs_at d/sub/mnt size=1m
	touch d/sub/mnt/precious
	mount --bind source d/sub/bound
	ends 1 rmfiles --all --recursive d --json r
	[ -e source/precious ] && [ -e d/sub/mnt/precious ]
	[ ! -e d/other ]
	contains 'left alone 2 mount points, such as ' "$stderr"
	[ "$(field 'r["outcome"]["left"]["mounts"]' r)" = 2 ]
	valid r
}

@test "it goes on after errors, and says how many" {
	need_root "to become another user"
	need setpriv
	local user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	export HOME=/nonexistent
	mkdir d/mine d/theirs
	touch d/mine/{1..5} d/theirs/{1..7}
	chown -R 65534 d
	chown -R 0 d/theirs
	chmod 755 d/theirs
	ends 1 "${user[@]}" "$(command -v rmfiles)" --all --recursive d
	contains 'unlink failed 7 times: Permission denied' "$stderr"
	[ ! -e d/mine ]
	count_is 7 d/theirs
	rm -r d/theirs
	mkdir -m 700 d/closed
	touch d/file
	chown 65534 d/file
	ends 1 "${user[@]}" "$(command -v rmfiles)" --all --recursive d
	[ ! -e d/file ]
}

@test "immutable files stay, the others go" {
	need chattr
	image_at m ext4 8M -q
	mkdir m/d m/d/sub
	touch m/d/{1..9} m/d/sub/x
	printf '%s\0' "$PLACE/m/d/5" "$PLACE/m/d/sub" >immutable
	chattr +i m/d/5 m/d/sub
	ends 1 rmfiles --all --recursive m/d --json r
	contains 'unlink failed 2 times: Operation not permitted' "$stderr"
	[ -e m/d/5 ] && [ -e m/d/sub/x ]
	count_is 2 m/d
	[ "$(field 'r["outcome"]["done"]' r)" = 8 ]
	valid r
}

@test "a directory swapped for a link while running leads nowhere else" {
	local i
	mkdir precious
	mkfiles 2000 precious -q
	for i in {1..40}; do
		mkdir "d/$i"
		mkfiles 500 "d/$i" -q --name 'x%d'
	done
	interruptible rmfiles --all --recursive d -q 2>err &
	for i in {40..1}; do
		mv "d/$i" "away$i" 2>/dev/null || continue
		ln -s ../precious "d/$i"
	done
	wait $! || true
	count_is 2000 precious
}

@test "it ends by signal, and can be begun again" {
	mkfiles 50k d -q --name dec
	interruptible rmfiles --all d -q --json r &
	until [ -e r ]; do sleep 0.01; done
	kill -INT $! 2>/dev/null || true
	wait $! || [ $? = 130 ]
	valid r
	[ "$(find d -type f | wc -l)" = \
		$((50000 - $(field 'r["outcome"]["done"]' r))) ]
	ends 0 rmfiles --all d -q
	count_is 0 d
}
