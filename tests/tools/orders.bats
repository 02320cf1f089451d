# Every order in every tool, staged or not, with one worker and with four.

setup() {
	load helpers.bash
	begin
	mkdir e
}

teardown() { clean_up; }

computed="sequential reverse random stride:7 interleave:3"
observed="readdir inode"

@test "every order makes the same directory, for every number of workers" {
	local order jobs stage
	mkfiles 1000 d -q
	for order in $computed; do
		for jobs in 1 4; do
			for stage in "" --stage "--stage --stage-batch 64"; do
				# shellcheck disable=SC2086 # several words
				ends 0 mkfiles 1000 e -q --order "$order" \
					-j "$jobs" $stage --verify
				[ "$(names_of d)" = "$(names_of e)" ]
				rmfiles 1000 e -q
			done
		done
	done
}

@test "every order deletes all and nothing else, for every number of workers" {
	local order jobs
	for order in $computed $observed; do
		for jobs in 1 4; do
			mkfiles 1000 d -q --start 5
			touch d/00000004 d/000003ED d/other d/0000000a
			ends 0 rmfiles 1000 d -q --start 5 --order "$order" \
				-j "$jobs" --verify
			count_is 4 d
			rm d/*
		done
	done
}

@test "every order looks all up, for every number of workers" {
	local order jobs
	mkfiles 1000 d -q
	for order in $computed $observed; do
		for jobs in 1 4; do
			ends 0 statfiles 1000 d -q --order "$order" -j "$jobs"
			ends 1 statfiles 1001 d -q --order "$order" -j "$jobs"
		done
	done
}

@test "every order renames all, in place and elsewhere" {
	local order jobs
	for order in $computed $observed; do
		for jobs in 1 4; do
			mkfiles 500 d -q
			ends 0 renamer 500 d -q --order "$order" -j "$jobs" \
				--verify
			[ -e d/r-000001F3 ] && [ ! -e d/000001F3 ]
			ends 0 renamer 500 d e -q --prefix r- --to-prefix= \
				--order "$order" -j "$jobs" --verify
			count_is 0 d
			count_is 500 e
			rmfiles 500 e -q
		done
	done
}

@test "every order goes there and back in passes" {
	local order passes
	for order in $computed $observed; do
		for passes in 2 3; do
			mkfiles 100 d -q
			ends 0 renamer 100 d -q --order "$order" \
				--passes "$passes" --verify
			rm -f d/*
			mkfiles 100 d -q
			ends 0 renamer 100 d e -q --order "$order" \
				--passes "$passes" --verify
			count_is $((passes == 2 ? 100 : 0)) d
			count_is $((passes == 2 ? 0 : 100)) e
			rm -f d/* e/*
		done
	done
}

@test "names that are looked up in directory order are its names" {
	mkfiles 100 d -q
	ends 0 statfiles 100 d -q --order readdir --json r
	[ "$(field 'r["outcome"]["done"]' r)" = 100 ]
	ends 1 rmfiles 200 d --order readdir
	contains '100 of 200 names are not in the directory' "$stderr"
	count_is 0 d
}

@test "--window sorts a part at a time" {
	local window
	for window in 1 7 1000 5000; do
		mkfiles 1000 d -q --order random
		ends 0 rmfiles 1000 d -q --order inode --window "$window" \
			-j 2 --verify
		count_is 0 d
	done
}

@test "every type with every order and workers, staged too" {
	local type order
	for type in file dir symlink hardlink fifo; do
		for order in random stride:7; do
			mkfiles 200 d -q --type "$type" --order "$order" -j 4
			ends 0 mkfiles 200 e -q --type "$type" --stage \
				--stage-batch 16 -j 4 --verify
			[ "$(names_of d)" = "$(names_of e)" ]
			ends 0 rmfiles 200 d -q --type "$type" --order inode -j 4
			ends 0 rmfiles 200 e -q --type "$type" --order random
		done
	done
	count_is 0 d
	count_is 0 e
}

@test "random order is the same on every machine" {
	mkfiles 10 d --dry-run --order random --seed 42 >out
	contains 'seed 42' "$(cat out)"
	# see the golden values of the permutation
	contains '^ +0  00000007$' "$(cat out)"
	contains '^ +1  00000002$' "$(cat out)"
	contains '^ +2  00000001$' "$(cat out)"
	ends 0 mkfiles 9223372036854775807 d --dry-run --order random
	contains '^ +0  1447A25AC90EE3F6$' "$output"
}

@test "a stage of one's own is used, and stays if it was there" {
	mkdir stage
	ends 0 mkfiles 100 d -q --stage=stage --verify
	[ -d stage ]
	count_is 0 stage
	ends 0 rmfiles 100 d -q
	ends 0 mkfiles 100 d -q --stage=new --verify
	[ ! -e new ]
	count_is 100 d
}

@test "a stage that holds something of others stays behind, and is told" {

	mkdir stage
	touch stage/theirs
	ends 0 mkfiles 10 d -q --stage=stage
	[ -e stage/theirs ]
}

@test "entries that cannot be renamed out of the stage are removed again" {
	touch d/00000005 d/00000007
	echo content >d/00000007
	ends 1 mkfiles 10 d --stage --stage-batch 4 --on-error continue
	contains 'removed +2 from the staging' "$output"
	contains 'rename failed 2 times: File exists' "$stderr"
	count_is 10 d
	[ "$(cat d/00000007)" = content ]
}

@test "renamer: --over replaces, without it nothing is replaced" {
	mkfiles 10 d -q
	mkfiles 5 e -q
	echo content >e/00000003
	ends 1 renamer 10 d e -q
	[ "$(cat e/00000003)" = content ]
	ends 0 renamer 10 d e -q --over --verify
	[ ! -s e/00000003 ]
	count_is 0 d
	count_is 10 e
}

@test "renamer: --exchange swaps the entries of both names" {
	mkfiles 10 d -q
	mkfiles 10 e -q --type dir
	ends 0 renamer 10 d e -q --exchange --verify
	[ -d d/00000009 ] && [ -f e/00000009 ]
	rmdir e/* 2>/dev/null || true
	rm e/00000004
	ends 1 renamer 10 d e -q --exchange --on-error continue --json r
	[ "$(field 'r["operations"][0]["errors"]["ENOENT"]' r)" = 1 ]
}

@test "renamer: --to-name" {
	mkfiles 10 d -q
	ends 0 renamer 10 d -q --to-name uuid --verify
	ends 0 renamer 10 d -q --name uuid --to-name 'f%d' --verify
	[ -f d/f9 ]
	count_is 10 d
}
