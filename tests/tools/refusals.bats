# What cannot be done is refused in one line that names the value and what is
# allowed, with exit code 2, before anything is touched.

setup() {
	load helpers.bash
	begin
	touch d/keep file
	ln -s d link
}

teardown() { clean_up; }

@test "counts that are none" {
	local tool count
	for tool in mkfiles rmfiles statfiles renamer; do
		for count in 0 -1 -300000 '' ' ' x 3x 3kk 1.5 1e3 0x10 +3 ' 3' \
			9223372036854775808 18446744073709551616 \
			99999999999999999999999 10000000T; do
			refused "number" "$tool" "$count" d
			[[ $stderr == *"$count"* ]]
		done
	done
	refused "COUNT is a number from 1 to .*'x'" randfiles base x
	refused "COUNT is a number from 1 to .*'0'" randfiles base 0
}

@test "--start beyond the end" {
	refused "9223372036854775807" mkfiles 2 d --start 9223372036854775806
	refused "\-\-start" mkfiles 1 d --start 9223372036854775807
	refused "\-\-start.*'x'" mkfiles 1 d --start x
	refused "below zero|--start" mkfiles 1 d --start=-1
}

@test "too few and too many arguments" {
	local tool
	for tool in mkfiles rmfiles randfiles renamer statfiles; do
		refused "usage: $tool" "$tool"
		refused "'four'.*usage: $tool|usage: $tool" "$tool" 1 d y four
	done
	refused "usage" renamer 5
	refused "usage" randfiles base
	refused "'n'" randfiles base 5 n
	refused "usage|COUNT" rmfiles --all
	refused "usage|too many" rmfiles --all d d
}

@test "options that are none" {
	refused "bogus" mkfiles 5 d --bogus
	refused "x" mkfiles 5 d -x
	refused "\-\-json|argument" mkfiles 5 d --json
}

@test "orders, schemes, types and the like that are none" {
	refused "'fast'.*|sequential.*'fast'" mkfiles 5 d --order fast
	refused "stride:0" mkfiles 5 d --order stride:0
	refused "stride" mkfiles 5 d --order stride
	refused "known are hex" mkfiles 5 d --name nothing
	refused "file, dir, symlink, hardlink, fifo, not 'socket'" \
		mkfiles 5 d --type socket
	refused "open, mknod, not 'creat'" mkfiles 5 d --via creat
	refused "stat, open, access, statx, not 'lstat'" statfiles 5 d --via lstat
	refused "none, file, dir, end, not 'all'" mkfiles 5 d --fsync all
	refused "stop, continue, not 'go'" mkfiles 5 d --on-error go
	refused "exact, ours, not 'x'" mkfiles 5 d --verify=x
	refused "octal.*'888'" mkfiles 5 d --mode 888
	refused "octal.*'-1'" mkfiles 5 d --mode=-1
	refused "octal.*'17777'" mkfiles 5 d --mode 17777
	refused "duration.*'2x'" mkfiles 5 d --time 2x
	refused "duration.*'0'" mkfiles 5 d --time 0
	refused "duration.*'-1s'" mkfiles 5 d --time=-1s
	refused "'x'" mkfiles 5 d --seed x
	refused "'-1'" mkfiles 5 d --seed=-1
	refused "'0'" mkfiles 5 d -j 0
	refused "'1025'" mkfiles 5 d --jobs 1025
	refused "'novalue'" mkfiles 5 d --label novalue
	refused "'=v'" mkfiles 5 d --label =v
	refused "stage-batch.*'0'" mkfiles 5 d --stage --stage-batch 0
	refused "stage-batch.*'65537'" mkfiles 5 d --stage --stage-batch 65537
	refused "passes.*'0'" renamer 5 d --passes 0
}

@test "templates with no, two or wrong conversions, slashes, too long" {
	local template
	# shellcheck disable=SC2016 # it is a conversion
	for template in '' plain '%%' '%d%d' '%s' '%n' '%d%s' '%-d' '%+5d' '%ld' \
		'%.3d' '%*d' 'a/%d' '/%d' '../%d' '%d/..' '%256d' '%' 'a%' '%1$d'; do
		refused "\-\-name" mkfiles 5 d --name "$template"
	done
	refused "long:7" mkfiles 5 d --name long:7
	refused "long:256" mkfiles 5 d --name long:256
	refused "slash" mkfiles 5 d --prefix a/b
	refused "255" mkfiles 5 d --prefix "$(printf 'p%.0s' {1..255})"
	refused "255" mkfiles 11 d --name dec --prefix "$(printf 'p%.0s' {1..254})"
	ends 0 mkfiles 10 d --name dec --prefix "$(printf 'p%.0s' {1..254})" -q
}

@test "directories that are none, or no good" {
	local tool
	for tool in mkfiles rmfiles statfiles renamer; do
		refused "nowhere: no such directory" "$tool" 5 nowhere
		refused "file is not a directory" "$tool" 5 file
		refused "" "$tool" 5 ''
	done
	refused "nowhere: no such directory" randfiles nowhere/x 5
	refused "file is not a directory" randfiles file/x 5
	refused "nowhere" renamer 5 d nowhere
	refused "file is not a directory" rmfiles --all file
	refused "nowhere" rmfiles --all nowhere
	refused "nowhere" statfiles --list nowhere
}

