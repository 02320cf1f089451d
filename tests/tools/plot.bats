# scripts/plot and scripts/report: pictures and a page of what was measured.

# Records of two variants, four repeats, once for all tests.
setup_file() {
	load helpers.bash
	local n
	cd "$BATS_FILE_TMPDIR" || return 1
	mkdir d
	for n in 1 2 3 4; do
		cell 'ext4 -J size=8' "$n" 8
		cell 'ext4 -J size=200' "$n" 200
	done
	export RECORDS=$BATS_FILE_TMPDIR/records
}

# cell VARIANT REPEAT JOURNAL: create and delete, as a lab labels them
cell() {
	local options=(-q --json records --label variant="$1"
		--label repeat="$2" --label pattern=test --label journal="$3")
	mkfiles "${options[@]}" --label phase=create 3000 d
	rmfiles "${options[@]}" --label phase=delete 3000 d
}

setup() {
	load helpers.bash
	begin
	need gnuplot /usr/bin/python3
	PATH=$ROOT/scripts:$PATH
}

teardown() { clean_up; }

# variant NAME PHASE SECONDS...: records like the first, one for each time
variant() {
	head -n 1 "$RECORDS" | /usr/bin/python3 -c '
import json, sys
r = json.load(sys.stdin)
name, phase, *times = sys.argv[1:]
for n, real in enumerate(map(float, times)):
    r["labels"] = {"variant": name, "phase": phase, "repeat": str(n)}
    r["operations"][0].update(by_position={}, by_time_ns={})
    r["time"].update(real_s=real, user_s=real / 4, sys_s=0)
    r["operations"][0]["rate_per_s"] = 3000 / real
    print(json.dumps(r))' "$@"
}

# changed PYTHON [FILE]: all records, each (r) changed by a statement
changed() {
	/usr/bin/python3 -c '
import json, sys
for r in map(json.loads, open(sys.argv[2])):
    exec(sys.argv[1])
    print(json.dumps(r))' "$1" "${2:-$RECORDS}"
}

# Without timelines there are fewer pictures to wait for.
lean='r["operations"][0].update(by_position={}, by_time_ns={})
'
# texts FILE.svg: what is written in it, one text a line
texts() {
	sed -nE 's|.*<text[^>]*>(.*)</text>.*|\1|p' "$1" |
		sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
}

# pictures DIR NAME...: both files of each are there, 800 pixels wide
pictures() {
	/usr/bin/python3 - "$@" <<'END'
import sys, xml.etree.ElementTree as tree
place, *names = sys.argv[1:]
for name in names:
    svg = tree.parse(f"{place}/{name}.svg").getroot()
    assert svg.tag == "{http://www.w3.org/2000/svg}svg"
    assert svg.get("width") == "800", svg.attrib
    with open(f"{place}/{name}.png", "rb") as f:
        head = f.read(20)
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    assert int.from_bytes(head[16:], "big") == 800, head
END
}

# all pictures of RECORDS, in $DRAWN; the first test that wants them draws
drawn() {
	DRAWN=$BATS_FILE_TMPDIR/out
	[ -e "$DRAWN" ] || plot -o "$DRAWN" "$RECORDS"
}

# page FILE: it is HTML whose elements are closed in turn, and takes nothing
# from elsewhere. Prints its text.
page() {
	/usr/bin/python3 - "$1" <<'END'
import html.parser, sys
EMPTY = {"meta", "img", "br", "link"}

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.words = [], set(), []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert len(given) == len(attributes), (tag, attributes)
        assert tag not in ("script", "link", "iframe", "object"), tag
        assert not any(key.startswith("on") for key in given), attributes
        for key in ("src", "href"):
            assert given.get(key, "data:image/").startswith(
                "data:image/"), given
        assert tag != "img" or given["alt"]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(" ".join(data.split()))
        else:
            assert "url(" not in data and "@import" not in data

text = open(sys.argv[1], encoding="utf-8").read()
assert text.startswith("<!DOCTYPE html>")
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
print("\n".join(w for w in page.words if w))
END
}

@test "every picture that records have, as PNG and SVG" {
	ends 0 drawn
	[ -z "$stderr" ]
	drawn
	pictures "$DRAWN" times sweep-journal rate-create rate-delete \
		latency-create latency-delete heat-create heat-delete
	[ "$(find "$DRAWN" -type f | sort)" = "$(sort <<<"$output")" ]
	[ "$(wc -l <<<"$output")" = 16 ]
}

@test "more curves than a panel holds: none is left out" {
	local n
	for n in 0 1 2 3 4 5 6 7 8 9; do
		variant "line$n jobs=1" create 4 4
		variant "line$n jobs=2" create 3 3
	done | changed 'r["labels"]["jobs"] = r["labels"]["variant"][-1]' \
		/dev/stdin >r
	ends 0 plot -k sweep -k speedup -o p r
	for n in sweep-jobs speedup; do
		[ "$(cat p/$n*.svg | grep -o 'line[0-9]' | sort -u | wc -l)" = 10 ]
	done
}

