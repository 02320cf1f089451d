# shellcheck shell=bash disable=SC2034,SC2154
# Reading patterns. A pattern's comments are its declaration:
#
#   # NAME - TITLE
#   # models: WHOM
#   # VARIABLE=VALUE[,VALUE...]     what it is
#   # sweep: NAME=VALUE,VALUE...    unless the user sweeps something
#   # entries: EXPRESSION           most entries there are at once; sizes images
#
# and the rest is its phases, for lab.d/cell.sh.

patterns=${BIGDIR_PATTERNS:-$here/patterns}

# find_pattern NAME: as $pattern. A name with a slash is a file of one's own.
find_pattern() {
	case $1 in
	*/*) pattern=$1 ;;
	*) pattern=$patterns/$1 ;;
	esac
	if [ ! -f "$pattern" ]; then
		die "no pattern $1 in $patterns; see: ${0##*/} --list"
	fi
	pattern_name=${pattern##*/}
	pattern_title=$(pattern_first_line "$pattern")
	pattern_models=$(sed -n '/^# models:/,/^# [^ ]*[=:]\|^[^#]/{
		/^# models: */{s///;p}
		/^#   /{s/^#  *//;p}
	}' "$pattern" | paste -sd' ')
}

pattern_first_line() {
	sed -n '1s/^# [^ ]* - //p' "$1"
}

list_patterns() {
	local file
	for file in "$patterns"/*; do
		printf '%-16s %s\n' "${file##*/}" "$(pattern_first_line "$file")"
		variables_of "$file" | sed 's/^/                   /'
	done
}

# Lines of "VARIABLE=VALUES  what it is".
variables_of() {
	sed -n 's/^# \([a-z_][a-z0-9_]*=.*\)/\1/p' "$1"
}

# declared KEY: what stands after "# KEY:".
declared() {
	sed -n "s/^# $1: *//p" "$pattern" | head -n 1
}

# Into var_names and var_values (NAME -> VALUES), in the pattern's order.
read_variables() {
	local line name
	declare -gA var_values=()
	var_names=()
	while read -r line; do
		name=${line%%=*}
		line=${line#*=}
		var_names+=("$name")
		var_values[$name]=${line%%[[:space:]]*}
	done < <(variables_of "$pattern")
}

# set_variable NAME=VALUES, from the command line.
set_variable() {
	local name=${1%%=*}
	[ "$name" != "$1" ] || die "not VAR=VALUE: $1"
	[ -n "${var_values[$name]+there}" ] ||
		die "$pattern_name has no variable $name; it has:" \
			"${var_names[*]:-none}"
	[ -n "${1#*=}" ] || die "no value: $1"
	var_values[$name]=${1#*=}
}

# 300k, 1M -> 300000, 1000000; as the tools read them.
plain_number() {
	case $1 in
	*[kK]) echo $((${1%?} * 1000)) ;;
	*M) echo $((${1%?} * 1000000)) ;;
	*G) echo $((${1%?} * 1000000000)) ;;
	*) echo "$1" ;;
	esac
}
