# shellcheck shell=bash disable=SC2034,SC2154
# The results directory: what is written to it, and how a lab goes on where an
# earlier one was stopped.

# The command line is kept twice: for people in $results/lab, and, each argument
# ended by a NUL, with the directory it was given in first, in $results/args.
make_results() {
	if [ -z "$results" ]; then
		results=lab-$pattern_name-$(date +%Y%m%d-%H%M%S)
	fi
	[ ! -e "$results" ] ||
		die "$results is there already; go on with it by --resume $results," \
			"or name another with -o"
	mkdir -p "$results/cells" || die "cannot make $results"
	results=$(cd "$results" && pwd)
	one_at_a_time
	cp "$pattern" "$results/pattern"
	printf '%s\0' "$PWD" "${arguments[@]}" >"$results/args"
	write_plan
	write_variants >"$results/variants.tsv"
	echo "$cells_head" >"$results/cells.tsv"
}

cells_head=$'cell\tvariant\trepeat\tposition\tstatus\treason\tseconds\toverhead'

# Two labs would remove each other's cells.
one_at_a_time() {
	exec 9>"$results/lock"
	flock -n 9 || die "another lab is at work in $results"
}

cannot_write() {
	die "cannot write to $results any more (is it full, or gone?); when it" \
		"can be written to: lab --resume $results"
}

# What was done by the lab that is resumed counts only if it is the same
# experiment still, and what is damaged is done again.
check_resumed() {
	one_at_a_time
	if [ -f "$results/pattern" ]; then
		cmp -s "$pattern" "$results/pattern" ||
			die "the pattern has changed since: compare $pattern with" \
				"$results/pattern, or begin anew"
		write_variants | cmp -s - "$results/variants.tsv" ||
			die "the variants are others than in $results/variants.tsv"
	else
		rm -f "$results/cells.tsv" # it was stopped before its first cell
		cp "$pattern" "$results/pattern"
		write_plan
		write_variants >"$results/variants.tsv"
	fi
	mkdir -p "$results/cells"
	keep_whole
}

keep_whole() {
	local line dropped=0
	{
		echo "$cells_head"
		while IFS= read -r line || [ -n "$line" ]; do
			[ "$line" != "$cells_head" ] || continue
			if [[ $line =~ ^[0-9]+-[0-9]+$'\t'([^$'\t']*$'\t'){6}[0-9.]+$ ]] &&
				[ -d "$results/cells/${line%%$'\t'*}" ]; then
				echo "$line"
			else
				dropped=$((dropped + 1))
			fi
		done < <(cat "$results/cells.tsv" 2>/dev/null)
	} >"$results/cells.new"
	mv "$results/cells.new" "$results/cells.tsv"
	[ "$dropped" -eq 0 ] ||
		say "of $dropped cells the results are damaged; they are run again"
}

write_plan() {
	cat >"$results/lab" <<-END
		schema=bigdir-lab
		schema_version=1
		command=$(quote "${0##*/}" "${arguments[@]}")
		pattern=$pattern_name
		title=$pattern_title
		models=$(pattern_models)
		seed=$seed
		repeats=$repeats
		cache=$cache
		mem=$mem
		disk=$disk
		sweeps=${swept[*]}
		vm=${vm:-no}
		started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
	END
}