@test "speed-up by several workers, by compare's ratios" {
	{
		variant 'xfs jobs=1' create 3 3 3 3
		variant 'xfs jobs=2' create 1 1 1 1
	} | /usr/bin/python3 -c '
import json, sys
for r in map(json.loads, sys.stdin):
    r["labels"]["jobs"] = r["labels"]["variant"][-1]
    print(json.dumps(r))' >r
	ends 0 plot -k speedup -k sweep -o out r
	pictures out speedup sweep-jobs
	contains '^xfs$' "$(texts out/speedup.svg)"
	contains '^times as fast$' "$(texts out/speedup.svg)"
	contains '^workers$' "$(texts out/speedup.svg)"
	contains '^3$' "$(texts out/speedup.svg)"
}

@test "a title, axes with units, and the variant's name on its line" {
	drawn
	output=$(texts "$DRAWN/rate-create.svg")
	contains '^test: rate of create against directory size$' "$output"
	contains '^Linux .* memory. 4 runs each, median' "$output"
	contains '^operations per second$' "$output"
	contains '^entries in the directory, of this run$' "$output"
	contains '^A  ext4 -J size=8$' "$output"
	contains '^B  ext4 -J size=200$' "$output"
	output=$(texts "$DRAWN/rate-delete.svg")
	contains '^entries left in the directory' "$output"
	output=$(texts "$DRAWN/latency-create.svg")
	contains '^[0-9]+ .s$' "$output"
	contains '^p99$' "$output"
}

@test "the rule for the journal, where it lies and how it comes about" {
	changed "$lean"'
r["space_after"]["directory_bytes"] = 1 << 20
r["file_system"]["ext"] = {"inode_size": 1024, "journal_bytes": 8 << 20}
r["outcome"]["done"] = 3 << 10' >r
	ends 0 plot -k sweep -o out r
	contains '^rule: 4 × \(directory 1 MiB \+ inode table 3 MiB\) = 16 MiB$' \
		"$(texts out/sweep-journal.svg)"
	contains '^journal size, MiB$' "$(texts out/sweep-journal.svg)"
	contains '^200$' "$(texts out/sweep-journal.svg)"
	ends 0 report r
	contains 'rule of thumb for the journal: .* = 16 MiB' "$(page report.html)"
}

@test "numbers are in a matrix's cells, bars have theirs beside them" {
	{
		variant one create 0.5
		variant two create 2
	} | /usr/bin/python3 -c '
import json, sys
for n, r in enumerate(map(json.loads, sys.stdin)):
    r["labels"].update(create=("x", "y")[n], delete=("v", "w")[n])
    print(json.dumps(r))' >r
	ends 0 plot -k matrix -k times -o out r
	contains '^6k/s$' "$(texts out/matrix-create-delete.svg)"
	contains '^1.5k/s$' "$(texts out/matrix-create-delete.svg)"
	contains '^none$' "$(texts out/matrix-create-delete.svg)"
	contains '^500 ms, CPU 125 ms$' "$(texts out/times.svg)"
	contains '^2 s, CPU 500 ms$' "$(texts out/times.svg)"
}

@test "names are drawn and written as they are, whatever they hold" {
	export EVIL="<script>x</script> 'q' \"d\" \`touch pwned\` %s @x 1\\n{/b} ^a_b"
	changed 'import os
r["labels"]["variant"] += os.environ["EVIL"] + "\né\033[1m"
r["labels"]["phase"] = "../" + r["labels"]["phase"] + "%d<b>(2)"
r["labels"]["pattern"] = "a\x27b"' >r
	ends 0 plot -k times -o out r
	pictures out times
	contains "^a'b: time for each phase$" "$(texts out/times.svg)"
	contains '^\.\./create%d<b>\(2\)$' "$(texts out/times.svg)"
	grep -qF "A  ext4 -J size=8$EVIL é�[1m" <(texts out/times.svg)
	ends 0 plot -k rate -o out r
	pictures out rate-create-d-b-2
	changed "$lean" r >lean
	ends 0 report lean
	page report.html >text
	grep -qF "A (ext4 -J size=8$EVIL é�[1m)" text
	[ ! -e pwned ]
}

@test "a page: what is faster only where a test says so" {
	{
		variant a create 2.00 2.02 2.04 2.06 2.08
		variant b create 1.00 1.02 1.04 1.06 1.08
		variant c create 2.01 2.03 2.05 2.07 2.09
		variant d create 1.00 1.02
	} >r
	ends 0 report r
	output=$(page report.html)
	contains '^A \(a\): 1.47k/s \(median of 5 runs' "$output"
	contains '^B \(b\) was 2.0 times as fast as A \(a\): .*p = 0.0079' "$output"
	contains '^C \(c\): no difference from A that is larger' "$output"
	contains '^D \(d\): too few runs' "$output"
	contains_not '[CD] \([cd]\) was' "$output"
	contains '^CPU time: A .*; B \(b\) 260 ms, 0.51 of that' "$output"
}

