# The forms that people type.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

@test "mkfiles COUNT: %08X from 0, here" {
	cd "$D"
	ends 0 mkfiles 300
	contains '^created 300 files in [0-9.]+ [num]?s: [0-9,]+ per s$' "$output"
	[ -z "$stderr" ]
	count_is 300 "$D"
	[ -f 00000000 ] && [ -f 0000012B ] && [ ! -s 0000012B ]
	[ "$(stat -c %a 0000012B)" = 600 ]
}

@test "rmfiles COUNT: the same, here" {
	cd "$D"
	mkfiles 300 -q
	touch 0000012C other
	ends 0 rmfiles 300
	contains '^deleted 300 files in ' "$output"
	[ "$(names_of .)" = "$(printf '0000012C f\nother f')" ]
}

@test "randfiles BASE COUNT: BASE0 and so on" {
	cd "$D"
	ends 0 randfiles f 300
	contains '^created 300 files' "$output"
	[ -f f0 ] && [ -f f299 ]
	count_is 300 "$D"
}

@test "randfiles BASE COUNT y: prints each name once, in random order" {
	cd "$D"
	ends 0 randfiles f 300 y -q
	[ "${#lines[@]}" = 300 ]
	[ "$(sort <<<"$output")" = "$(find . -type f -printf '%f\n' | sort)" ]
	[ "$(sort -V <<<"$output")" != "$output" ]
}

@test "randfiles: a BASE with slashes names the directory" {
	ends 0 randfiles d/sub- 10 -q
	[ -f d/sub-9 ]
	ends 0 randfiles "$D/" 3 -q
	[ -f d/2 ]
}

@test "randfiles: the same seed, the same order; another, another" {
	mkdir a b c
	randfiles a/ 200 y -q --seed 5 >one
	randfiles b/ 200 y -q --seed 5 >two
	randfiles c/ 200 y -q --seed 6 >three
	cmp one two
	run ! cmp -s one three
	[ "$(sort one)" = "$(sort three)" ]
}

@test "renamer COUNT DIR: r- before each name" {
	mkfiles 50 d -q
	ends 0 renamer 50 d
	contains '^renamed 50 names' "$output"
	[ -f d/r-00000000 ] && [ -f d/r-00000031 ]
	count_is 50 d
}

@test "renamer COUNT DIR TO: the same names elsewhere" {
	mkdir to
	mkfiles 50 d -q
	ends 0 renamer 50 d to -q
	[ -z "$output$stderr" ]
	count_is 0 d
	[ -f to/00000031 ]
}

@test "statfiles COUNT DIR" {
	mkfiles 50 d -q
	ends 0 statfiles 50 d
	contains '^looked up 50 names in ' "$output"
}

@test "statfiles --list" {
	mkfiles 5000 d -q
	ends 0 statfiles --list d
	contains '^listed 5,000 entries in ' "$output"
	ends 0 statfiles --list "$PLACE"
}

@test "counts take suffixes" {
	mkdir e
	mkfiles 1k d -q
	count_is 1000 d
	mkfiles 1Ki e -q
	count_is 1024 e
	rmfiles 1k d -q
	count_is 0 d
}

@test "options may come before, between and after, and -- ends them" {
	mkfiles -q 5 --name dec d
	rmfiles 5 d --name=dec -q
	mkfiles -q --name dec -- 5 d
	count_is 5 d
}

@test "--start, --name and --prefix" {
	mkfiles 3 d -q --start 10 --name dec --prefix=n
	[ "$(names_of d | tr '\n' ' ')" = "n10 f n11 f n12 f " ]
	rmfiles 2 d -q --start 11 --name dec --prefix=n
	[ "$(names_of d)" = "n10 f" ]
	mkfiles 2 d -q --name 'img%05d.jpg' --start 1k
	[ -f d/img01001.jpg ]
	ends 0 statfiles 2 d -q --name 'img%05d.jpg' --start 1k
	ends 1 statfiles 2 d -q --name 'img%05d.jpg'
}

