# The man pages tell the same options as --help, and can be read.

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BIN=${BUILD:-$ROOT/build}
TOOLS="mkfiles rmfiles randfiles renamer statfiles churn timed compare"

# Long options that --help lists, and those that have an entry in the page.
helped() {
	"$BIN/$1" --help | sed -n 's/^ *\(-., \)\? *--\([a-z-]*\).*/\2/p' | sort
}

paged() {
	sed -n 's/^\.It Fl \(. , Fl \)\?\\-\([a-z-]*\).*/\2/p' \
		"$ROOT/bin/$1.1" | sort
}

@test "pages: every option of --help is told, and no other" {
	local tool
	for tool in $TOOLS; do
		[ "$(helped "$tool" | wc -l)" -ge 7 ]
		diff <(helped "$tool") <(paged "$tool") ||
			{ echo "--help and page of $tool differ"; return 1; }
	done
}

@test "pages: the examples are those of --help" {
	local tool line
	for tool in $TOOLS; do
		"$BIN/$tool" --help | sed -n '/^Examples:/,/^$/s/^  //p' |
			while IFS= read -r line; do
				grep -qxF -e "$line" "$ROOT/bin/$tool.1" ||
					{ echo "not in $tool.1: $line"; exit 1; }
			done
	done
}

@test "pages: mandoc finds nothing to warn of" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	run mandoc -T lint -W warning "$ROOT"/bin/*.[17]
	[ "$status" -eq 0 ] || { echo "$output"; return 1; }
	[ -z "$output" ]
}

@test "pages: shown from the build directory, in 80 columns" {
	local page wide
	command -v man >/dev/null || skip "man is not installed"
	for page in $TOOLS; do
		[ -e "$BIN/$page.1" ]
	done
	for page in "$BIN"/*.[17]; do
		run env LC_ALL=C MANWIDTH=80 man -P cat "$page"
		[ "$status" -eq 0 ]
		[ "${#lines[@]}" -gt 50 ]
		wide=$(col -bx <<<"$output" | awk 'length > 80')
		[ -z "$wide" ] || { echo "$page: $wide"; return 1; }
	done
}

@test "install: tools, pages and schemas below DESTDIR and PREFIX" {
	local place tool
	place=$(mktemp -d "${TMPDIR:-/tmp}/bigdir-install.XXXXXX")
	make -s -C "$ROOT" BUILD="$BIN" PREFIX=/opt/bigdir DESTDIR="$place" \
		install >"$place/log" 2>&1 ||
		{ cat "$place/log"; rm -r "$place"; return 1; }
	cd "$place/opt/bigdir"
	for tool in $TOOLS; do
		[ -x "bin/$tool" ]
		[ -s "share/man/man1/$tool.1" ]
	done
	[ -s share/man/man7/bigdir.7 ]
	[ -s share/bigdir/record.schema.json ]
	[ -s share/bigdir/forecast.schema.json ]
	cd /
	rm -r "$place"
}
