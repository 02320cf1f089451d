# Entries in the directories of a layout.

LAYOUTS="fanout:16:256 fanout:3 fanout:2:3:5 levels:1:2 levels:2 prefix:2:2
prefix:1:1:1"

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# The directories and the files of a tree, each path once.
directories_of() { (cd "$1" && find . -mindepth 1 -type d | sort); }
files_of() { (cd "$1" && find . -type f -printf '%P\n' | sort); }

# nothing_below DIR: no file, whatever the directories.
nothing_below() {
	[ -z "$(files_of "$1")" ] || { files_of "$1"; return 1; }
}

# reference LAYOUT COUNT: where the names of --name hex should be, by other
# means.
reference() {
	/usr/bin/python3 - "$@" <<'END'
import sys
kind, *levels = sys.argv[1].split(":")
levels = [int(n) for n in levels]
for n in range(int(sys.argv[2])):
    name = "%08X" % n
    parts, rest, at = [], n // levels[-1], 0
    for level in levels:
        if kind == "prefix":
            parts.append(name[at:at + level])
        elif kind == "levels":
            parts.append(name[len(name) - at - level:len(name) - at])
        at += level
    if kind == "fanout":
        for level in reversed(levels):
            parts.insert(0, "%02X" % (rest % level))
            rest //= level
    print("/".join(parts + [name]))
END
}

@test "every layout: made, looked up, deleted, and its directories removed" {
	local layout
	for layout in $LAYOUTS; do
		ends 0 mkfiles 700 d -q --layout "$layout" --verify --json r
		diff <(reference "$layout" 700 | sort) <(files_of d)
		ends 0 statfiles 700 d -q --layout "$layout" --verify --json r
		ends 0 statfiles 700 d -q --layout "$layout" --missing --json r
		ends 0 rmfiles 700 d -q --layout "$layout" --verify --prune --json r
		count_is 0 d
	done
	valid r 28
}

@test "every order that makes sense, with one worker and with four" {
	local order jobs made
	for jobs in 1 4; do
		for order in sequential reverse random stride:7 interleave:3 \
			readdir inode; do
			made=$order
			[[ $order != readdir && $order != inode ]] || made=random
			ends 0 mkfiles 1000 d -q --layout fanout:4:8 --order "$made" \
				-j $jobs --verify
			ends 0 statfiles 1000 d -q --layout fanout:4:8 \
				--order "$order" -j $jobs --verify
			ends 0 renamer 1000 d -q --layout fanout:4:8 \
				--order "$order" -j $jobs --verify
			ends 0 rmfiles 1000 d -q --layout fanout:4:8 --prefix r- \
				--order "$order" -j $jobs --verify --prune
			count_is 0 d
		done
	done
}

@test "every naming scheme that is long enough" {
	local name
	for name in hex hash uuid long:255 maildir 'img%05d.jpg'; do
		ends 0 mkfiles 200 d -q --name "$name" --layout levels:3:2 --verify
		ends 0 rmfiles 200 d -q --name "$name" --layout levels:3:2 \
			--verify --order inode --prune
		count_is 0 d
	done
	ends 0 mkfiles 200 d -q --name dec --layout fanout:4 --verify
}

@test "directories are made on demand, or ahead, and counted apart" {
	mkfiles 1000 d -q --layout fanout:4:16 --json r
	[ "$(field 'r["layout"]["mkdir"]["done"]' r)" = 67 ]
	[ "$(directories_of d | wc -l)" = 67 ]
	[ "$(field 'r["layout"]["prepare"]' r)" = None ]
	[ "$(field '[o["done"] for o in r["operations"]]' r)" = "[1000]" ]
	mkdir e
	ends 0 mkfiles 1000 e --layout fanout:4:16 --prepare --json r
	contains '^  directories  67 made ahead in ' "$output"
	contains '^ +0 made on demand$' "$output"
	[ "$(field 'r["layout"]["mkdir"]["done"]' r)" = 0 ]
	[ "$(field 'r["layout"]["prepare"]["operation"]["done"]' r)" = 67 ]
	diff <(files_of d) <(files_of e)
	# the next names need one more
	ends 0 mkfiles 1000 e --start 1k --layout fanout:4:16 --prepare --json r
	[ "$(field 'r["layout"]["prepare"]["operation"]["done"]' r)" = 1 ]
	valid r 3
}

