# shellcheck shell=bash disable=SC2154
# The table of a race, from the records in $results: each peer against ours and
# the bare loop with the same names, file system and number of workers. Who is
# faster is told by compare, never by the medians alone.

# The records of a race; of one that was stopped, what there is.
records() {
	if [ -f "$results/records.jsonl" ]; then
		cat "$results/records.jsonl"
	else
		find "$results/cells" -name records.jsonl -exec cat {} +
	fi
}

# group_records FS NAMES WORKERS: those of one group.
group_records() {
	jq -c --arg fs "$1" --arg names "$2" --arg workers "$3" '
		select(.labels.phase != "whole" and
			(.labels.variant | split(" ")[0]) == $fs and
			(.labels.entry | split("/")) as [$n, $r, $w]
			| $n == $names and $w == $workers)' "$all"
}

# Lines: FS NAMES WORKERS PEER, in the order of the lab.
groups() {
	jq -r '.labels as $l | $l | (.variant | split(" ")[0]) as $fs
		| (.entry | split("/")) as [$names, $runner, $workers]
		| select($runner != "ours" and $runner != "bare" and
			$l.phase != "whole")
		| "\($fs) \($names) \($workers) \($runner)"' "$all" | awk '!seen[$0]++' | sort -s -k1,1 -k3,3
}

# compared ENTRY: tab-separated lines "phase runner metric median ratio verdict",
# ratios being to ENTRY.
compared() {
	compare --by entry --baseline "entry=$1" --format csv --metric rate \
		--metric cpu --metric memory "$group" |
		tr -d '"' | awk -F, -v OFS='\t' 'NR > 1 && $8 != "" {
			n = split($6, e, /[\/=]/)
			print $1, e[n - 1], $3, $8, $13, $17 }'
}

# A line for each operation that the peer can do, after a number to sort it by.
group_lines() {
	local peer=$1 count
	count=$(jq -rs '.[0].labels.count' "$group")
	{
		compared "$names/$peer/$workers" | sed 's/^/peer\t/'
		compared "$names/bare/$workers" | sed 's/^/bare\t/'
	} | awk -F '\t' -v peer="$peer" -v count="$count" '
		function verdict(phase, to,   word, by) {
			word = said[to, phase]
			by = ratio[to, phase]
			if (word == "significant")
				return by > 1 ? "faster" : "SLOWER"
			return word == "too few" ? "?" : "~"
		}
		{
			value[$2, $3, $4] = $5
			if ($3 == "ours" && $4 == "rate") {
				ratio[$1, $2] = $6
				said[$1, $2] = $7
			}
		}
		function per(phase, who) {
			if (who == "bonnie")
				return "-"
			return sprintf("%.1f", value[phase, who, "cpu"] / count * 1e6)
		}
		function mib(phase, who) {
			if (who == "bonnie")
				return "-"
			return sprintf("%.0f", value[phase, who, "memory"] / 1048576)
		}
		function row(p) {
			printf "%d %-7s%-11s%8.0f%8.0f%8.0f%6.2f %-6s%6.2f %-6s%5s%5s%5s%5s\n",
				i, p, peer, value[p, peer, "rate"],
				value[p, "bare", "rate"], value[p, "ours", "rate"],
				ratio["peer", p], verdict(p, "peer"),
				ratio["bare", p], verdict(p, "bare"),
				per(p, peer), per(p, "ours"), mib(p, peer),
				mib(p, "ours")
		}
		END {
			phases = split("create stat rename delete", order, " ")
			for (i = 1; i <= phases; i++)
				if ((order[i], peer, "rate") in value &&
				    (order[i], "ours", "rate") in value &&
				    (order[i], "bare", "rate") in value)
					row(order[i])
		}'
}

