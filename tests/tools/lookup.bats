# Lookups of names that exist among names that do not, and lists.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

# done_by FILE: how many went through, for each kind of operation.
done_by() {
	field '" ".join("%s:%d" % (o["operation"], o["done"])
		for o in r["operations"])' "$1"
}

# --- hits and misses ---------------------------------------------------------

@test "--hit: exactly that share of names that exist" {
	local pair
	mkfiles 1000 d -q
	for pair in 90%:900:100 0.5:500:500 33.33%:333:667 0:0:1000 \
		100%:1000:0 0.04%:0:1000 .06%:1:999; do
		IFS=: read -r share hits misses <<<"$pair"
		ends 0 statfiles 1000 d -q --hit "$share" --order random --json r
		[ "$(done_by r)" = "stat:$hits stat-missing:$misses" ]
		[ "$(field 'r["outcome"]["done"]' r)" = 1000 ]
	done
	[ "$(field 'r["plan"]["hit"]' r)" = 0.0006 ]
	valid r 7
}

@test "--hit: the report has figures for each" {
	mkfiles 1000 d -q
	ends 0 statfiles 1000 d --hit 75%
	contains '^looked up 1,000 names in ' "$output"
	contains '^stat: 750, ' "$output"
	contains '^stat-missing: 250, ' "$output"
	[ "$(grep -c '^  latency      p50' <<<"$output")" = 2 ]
}

@test "--hit: by every call, by several workers" {
	local via
	mkfiles 3000 d -q
	for via in stat open access statx; do
		ends 0 statfiles 3000 d -q --via $via --hit 20% -j 4 --json r
		[ "$(done_by r)" = "$via:600 $via-missing:2400" ]
	done
	valid r 4
}

@test "--hit: the seed says which, and nothing else does" {
	local shape
	shape='[o["by_position"]["count"] for o in r["operations"]]'
	mkfiles 2000 d -q
	statfiles 2000 d -q --hit 50% --json r
	field "$shape" r >one
	statfiles 2000 d -q --hit 50% -j 3 --via access --json r
	field "$shape" r >two
	statfiles 2000 d -q --hit 50% --seed 2 --json r
	field "$shape" r >other
	diff one two
	run ! diff -q one other
	# misses come between hits, and not after them
	[ "$(field 'max(r["operations"][1]["by_position"]["count"])' r)" -le 19 ]
}

@test "--hit: every name once, and misses beyond the last name" {
	need strace
	mkfiles 50 d -q
	strace -f -e trace=newfstatat -o trace statfiles 50 d -q --hit 60% \
		--order random
	sed -n 's/.*, "\([0-9A-F]\{8\}\)", .*/\1/p' trace | sort >names
	[ "$(wc -l <names)" = 50 ]
	# of N and N + 50, exactly one
	while read -r name; do echo $((0x$name % 50)); done <names | sort -n |
		diff - <(seq 0 49)
	[ "$(grep -c ENOENT trace)" -ge 20 ]
}

@test "--hit: a name that should exist, or should not, and is otherwise" {
	mkfiles 100 d -q
	rm d/0000000*
	ends 1 statfiles 100 d -q --hit 100% --on-error continue --json r
	contains 'stat failed 16 times: No such file' "$stderr"
	mkfiles 100 d -q --start 100
	ends 1 statfiles 100 d -q --hit 0% --on-error continue --json r
	contains 'stat-missing failed 100 times: File exists' "$stderr"
	ends 1 statfiles 100 d -q --hit 0% --json r
	[ "$(field 'r["outcome"]["end"]' r)" = error ]
	valid r 3
}

@test "--hit and --missing in a layout, also where directories are missing" {
	local layout
	for layout in fanout:4:16 levels:1:2 prefix:6; do
		mkfiles 500 d -q --layout $layout
		find . >before
		ends 0 statfiles 500 d -q --layout $layout --hit 50% -j 2 --json r
		[ "$(done_by r)" = "stat:250 stat-missing:250" ]
		ends 0 statfiles 500 d -q --layout $layout --missing --json r
		ends 0 statfiles 500 d -q --layout $layout --missing \
			--start 10M --parents 1 --json r
		find . | grep -v '^\./r$' | diff - <(grep -v '^\./r$' before)
		ends 0 rmfiles 500 d -q --layout $layout --prune
	done
	valid r 9
}

@test "--hit: refusals" {
	mkfiles 10 d -q
	refused "a share such as 90%" statfiles 10 d --hit 101%
	refused "a share such as 90%" statfiles 10 d --hit 1.1
	refused "a share such as 90%" statfiles 10 d --hit -1
	refused "a share such as 90%" statfiles 10 d --hit nan
	refused "a share such as 90%" statfiles 10 d --hit 0x1
	refused "a share such as 90%" statfiles 10 d --hit 1e-1
	refused "a share such as 90%" statfiles 10 d --hit '5%%'
	refused "entries that exist" statfiles 10 d --hit 50% --order readdir
	refused "entries that exist" statfiles 10 d --hit 50% --order hash
	refused "hit and --missing" statfiles 10 d --hit 50% --missing
	refused "list and --hit" statfiles --list --hit 50% d
	refused "not so many left" \
		statfiles 5 d --hit 50% --start 9223372036854775800
	refused "over 255 bytes" statfiles 10 d --hit 50% --name dec \
		--prefix "$(printf 'x%.0s' {1..254})"
}

# --- lists -------------------------------------------------------------------

# A directory with something of each type.
mixed() {
	mkfiles 300 d -q
	mkfiles 20 d -q --type dir --prefix d
	mkfiles 10 d -q --type symlink --prefix l
	mkfiles 5 d -q --type fifo --prefix p
}