@test "the directories that are held open: hits and misses as reckoned" {
	# neighbours in pairs, in 8 directories in turn: with room for all of
	# them, each is opened once; with room for less, every time
	mkfiles 160 d -q --layout fanout:4:2 --parents 8 --json r
	[ "$(field 'r["layout"]["misses"]' r)" = 8 ]
	[ "$(field 'r["layout"]["hits"]' r)" = 152 ]
	[ "$(field 'r["layout"]["evicted"]' r)" = 0 ]
	statfiles 160 d -q --layout fanout:4:2 --parents 7 --json r
	[ "$(field 'r["layout"]["misses"]' r)" = 80 ]
	[ "$(field 'r["layout"]["hits"]' r)" = 80 ]
	[ "$(field 'r["layout"]["evicted"]' r)" = 73 ]
	# two levels to each
	[ "$(field 'r["layout"]["opendir"]["done"]' r)" = 160 ]
	valid r 2
}

@test "one directory held open is enough" {
	ends 0 mkfiles 500 d -q --layout fanout:3:5 --parents 1 --order random \
		--verify -j 2
	ends 0 renamer 500 d -q --layout fanout:3:5 --parents 1 --order random \
		--to-layout prefix:8 --to-name hash --verify -j 2
	ends 0 rmfiles 500 d -q --layout prefix:8 --name hash --parents 1 \
		--order random --verify --prune
	nothing_below d
}