write_variants() {
	local i
	printf 'number\tname\tfs\tmkfs\tmount\tvars\n'
	for ((i = 1; i <= ${#variants[@]}; i++)); do
		use_variant "$i" || true
		printf '%d\t%s\t%s\t%s\t%s\t%s\n' "$i" "$variant_name" "$type" \
			"${mkfs_options[*]}" "$mount_options" "$(swept_settings)"
	done
}

# resume_arguments DIR: the command line of that lab, as arguments; and goes
# where it was given.
resume_arguments() {
	[ -f "$1/args" ] || die "$1 holds no lab to go on with (no file args)"
	resumed=$(cd "$1" && pwd)
	mapfile -d '' -t arguments <"$1/args"
	[ ${#arguments[@]} -gt 1 ] || die "$1/args is damaged; begin anew"
	cd "${arguments[0]}" ||
		die "the lab in $1 was started in ${arguments[0]}, which is gone"
	arguments=("${arguments[@]:1}")
}

is_done() {
	grep -q "^$1"$'\t' "$results/cells.tsv"
}

# cell_line CELL VARIANT REPEAT POSITION STATUS REASON SECONDS OVERHEAD
cell_line() {
	local IFS=$'\t' field fields=()
	for field; do
		fields+=("${field//[$'\t\n']/ }")
	done
	echo "${fields[*]}" >>"$results/cells.tsv" || cannot_write
}

# The records of all cells, in order of variant and repeat, so that the first
# variant is the first in every table too; and their forecasts, which get the
# variant's name.
gather_records() {
	local v r cell
	: >"$results/records.jsonl"
	: >"$results/forecasts.jsonl"
	for ((v = 1; v <= ${#variants[@]}; v++)); do
		use_variant "$v" || true
		for ((r = 1; r <= repeats; r++)); do
			cell=$results/cells/$v-$r
			is_done "$v-$r" || continue
			[ ! -s "$cell/records.jsonl" ] ||
				cat "$cell/records.jsonl" >>"$results/records.jsonl"
			[ ! -s "$cell/forecasts.jsonl" ] ||
				jq -c --arg v "$variant_name" '. + {variant: $v}' \
					"$cell/forecasts.jsonl" >>"$results/forecasts.jsonl"
		done
	done
}

# Where a pattern forecasts and fills: inodes asked for, made by mkfs, names
# that went in, and how many the forecast said; medians of the repeats.
print_limits() {
	[ -s "$results/forecasts.jsonl" ] || return 0
	jq -rn --slurpfile runs "$results/records.jsonl" \
		--slurpfile forecasts "$results/forecasts.jsonl" '
		def median: sort | if length == 0 then null else .[length / 2 | floor] end;
		["variant", "asked", "made", "usable", "forecast", "kind"],
		($runs | map(select(.labels.phase == "fill"))
		 | group_by(.labels.variant)[]
		 | .[0].labels.variant as $v
		 | ($forecasts | map(select(.variant == $v))) as $f
		 | [$v, (.[0].labels.inodes // "-"),
		    (map(.space_before.inodes) | median),
		    (map(.outcome.done) | median),
		    ($f | map(.at // .count) | median),
		    (if ($f | all(.exact)) then "exact" else "formula" end)])
		| @tsv' | column -ts "$(printf '\t')"
}

failed_cells() {
	awk -F '\t' 'NR > 1 && $5 != "ok"' "$results/cells.tsv"
}

print_results() {
	local cell variant repeat position status reason rest
	gather_records
	if [ -s "$results/records.jsonl" ]; then
		compare "$results/records.jsonl" >"$results/table.txt" ||
			say "compare could not make $results/table.txt"
		compare --metric real --metric cpu --metric utilisation \
			--metric rate --metric p99 "$results/records.jsonl" ||
			say "compare could not print its tables"
		vm_caution
	else
		say "no cell has a record; see $results/cells.tsv"
	fi
	print_limits
	while IFS=$'\t' read -r cell variant repeat position status reason rest
	do
		use_variant "$variant" || true
		echo "did not finish: $variant_name, repeat $repeat: $status:" \
			"$reason"
	done < <(failed_cells)
	print_verdict
}

# Of caches, which layout to choose; only their ramps tell a highest rate.
print_verdict() {
	grep -q '"highest_per_s"' "$results/records.jsonl" || return 0
	[ -x /usr/bin/python3 ] || {
		say "no verdict without python3 (package python3)"
		return
	}
	echo
	BUILD=$build "$here/scripts/report" --verdict "$results" ||
		say "scripts/report --verdict $results failed"
}

# Pictures and a page of it all; without them the results are there still.
draw_results() {
	local what
	[ -s "$results/records.jsonl" ] || return 0
	if ! command -v gnuplot >/dev/null; then
		say "no pictures without gnuplot (package gnuplot-nox)"
		return
	fi
	for what in plot report; do
		BUILD=$build "$here/scripts/$what" "$results" \
			>>"$results/drawing.log" 2>&1 ||
			say "scripts/$what failed; see $results/drawing.log"
	done
	[ ! -e "$results/report.html" ] || echo "all of it: $results/report.html"
}