print_table() {
	local fs names workers peer head='' group lines all every sums=()
	group=$(mktemp -d "${TMPDIR:-/tmp}/bigdir-race.XXXXXX")
	# expanded now, as it is local
	# shellcheck disable=SC2064
	trap "rm -rf '$group'" EXIT
	lines=$group/lines all=$group/all every=$group/every
	group=$group/records
	: >"$lines"
	: >"$every"
	records >"$all"
	[ -s "$all" ] || die "$results holds no records"
	while read -r fs names workers peer; do
		if [ "$head" != "$fs $workers" ]; then
			print_lines
			sums+=("$fs $workers")
			head="$fs $workers"
			print_head
		fi
		group_records "$fs" "$names" "$workers" >"$group"
		group_lines "$peer" | tee -a "$lines" |
			sed "s/^/$fs $workers /" >>"$every"
	done < <(groups)
	print_lines
	print_summary
	print_failed
	print_silent
	rm -rf "${group%/*}"
	print_key
}

# By operation, then peers as they came.
print_lines() {
	sort -s -k1,1n "$lines" | sed 's/^[0-9]* //'
	: >"$lines"
}

# What the tables come to: of each operation, ours by the peer that came closest,
# and by the bare loop with the names of that one.
print_summary() {
	local sum
	printf '\nours by the closest peer, and by the bare loop\n'
	printf '%-18s%15s%15s%15s%15s\n' '' create stat rename delete
	for sum in "${sums[@]}"; do
		awk -v sum="$sum" '
			BEGIN { split(sum, s); split("create stat rename delete", o) }
			$1 == s[1] && $2 == s[2] {
				if (!($4 in peer) || $9 < peer[$4]) {
					peer[$4] = $9
					bare[$4] = $11
				}
			}
			END {
				printf "%-8s%-10s", s[1], s[2] " worker" \
					(s[2] > 1 ? "s" : "")
				for (i = 1; i <= 4; i++)
					if (o[i] in peer)
						printf "%9.2f%6.2f", peer[o[i]],
							bare[o[i]]
					else
						printf "%15s", "-"
				printf "\n"
			}' "$every"
	done
}

print_head() {
	printf '\n%s, %s\n' "$fs" \
		"$([ "$workers" = 1 ] && echo one worker || echo "$workers workers")"
	printf '%-18s%24s%13s%13s%10s%10s\n' '' 'files per s' \
		'ours to peer' 'ours to bare' 'us CPU' 'MiB'
	printf '%-18s%8s%8s%8s%26s%5s%5s%5s%5s\n' 'what   peer' peer bare ours \
		'' peer ours peer ours
}

# Entries that did not come to their end are no reason to hide the others.
print_failed() {
	[ -f "$results/cells.tsv" ] || return 0
	awk -F '\t' 'NR > 1 && $5 != "ok" {
		print "did not finish: variant " $2 ", round " $3 ": " $6 }' \
		"$results/cells.tsv"
}

# Those that ran, and gave no figure of what they did.
print_silent() {
	jq -rs '
		def ran: (.variant | split(" ")[0]) + " " + .entry;
		map(.labels) | (map(select(.phase != "whole") | ran) | unique) as $told
		| map(ran) | unique - $told | map(sub("/[^/]*/"; " ")) | .[]' "$all" |
		awk '{ print "no figures: " $2 " on " $1 ", workers: " $3 }
		END { if (NR)
			print "(bonnie++ gives none of what takes less than half a second)" }'
}

print_key() {
	cat <<'END'

Rates are medians; a peer's is by its own figures, from its first file to its
last. faster, SLOWER: ours, p < 0.05 by the Mann-Whitney test; ~ may be chance;
? too few rounds to tell. CPU per file, user and system, of the whole program,
its start included; of bonnie++ the operations cannot be told apart. MiB: most
memory of the program; 3 is the least that can be seen from outside. bonnie++
syncs all file systems of the machine within what it times.
END
}

# Why these are not raced, though Debian has them.
print_left_out() {
	cat <<'END'
stress-ng is not raced: none of its stressors does one of these operations for a
number of files and gives a rate of it; its "bogo operations" of dentry, dir,
dirmany and touch are creations and deletions together, those of rename are of
one file, and what it calls a file creation includes other calls.
sysbench is not raced: its fileio makes no empty files.
END
}