@test "--list: names alone" {
	mixed
	ends 0 statfiles --list d --json r
	contains '^listed 335 entries in ' "$output"
	contains '^  types        5 fifo, 20 dir, 300 file, 10 symlink$' "$output"
	ends 0 statfiles --list=names d -q --json r
	[ "$(field 'len(r["operations"])' r)" = 1 ]
	[ "$(field 'r["outcome"]["listed_types"]["dir"]' r)" = 20 ]
	valid r 2
}

@test "--list=types: nothing is looked up that the directory has told" {
	mixed
	ends 0 statfiles --list=types d --json r
	[ "$(field 'r["outcome"]["listed"]' r)" = 335 ]
	[ "$(field 'r["operations"][1]["done"]' r)" = \
		"$(field 'r["outcome"]["listed_types"].get("untold", 0)' r)" ]
	valid r
}

@test "--list=types: what the directory does not tell is looked up" {
	# without the file type feature, ext4 directories tell none
	image_at "$PLACE/m" ext4 8M -q -O '^filetype'
	mkfiles 100 m -q
	ends 0 statfiles --list=types m -q --json r
	[ "$(field 'r["outcome"]["listed_types"]' r)" = "{'untold': 101}" ]
	[ "$(field 'r["operations"][1]["done"]' r)" = 101 ]
	ends 0 statfiles --list m -q --json r
	[ "$(field 'len(r["operations"])' r)" = 1 ]
	valid r 2
}

@test "--list=stat: each entry, in either order, by every call" {
	local order via link
	mixed
	# access follows links
	for link in d/l*; do ln -sfn . "$link"; done
	for order in readdir inode; do
		for via in stat access statx; do
			ends 0 statfiles --list=stat d -q --order $order \
				--via $via --json r
			[ "$(field 'r["operations"][1]["done"]' r)" = 335 ]
			[ "$(field 'r["operations"][1]["operation"]' r)" = $via ]
		done
	done
	[ "$(field 'r["sort_memory_bytes"]' r)" -gt 5000 ]
	ends 0 statfiles --list=stat d -q --order inode --window 10 --json r
	[ "$(field 'r["operations"][1]["done"]' r)" = 335 ]
	[ "$(field 'r["sort_memory_bytes"]' r)" -lt 1000 ]
	valid r 7
}

@test "--list=stat --order inode: by inode number indeed" {
	need strace
	mkfiles 300 d -q --order random
	statfiles 300 d -q --order inode
	strace -e trace=newfstatat -o trace statfiles --list=stat d -q \
		--order inode
	sed -n 's/.*, "\([0-9A-F]\{8\}\)", .*/\1/p' trace |
		(cd d && xargs stat -c %i) >inodes
	[ "$(wc -l <inodes)" = 300 ]
	sort -n -c inodes
}

@test "--list=stat: what cannot be opened is told, and the rest goes on" {
	mixed
	ends 1 statfiles --list=stat d -q --via open --json r
	contains '^statfiles: open l0000000[0-9]: Too many levels' "$stderr"
	[ "$(field 'r["outcome"]["end"]' r)" = error ]
	ends 1 statfiles --list=stat d -q --via open --on-error continue --json r
	contains 'open failed 10 times' "$stderr"
	[ "$(field 'r["operations"][1]["done"]' r)" = 325 ]
	valid r 2
}

@test "--list: the directories of a layout, and nothing else" {
	mkfiles 500 d -q --layout fanout:4:16
	touch d/stranger
	mkdir d/strange
	touch d/strange/file
	ends 0 statfiles --list d -q --layout fanout:4:16 --json r
	[ "$(field 'r["outcome"]["listed"]' r)" = 500 ]
	ends 0 statfiles --list=stat d --layout fanout:4:16 --order inode --json r
	[ "$(field 'r["operations"][1]["done"]' r)" = 500 ]
	valid r 2
}

@test "--list: many entries, in several buffers; an empty directory" {
	mkfiles 30000 d -q
	ends 0 statfiles --list=stat d -q --json r
	[ "$(field 'r["operations"][1]["done"]' r)" = 30000 ]
	[ "$(field 'r["operations"][0]["done"]' r)" -gt 3 ]
	ends 0 statfiles --list=stat d -q --order inode --json r
	[ "$(field 'r["operations"][1]["done"]' r)" = 30000 ]
	mkdir e
	ends 0 statfiles --list=stat e --json r
	ends 0 statfiles --list=types e --json r
	contains '^listed 0 entries' "$output"
	valid r 4
}

@test "--list=stat: when the time is up" {
	mkfiles 30000 d -q
	ends 0 statfiles --list=stat d -q --time 1us --json r
	[ "$(field 'r["outcome"]["end"]' r)" = time-limit ]
	[ "$(field 'r["operations"][1]["done"]' r)" -lt 30000 ]
	valid r
}

@test "--list: refusals" {
	mkfiles 10 d -q
	refused "takes names, types, stat" statfiles --list=all d
	refused "go with --list=stat" statfiles --list d --order inode
	refused "go with --list=stat" statfiles --list=types d --window 5
	refused "goes with --list=stat" statfiles --list d --via open
	refused "readdir or inode" statfiles --list=stat d --order random
	refused "readdir or inode" statfiles --list=stat d --order hash
	refused "sorts nothing" statfiles --list=stat d --window 5
	refused "no meaning" statfiles --list=stat d -j 2
	refused "no meaning" statfiles --list=stat d --name hash
	refused "no meaning" statfiles --list=stat d --verify
	refused "too many" statfiles --list=stat 10 d
}
