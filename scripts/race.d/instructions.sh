# shellcheck shell=bash disable=SC2154
# Instructions of the user side for each operation, of tools that time each:
# what callgrind counts, as the difference of two runs, which leaves out what a
# run costs once. The names are fio's.

few=5000
many=15000

# counted COMMAND...: instructions of one run
counted() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
		awk '/Collected/ { n = $4 } END { print n + 0 }'
}

# fio_does ENGINE COUNT DIR: as in the race, but with each operation timed.
fio_does() {
	# shellcheck disable=SC2016
	counted fio --name=race --directory="$3" --ioengine="$1" --rw=write \
		--nrfiles="$2" --filesize=1 --bs=1 --fallocate=none --thread \
		--filename_format='f.$jobnum.$filenum' --create_on_open=1 \
		--openfiles=1 --unlink=0 --file_service_type=sequential \
		--output=/dev/null
}

ours_does() {
	counted "$build/$1" -q --name f.0.%d "$2" "$3"
}

bare_does() {
	counted "$build/bench/bare" -n dec:f.0. "$1" "$2" "$3"
}

# sequence_of RUNNER COUNT: create, stat and delete; a number each
sequence_of() {
	local dir=$scratch/count.$1.$2 operation
	mkdir "$dir"
	case $1 in
	fio) set -- fio_does "$2" filecreate filestat filedelete ;;
	ours) set -- ours_does "$2" mkfiles statfiles rmfiles ;;
	bare) set -- bare_does "$2" create stat unlink ;;
	esac
	for operation in "${@:3}"; do
		"$1" "$operation" "$2" "$dir"
	done
	rm -rf "$dir"
}

print_instructions() {
	local runner each
	echo
	echo "User-side instructions for each operation (callgrind)"
	command -v valgrind >/dev/null || {
		echo "(not counted: valgrind is missing)"
		return
	}
	make_scratch
	printf '%-28s%8s%8s%8s\n' '' create stat delete
	for runner in ours fio bare; do
		[ "$runner" != fio ] || command -v fio >/dev/null || continue
		mapfile -t each < <(paste \
			<(sequence_of "$runner" $few) \
			<(sequence_of "$runner" $many) |
			awk -v n=$((many - few)) '{ print int(($2 - $1) / n) }')
		printf '%-28s%8d%8d%8d\n' "$(runner_title "$runner")" "${each[@]}"
	done
}

runner_title() {
	case $1 in
	ours) echo "ours, all measured" ;;
	fio) echo "fio, each timed" ;;
	bare) echo "bare loop, nothing timed" ;;
	esac
}