@test "every naming scheme, made and deleted by each" {
	local scheme
	for scheme in hex dec hash uuid long:8 long:255 maildir 'f%d' 'x%04Xy' \
		'%o' '%5d' 'a%%%u'; do
		ends 0 mkfiles 100 d -q --name "$scheme" --verify
		count_is 100 d
		ends 0 statfiles 100 d -q --name "$scheme" --verify
		ends 0 rmfiles 100 d -q --name "$scheme" --verify
		count_is 0 d
	done
}

@test "--mode, less the umask" {
	umask 027
	mkfiles 1 d -q --name a%d --mode 777
	mkfiles 1 d -q --name b%d --type dir
	mkfiles 1 d -q --name c%d --type fifo --mode 0666
	[ "$(stat -c %a d/a0 d/b0 d/c0 | tr '\n' ' ')" = "750 700 640 " ]
}

@test "--type: what is made is that, and rmfiles deletes it" {
	local pair
	for pair in file:f dir:d symlink:l hardlink:f fifo:p; do
		ends 0 mkfiles 20 d -q --type "${pair%:*}" --verify
		[ "$(names_of d | grep -c " ${pair#*:}$")" = 20 ]
		ends 0 rmfiles 20 d -q --type "${pair%:*}" --verify
		count_is 0 d
	done
}

@test "--type hardlink: all are one file, and nothing else is left" {
	mkfiles 20 d -q --type hardlink
	[ "$(stat -c '%i' d/* | sort -u | wc -l)" = 1 ]
	[ "$(stat -c '%h' d/00000000)" = 20 ]
	count_is 20 d
}

@test "--via: both ways to create make the same" {
	mkdir e
	mkfiles 20 d -q --via open
	mkfiles 20 e -q --via mknod
	[ "$(names_of d)" = "$(names_of e)" ]
	[ "$(stat -c %a e/00000000)" = 600 ]
}

@test "--via of statfiles, with and without --missing" {
	local via
	mkfiles 20 d -q
	mkfiles 5 d -q --start 40 --type symlink --name hex
	for via in stat open access statx; do
		ends 0 statfiles 20 d -q --via "$via"
		ends 0 statfiles 20 d -q --via "$via" --missing
		# the names after these are there: missing fails
		ends 1 statfiles 10 d -q --via "$via" --missing
		contains "exists" "$stderr"
		# and those are not
		ends 1 statfiles 21 d -q --via "$via"
		contains "no: 20" "$stderr"
	done
}

@test "--fsync, each way" {
	local when
	for when in none file dir end; do
		ends 0 mkfiles 5 d --fsync "$when"
		if [ "$when" = none ]; then
			contains_not durable "$output"
		else
			contains 'durable \+' "$output"
		fi
		rmfiles 5 d -q
	done
}

@test "--dry-run: first and last names, and nothing done" {
	local before
	before=$(everything)
	ends 0 mkfiles 300000 d --dry-run
	contains '^would make 300,000 files in d$' "$output"
	contains ' 00000000$' "$output"
	contains ' 000493DF$' "$output"
	ends 0 rmfiles 10 d --dry-run --order reverse
	contains '^ +0  00000009$' "$output"
	ends 0 renamer 10 d --dry-run
	contains '00000000 -> r-00000000$' "$output"
	ends 0 statfiles 10 d --dry-run
	ends 0 randfiles d/x 10 --dry-run
	ends 0 mkfiles 10 d --dry-run --stage --type dir -j 4
	ends 0 rmfiles --all d --dry-run
	[ "$(everything)" = "$before" ]
}

@test "--help: 80 columns, examples that are no error, exit 0" {
	local tool line
	for tool in mkfiles rmfiles randfiles renamer statfiles; do
		ends 0 "$tool" --help
		[ -z "$stderr" ]
		contains_not '.{81}' "$output"
		contains '^Usage: ' "$output"
		contains '^Examples:' "$output"
		contains '^Exit codes: ' "$output"
		ends 0 "$tool" -h
		ends 0 "$tool" --version
		contains "^$tool \(bigdir\) [0-9.]+$" "$output"
		# every example in the help is a command line that is understood
		grep -E "^  $tool " <<<"$("$tool" --help)" | grep -v '[&>?]' |
			sed -E 's/ {3,}.*//' >examples
		[ -s examples ]
		while read -r line; do
			run bash -c "${line//\/mnt\/*([a-z])/} --bogus"
			contains 'bogus' "$output"
		done <examples
	done
}