@test "a layout that is too deep is refused in few words" {
	run --separate-stderr mkfiles 1 d \
		--layout "prefix$(printf ':1%.0s' {1..3000})"
	[ "$status" = 2 ]
	contains 'deeper than a path' "$stderr"
	[ ${#stderr} -lt 300 ]
}

@test "where few files may be open, fewer directories are held" {
	ends 0 bash -c 'ulimit -n 80 && exec mkfiles 2000 d --layout fanout:64 \
		--order random -j 4 --verify --json r'
	[ "$(field 'r["layout"]["parents"]' r)" = 4 ]
	count_is 32 d
	ends 1 bash -c 'ulimit -n 60 && exec mkfiles 10 d --layout fanout:64'
	contains 'at least 65 here, and it is 60: raise it$' "$stderr"
	ends 1 bash -c 'ulimit -n 65 && exec mkfiles 10 d --layout fanout:64 -j 2'
	contains 'at least 66 here, and it is 65: .* fewer --jobs$' "$stderr"
	ends 2 bash -c 'ulimit -n 60 && exec churn 10 d --layout fanout:64'
	contains 'at least 65 here, and it is 60' "$stderr"
	count_is 32 d
}

@test "staged: renamed out of one directory into many" {
	ends 0 mkfiles 1000 d -q --layout levels:1:1 --stage --stage-batch 100 \
		-j 3 --verify --json r
	ends 0 mkfiles 1000 d -q --start 1000 --layout levels:1:1 --stage=s \
		--prepare --verify=ours --json r
	[ ! -e s ]
	[ "$(files_of d | wc -l)" = 2000 ]
	valid r 2
	ends 1 mkfiles 1000 d -q --layout levels:1:1 --stage --on-error continue
	contains 'rename failed 1,000 times: File exists' "$stderr"
}

@test "every type, and syncing each directory" {
	local type
	for type in file dir symlink hardlink fifo; do
		ends 0 mkfiles 50 d -q --type $type --layout fanout:2:4 --verify
		ends 0 rmfiles 50 d -q --type $type --layout fanout:2:4 --verify \
			--prune
		count_is 0 d
	done
	ends 0 mkfiles 50 d -q --fsync dir --layout fanout:2:4 --verify
	ends 0 renamer 50 d -q --fsync dir --layout fanout:2:4 \
		--to-layout levels:2 --verify
}

@test "randfiles: the same layouts" {
	ends 0 randfiles d/file 300 -q --layout levels:1 --verify
	[ -f d/7/file297 ]
	count_is 10 d
	ends 0 rmfiles 300 d -q --name dec --prefix file --layout levels:1 \
		--verify --prune
	count_is 0 d
}

@test "as deep as one likes" {
	local deep=fanout i
	for i in {1..400}; do deep+=:2; done
	ends 0 mkfiles 20 d -q --layout "$deep" --verify --json r
	[ "$(field 'r["layout"]["mkdir"]["done"]' r)" -gt 400 ]
	ends 0 rmfiles 20 d -q --layout "$deep" --order readdir --verify --prune
	count_is 0 d
	for i in {1..1000}; do deep+=:2; done
	refused 'longer than the kernel takes' mkfiles 20 d --layout "$deep"
}

# --- from layout to layout ---------------------------------------------------

@test "renamer: from any layout to any other, and back" {
	local from to
	for from in flat fanout:4:4 levels:1:2; do
		for to in flat prefix:2 fanout:2; do
			[ "$from" != "$to" ] || continue
			mkfiles 300 d -q --name hash --layout "$from"
			ends 0 renamer 300 d -q --name hash --layout "$from" \
				--to-layout "$to" --passes 3 --verify --json r
			ends 0 statfiles 300 d -q --name hash --layout "$to"
			ends 0 rmfiles 300 d -q --name hash --layout "$to" --verify
			nothing_below d
			find d -mindepth 1 -delete
		done
	done
	valid r 8
}

@test "renamer: the old directories are removed when that is asked for" {
	mkfiles 300 d -q --layout fanout:4:4
	touch d/00/keep
	ends 0 renamer 300 d --layout fanout:4:4 --to-layout flat --prune --verify
	contains 'others are not empty and stay, such as 00$' "$output"
	[ "$(directories_of d)" = ./00 ]
	[ -f d/00/keep ]
	[ "$(files_of d | wc -l)" = 301 ]
}

@test "renamer: to another directory, over others, in exchange" {
	mkdir e
	mkfiles 100 d -q --layout fanout:4
	ends 0 renamer 100 d e -q --layout fanout:4 --to-layout levels:1 --verify
	nothing_below d
	mkfiles 100 d -q --layout fanout:4
	ends 0 renamer 100 d e -q --layout fanout:4 --to-layout levels:1 \
		--exchange --verify
	ends 0 renamer 100 d e -q --layout fanout:4 --to-layout levels:1 --over \
		--verify
	nothing_below d
	[ "$(files_of e | wc -l)" = 100 ]
}

# --- what is found -----------------------------------------------------------

@test "--verify finds what is missing, foreign and misplaced" {
	mkfiles 100 d -q --layout fanout:4:4
	ends 0 statfiles 100 d -q --layout fanout:4:4 --verify
	touch d/00/01/stranger d/stranger
	ends 4 statfiles 100 d --layout fanout:4:4 --verify --json r
	contains '100 of 100 names, 2 others' "$output"
	contains ' 00/01/stranger$' "$output"
	contains ' stranger$' "$output"
	ends 0 statfiles 100 d -q --layout fanout:4:4 --verify=ours
	rm d/00/01/stranger d/stranger
	mv d/00/01/00000005 d/02/00/
	ends 4 statfiles 100 d --layout fanout:4:4 --verify=ours \
		--on-error continue --json r
	contains '99 of 100 names' "$output"
	contains '1 missing' "$output"
	contains "1 in another place than the layout's" "$output"
	contains ' 02/00/00000005$' "$output"
	mv d/02/00/00000005 d/
	ends 4 statfiles 100 d --layout fanout:4:4 --verify=ours \
		--on-error continue --json r
	contains "1 in another place than the layout's" "$output"
	[ "$(field 'r["verification"][0]["misplaced"]["count"]' r)" = 1 ]
	valid r 3
	# a name in the directory itself is no deletion of that in the layout
	ends 4 rmfiles 100 d -q --layout fanout:4:4 --verify --on-error continue
	[ -f d/00000005 ]
}

@test "observed orders pass by what is misplaced or foreign" {
	mkfiles 100 d -q --layout fanout:4:4
	mkdir d/strange d/04 d/0 d/00/0a
	touch d/strange/00000001 d/04/00000001 d/00000002 d/00/0a/00000003
	ends 0 rmfiles 100 d -q --layout fanout:4:4 --order readdir
	[ "$(files_of d | tr '\n' ' ')" = \
		"00/0a/00000003 00000002 04/00000001 strange/00000001 " ]
}

# --- what must not be touched ------------------------------------------------

@test "a symbolic link in the place of a directory leads nowhere" {
	local out
	mkdir out out/00
	touch out/00000010 out/00/00000010
	mkfiles 100 d -q --layout fanout:4:4
	rm -r d/01
	ln -s ../out d/01
	out=$(find out | sort)
	ends 1 mkfiles 100 d --start 16 --layout fanout:4:4 --on-error continue
	contains 'opendir 01/00: Not a directory, no: 16' "$stderr"
	ends 1 statfiles 100 d -q --layout fanout:4:4
	ends 1 renamer 100 d -q --layout fanout:4:4 --on-error continue
	ends 1 renamer 100 d -q --layout fanout:4:4 --prefix r- \
		--to-layout flat --order readdir --on-error continue
	ends 1 rmfiles 100 d -q --layout fanout:4:4 --prune \
		--on-error continue
	ends 1 rmfiles 100 d -q --layout fanout:4:4 --prune --order inode
	ends 0 statfiles --list=stat d --layout fanout:4:4
	[ "$(find out | sort)" = "$out" ]
	[ -L d/01 ]
}

@test "a file in the place of a directory stays what it is" {
	echo text >d/01
	ends 1 mkfiles 100 d -q --layout fanout:4:4 --on-error continue
	ends 1 mkfiles 100 d -q --layout fanout:4:4 --prepare
	contains 'cannot make the directory ahead of' "$stderr"
	ends 1 rmfiles 100 d -q --layout fanout:4:4 --prune --on-error continue
	[ "$(cat d/01)" = text ]
	count_is 1 d
}

@test "--prune: directories that are foreign, or hold anything, stay" {
	mkfiles 100 d -q --layout levels:1:2
	mkdir d/Z d/Z/ZZ d/5/ZZ d/0/00/sub
	touch d/1/keep
	ends 0 rmfiles 100 d -q --layout levels:1:2 --prune --verify
	# neither do the names lead to these
	diff <(printf '%s\n' ./0 ./0/00 ./0/00/sub ./1 ./5 ./5/ZZ ./Z ./Z/ZZ) \
		<(directories_of d)
	[ -f d/1/keep ]
}

@test "--prune: half of the names, half of the directories" {
	mkfiles 128 d -q --layout fanout:4:4
	rmfiles 8 d -q --layout fanout:4:4 --prune
	[ ! -e d/00/00 ] || ls d/00/00
	[ "$(files_of d | wc -l)" = 120 ]
	ends 0 rmfiles 120 d -q --start 8 --layout fanout:4:4 --prune --verify
	count_is 0 d
}

@test "a mount in the place of a directory is not entered" {
	mkdir d/01
	tmpfs_at "$D/01" size=1M
	ends 1 mkfiles 100 d -q --layout fanout:4:4 --on-error continue
	contains 'Invalid cross-device link' "$stderr"
	count_is 0 d/01
	mkdir d/01/00
	touch d/01/00/00000010
	ends 1 rmfiles 100 d -q --layout fanout:4:4 --prune --on-error continue
	ends 1 rmfiles 100 d -q --layout fanout:4:4 --order readdir
	[ -f d/01/00/00000010 ]
	ends 0 statfiles --list d --layout fanout:4:4
	contains '^listed 0 entries' "$output"
}

# --- running out, and ending early -------------------------------------------

@test "no inode for a directory: that is what is told, and exit 3" {
	tmpfs_at "$PLACE/m" nr_inodes=12
	ends 3 mkfiles 1000 m --layout prefix:8 --json r
	contains '^mkfiles: (mkdir|create) 0000000[0-9A-F].*No space left' \
		"$stderr"
	contains 'cause: tmpfs-inodes \(certain\)' "$stderr"
	valid r
}

@test "--until-full fills a layout, too" {
	tmpfs_at "$PLACE/m" nr_inodes=500
	ends 0 mkfiles m --until-full --layout fanout:4:16 --json r
	[ "$(field 'r["outcome"]["end"]' r)" = full ]
	[ "$(files_of m | wc -l)" = "$(field 'r["outcome"]["done"]' r)" ]
	valid r
}

@test "ended by a signal, with a record" {
	interruptible mkfiles 100M d -q -j 2 --layout levels:2:2 --name hash \
		--json r &
	until [ -e r ]; do sleep 0.01; done
	sleep 0.3
	kill -INT $!
	waits 130 $!
	valid r
	[ "$(field 'r["outcome"]["done"]' r)" = "$(files_of d | wc -l)" ]
}

# --- what makes no sense -----------------------------------------------------

@test "refusals, and nothing touched" {
	mkfiles 10 d -q
	refused "no such layout; it takes flat, fanout" \
		mkfiles 10 d --layout tree
	refused "bytes of the name" mkfiles 10 d --layout levels:0
	refused "fewer than the 3 bytes" mkfiles 10 d --name dec --layout prefix:3
	refused "would live in . or ..;" \
		mkfiles 10 d --prefix ..x --layout prefix:2
	refused "from 1 to 1000000" mkfiles 10 d --layout fanout:2 --parents 0
	refused "flat has none" mkfiles 10 d --prepare
	refused "flat has none" rmfiles 10 d --prune
	refused "flat has none" renamer 10 d --prune
	refused "flat has none" renamer 10 d --layout fanout:2 --to-layout flat \
		--prepare
	refused "one directory" mkfiles 10 d --layout fanout:2 --plan
	refused "one directory" mkfiles 10 d --layout fanout:2 --plan=exact
	refused "one directory" mkfiles 10 d --layout fanout:2 --order hash
	refused "one directory" rmfiles 10 d --layout fanout:2 --order hash
	refused "one directory" \
		mkfiles 10 d --layout fanout:2 --until-full --free-check
	refused "needs a COUNT" mkfiles d --layout fanout:2 --until-full --prepare
	refused "takes as many --parents" mkfiles 10 d --layout fanout:2 \
		--stage --stage-batch 100 --parents 99
	refused "no meaning" rmfiles --all d --layout fanout:2
	refused "not with" rmfiles --all d --prune
	refused "makes no directories" rmfiles 10 d --layout fanout:2 --prepare
	refused "makes nothing" statfiles 10 d --layout fanout:2 --prepare
	refused "leads back" renamer 10 d --layout fanout:2 --to-layout flat \
		--passes 2 --prune
	refused "is an old one too" renamer 10 d --layout fanout:2 \
		--to-layout fanout:2
}

@test "--dry-run: the paths, and nothing done" {
	local before
	before=$(everything)
	ends 0 mkfiles 1000 d --layout fanout:16:256 --dry-run
	contains ' 00/03/000003E7$' "$output"
	ends 0 renamer 1000 d --dry-run --name hash --to-layout levels:1:2
	contains ' c77b3abb6f87acd9 -> 9/cd/c77b3abb6f87acd9$' "$output"
	ends 0 rmfiles 1000 d --layout prefix:2 --prune --dry-run
	[ "$(everything)" = "$before" ]
}