@test "a link in the directory's place is not followed to delete or rename" {
	refused "link is a symbolic link" rmfiles 5 link
	refused "link is a symbolic link" rmfiles --all link
	refused "link is a symbolic link" renamer 5 link
	refused "link is a symbolic link" renamer 5 d link
}

@test "a directory that is not writable" {
	need_root "to become another user"
	need setpriv
	local user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	chmod 755 d
	refused "d cannot be written to" "${user[@]}" "$(command -v mkfiles)" 5 d
	refused "d cannot be written to" "${user[@]}" "$(command -v rmfiles)" 5 d
	refused "d cannot be written to" "${user[@]}" "$(command -v renamer)" 5 d
	refused "d cannot be written to" "${user[@]}" "$(command -v rmfiles)" --all d
	ends 1 "${user[@]}" "$(command -v statfiles)" 5 d
}

@test "a name with a newline in a message is still one line" {
	local bad=$'new\nline'
	refused "new" mkfiles 5 "$bad"
	refused "new" mkfiles "$bad" d
	refused "new" mkfiles 5 d --order "$bad"
	refused "new" mkfiles 5 d --name "$bad"
	refused "new" mkfiles 5 d --type "$bad"
	refused "new" mkfiles 5 d "--$bad"
	refused "new" rmfiles --all "$bad"
	refused "033" mkfiles 5 $'\033[31mred'
	contains_not $'\033' "$stderr"
}

@test "orders of entries that exist are none for new ones" {
	refused "readdir.*makes new ones" mkfiles 5 d --order readdir
	refused "inode.*makes new ones" mkfiles 5 d --order inode
	refused "randfiles is about random order" randfiles x 5 --order reverse
}

@test "hash order where the file system has none" {
	tmpfs_at t size=1m
	refused "hash" mkfiles 5 t --order hash
	refused "hash" rmfiles 5 t --order hash
	refused "hash" statfiles 5 t --order hash
	refused "hash" renamer 5 t --order hash
}

@test "options that exclude each other" {
	refused "quiet.*progress" mkfiles 5 d --quiet --progress
	refused "dry-run.*verify" mkfiles 5 d --dry-run --verify
	refused "stage-batch needs --stage" mkfiles 5 d --stage-batch 5
	refused "via mknod is for files" mkfiles 5 d --type dir --via mknod
	refused "via open is for files" mkfiles 5 d --type fifo --via open
	refused "fsync file" mkfiles 5 d --via mknod --fsync file
	refused "fsync file" mkfiles 5 d --type symlink --fsync file
	refused "over and --exchange" renamer 5 d --over --exchange
	refused "over.*passes" renamer 5 d --over --passes 2
	refused "fsync file" renamer 5 d --fsync file
	refused "fsync file" rmfiles 5 d --fsync file
	refused "window" rmfiles 5 d --window 5
	refused "window" rmfiles 5 d --window 5 --order readdir
	refused "list and --missing" statfiles --list --missing d
	refused "list" statfiles --list --order random d
	refused "readdir.*missing" statfiles 5 d --missing --order readdir
	refused "verify.*missing" statfiles 5 d --missing --verify
	refused "recursive goes with --all" rmfiles 5 d --recursive
	refused "all.*--name" rmfiles --all d --name dec
	refused "all.*--start" rmfiles --all d --start 5
	refused "all.*--type" rmfiles --all d --type dir
	refused "all.*verify" rmfiles --all d --verify
	refused "all.*order" rmfiles --all d --order random
	refused "new name .* is an old one" renamer 5 d --to-prefix=
}

@test "options that a tool has no use for say why" {
	refused "window: mkfiles reads no entries" mkfiles 5 d --window 5
	refused "via: there is one way" rmfiles 5 d --via open
	refused "stage: rmfiles creates nothing" rmfiles 5 d --stage
	refused "mode" rmfiles 5 d --mode 700
	refused "type: a lookup" statfiles 5 d --type dir
	refused "fsync" statfiles 5 d --fsync end
	refused "type: a rename" renamer 5 d --type dir
	refused "stage" renamer 5 d --stage
	refused "prefix: BASENAME" randfiles x 5 --prefix y
}

@test "a stage that cannot be used, and nothing is left of it" {
	mkdir other
	refused "d is DIR itself" mkfiles 5 d --stage=d
	refused "file" mkfiles 5 d --stage=file
	refused "link" mkfiles 5 d --stage=link
	refused "nowhere" mkfiles 5 d --stage=nowhere/stage
	tmpfs_at t size=1m
	refused "another file system" mkfiles 5 d --stage=t
	refused "another file system" mkfiles 5 d --stage=t/new
}

@test "a record that cannot be opened stops before anything is done" {
	refused "nowhere/x" mkfiles 5 d --json nowhere/x
	refused "nowhere/x" mkfiles 5 d --stage --json nowhere/x
	refused "nowhere/x" mkfiles 5 d --stage=new --json nowhere/x
	refused "json d" rmfiles 5 d --json d
}
