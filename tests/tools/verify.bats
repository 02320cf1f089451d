# --verify: missing, extra and wrong names are found and named; exit code 4.

setup() {
	load helpers.bash
	begin
}

teardown() { clean_up; }

teardown_file() {
	load helpers.bash
	all_valid
}

@test "nothing wrong" {
	ends 0 mkfiles 100 d --verify --json r
	contains 'verified +as it should be: 100 of 100 names, 0 others' "$output"
	ends 0 statfiles 100 d --verify --json r
	ends 0 rmfiles 100 d --verify --json r
	contains 'verified +as it should be: 0 of 0 names' "$output"
	valid r 3
}

@test "other names" {
	touch d/other d/000000ff
	ends 4 mkfiles 100 d --verify --json r
	contains '2 unexpected, such as' "$output"
	contains '^ +other$' "$output"
	[ "$(field 'r["outcome"]["exit_code"]' r)" = 4 ]
	valid r
	ends 0 statfiles 100 d --verify=ours
	ends 4 statfiles 100 d --verify
	ends 0 rmfiles 100 d --verify
	contains '2 others' "$output"
}

@test "names that are missing" {
	mkfiles 100 d -q
	rm d/00000007 d/00000063
	ends 4 statfiles 100 d --verify --on-error continue --json r
	contains '2 missing, such as' "$output"
	contains '^ +00000007$' "$output"
	contains '^ +00000063$' "$output"
	valid r
}

@test "as many names, but a wrong one" {
	mkfiles 100 d -q
	mv d/00000007 d/7
	ends 4 statfiles 100 d --verify --on-error continue --order readdir
	contains '1 missing' "$output"
	contains '1 unexpected' "$output"
	ends 4 statfiles 100 d --verify=ours --on-error continue
	contains '1 missing' "$output"
}

@test "names that could not be deleted are said to be there still" {
	mkfiles 10 d -q --type dir
	touch d/00000003/inside
	ends 1 rmfiles 10 d --type dir --on-error continue --verify
	count_is 1 d
	contains 'rmdir failed 1 time: Directory not empty' "$stderr"
	contains 'verified +as it should be: 1 of 1' "$output"
}

@test "names that were there before fail, and the rest is verified" {
	touch d/00000003
	ends 1 mkfiles 10 d --on-error continue --verify=ours
	contains 'File exists' "$stderr"
}

@test "names that are not shown as they are" {
	touch d/$'new\nline' d/$'\377'
	ends 4 mkfiles 10 d --verify
	contains '^ +new\\nline$' "$output"
	contains '^ +\\377$' "$output"
}
