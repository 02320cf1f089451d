# shellcheck shell=bash disable=SC2154
# Runs the lab that a race is, says how far it is, and ends it when the race is
# ended: a lab that went on alone would disturb whatever is measured next.

# run_lab: the records go into $results, what the lab says into a log there.
run_lab() {
	local fs lab code=0 caught='' log=$results.log options=()
	for fs in ${file_systems//,/ }; do
		options+=(--fs "$fs")
	done
	# in the background, a lab takes no notice of SIGINT; and it has to end
	# also when this is killed
	trap 'caught=2' INT
	trap 'caught=15' TERM
	trap 'caught=1' HUP
	setpriv --pdeathsig TERM "$here/scripts/lab" race "${options[@]}" \
		--repeats "$rounds" --no-pictures -o "$results" count="$count" \
		entry="$(IFS=,; echo "${entries[*]}")" >"$log" 2>&1 &
	lab=$!
	: >>"$log"
	follow "$log" "$lab" &
	while ! [ "$caught" ] && is_running "$lab"; do
		wait "$lab" || true
	done
	[ -z "$caught" ] || kill -TERM "$lab" 2>/dev/null || true
	wait "$lab" || code=$?
	trap - INT TERM HUP
	wait
	[ ! -d "$results" ] || mv "$log" "$results/lab.log"
	if [ -n "$caught" ]; then
		echo "race: stopped; go on with: lab --resume $results," \
			"then race --table $results" >&2
		exit $((128 + caught))
	fi
	[ $code -eq 0 ] || {
		tail -n 20 "$results/lab.log" "$log" 2>/dev/null >&2
		die "the lab failed"
	}
}

is_running() {
	kill -0 "$1" 2>/dev/null
}

# follow LOG LAB: the lab's last line, with the time that is left, for as long as
# it runs: always anew on a terminal, elsewhere each tenth.
follow() {
	local begun=$SECONDS shown=-1 line done_ all left
	trap '' INT TERM HUP
	while is_running "$2"; do
		line=$(grep -a '^\[[0-9]*/[0-9]*\]' "$1" | tail -n 1) || true
		if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ ([^,]*) ]]; then
			done_=$((BASH_REMATCH[1] - 1)) all=${BASH_REMATCH[2]}
			left='?'
			[ $done_ -eq 0 ] || left=$(((SECONDS - begun) * \
				(all - done_) / done_ / 60 + 1))
			if [ -t 2 ]; then
				printf '\r%d of %d runs, some %s min left: %s\e[K' \
					"$done_" "$all" "$left" "${BASH_REMATCH[3]}" >&2
			elif [ $((done_ * 10 / all)) -gt "$shown" ]; then
				shown=$((done_ * 10 / all))
				echo "race: $done_ of $all runs, some $left min left" >&2
			fi
		fi
		sleep 0.2
	done
	[ ! -t 2 ] || printf '\r\e[K' >&2
}