@test "a results directory: pictures, page, cells that did not finish" {
	mkdir R
	changed "$lean" >R/records.jsonl
	printf '%s\n' 'command=scripts/lab test --repeats 4' pattern=test \
		'title=a <test>' vm=tcg sweeps=journal >R/lab
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' number name fs mkfs mount vars \
		1 'ext4 -J size=8' ext4 '-J size=8' noatime journal=8 \
		2 'ext4 -J size=200' ext4 '-J size=200' '' journal=200 \
		3 'zfs' zfs '' '' '' >R/variants.tsv
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' \
		cell variant repeat position status reason seconds overhead \
		1-1 1 1 1 ok '' 3 1  3-1 3 1 2 unmade 'no <mkfs.zfs>' 0 0 \
		>R/cells.tsv
	ends 0 plot -k sweep R
	pictures R/plots sweep-journal
	[ ! -e R/plots/sweep-jobs.svg ]
	ends 0 report R
	[ "$output" = R/report.html ]
	output=$(page R/report.html)
	contains '^test: a <test>$' "$output"
	contains '^scripts/lab test --repeats 4$' "$output"
	contains '^no <mkfs.zfs>$' "$output"
	contains '^1 of 2 cells did not finish' "$output"
	contains 'emulated: read ratios' "$output"
	contains '^mkfs.ext4 -J size=8; mount -o noatime; journal=8$' "$output"
	contains '^mkfiles 3000 d *# create' "$output"
	[ "$(grep -c '<img src="data:image/' R/report.html)" = 2 ]
}

@test "all cells failed: a page that says so, no picture" {
	mkdir R
	: >R/records.jsonl
	printf 'cell\tvariant\trepeat\tstatus\treason\n1-1\t1\t1\tfailed\tx\n' \
		>R/cells.tsv
	ends 0 report R
	contains '^1 of 1 cells did not finish' "$(page R/report.html)"
	ends 1 plot R
	contains 'R: there is nothing to draw' "$stderr"
	[ ! -e R/plots ]
}

@test "lines that cannot be used are named, the rest is drawn" {
	{
		echo '{"broken'
		cat "$RECORDS"
		echo '{"schema":"bigdir-record","schema_version":2}'
		echo '{"schema":"bigdir-record","schema_version":1}'
	} >r
	: >empty
	ends 0 plot -k times -o out r empty absent
	pictures out times
	contains '^plot: r:1: no JSON' "$stderr"
	contains '^plot: r:18: a record of schema version 2' "$stderr"
	contains '^plot: r:19: a record without labels' "$stderr"
	contains '^plot: empty: empty' "$stderr"
	contains '^plot: absent: No such file' "$stderr"
}

@test "timelines that make no sense are left out" {
	changed 'r["operations"][0]["by_position"]["count"] = ["x"]' >r
	ends 1 plot -k rate -k latency -k heat -o out r
	contains 'no heat: ' "$stderr"
	contains 'r: there is nothing to draw' "$stderr"
	changed 'del r["operations"][0]["by_position"]["bucket_count"]' >r
	ends 1 plot -k heat -o out r
	ends 0 plot -k latency -o out r
	pictures out latency-create
}

@test "a run whose time was up has curves, and is in no figure" {
	changed 'r["outcome"]["end"] = "time-limit"' >r
	ends 0 plot -k times -k rate -o out r
	pictures out rate-create rate-delete
	contains 'ended when their time was up' "$(texts out/rate-create.svg)"
	[ ! -e out/times.svg ]
}

@test "nothing to draw, nothing to draw with, nowhere to put it" {
	: >empty
	ends 1 plot empty
	contains 'no record that can be used; tools write them' "$stderr"
	ends 1 report empty
	contains 'no record that can be used; tools write them' "$stderr"
	ends 1 plot -k times -o /dev/null/x "$RECORDS"
	contains '^plot: /dev/null.*: Not a directory' "$stderr"
	ends 1 report -o absent/r.html "$RECORDS"
	contains '^report: absent/r.html.*: No such file' "$stderr"
	ends 1 env PATH=/absent BUILD="${BUILD:-$ROOT/build}" \
		"$ROOT/scripts/plot" "$RECORDS"
	contains 'gnuplot is not installed.*apt-get install gnuplot' "$stderr"
	ends 0 env PATH=/absent BUILD="${BUILD:-$ROOT/build}" \
		"$ROOT/scripts/report" "$RECORDS"
	contains 'without pictures' "$stderr"
	contains 'There are no pictures: gnuplot is not installed' \
		"$(page report.html)"
}

@test "help fits 80 columns; usage errors are one line" {
	local tool
	for tool in plot report; do
		ends 0 $tool --help
		contains "^usage: scripts/$tool" "$output"
		[ -z "$(awk 'length > 80' <<<"$output")" ]
		refused 'name a results directory' $tool
		refused 'option --nothing not recognized' $tool --nothing x
	done
	refused 'no kind of picture is called .x.; there are .*times' plot -k x r
}
