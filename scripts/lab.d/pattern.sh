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
		[ "$pattern" != "$1" ] || bad_usage "no pattern in $1: no such file"
		bad_usage "no pattern $1 in $patterns; see: ${0##*/} --list"
	fi
	! grep -q $'\r' "$pattern" ||
		bad_usage "$pattern has carriage returns at the ends of its lines"
	pattern_name=${pattern##*/}
	pattern_title=$(pattern_first_line "$pattern")
	pattern_entries=$(declared entries)
}

# Whom the pattern models, on one line.
pattern_models() {
	sed -n '/^# models:/,/^# [^ ]*[=:]\|^[^#]/{
		/^# models: */{s///;p}
		/^#   /{s/^#  *//;p}
	}' "$pattern" | paste -sd' '
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

# Lines of "VARIABLE=VALUES  what it is", from the comments at its beginning.
variables_of() {
	sed -n '/^#/!q;s/^# \([a-z_][a-z0-9_]*=.*\)/\1/p' "$1"
}

# declared KEY: what stands after "# KEY:".
declared() {
	sed -n "/^#/!q;/^# $1: */{s///p;q}" "$pattern"
}

# Into var_names and var_values (NAME -> VALUES), in the pattern's order.
read_variables() {
	local line name
	declare -gA var_values=()
	var_names=()
	while read -r line; do
		name=${line%%=*}
		line=${line#*=}
		case $name in
		variant | pattern | phase | repeat | cache | mem | disk | vm | export)
			die "$pattern: $name is a label of the lab; call the" \
				"variable otherwise" ;;
		esac
		var_names+=("$name")
		var_values[$name]=${line%%[[:space:]]*}
	done < <(variables_of "$pattern")
}

# set_variable NAME=VALUES, from the command line.
set_variable() {
	local name=${1%%=*}
	[ "$name" != "$1" ] || bad_usage "not VAR=VALUE: $1"
	[ -n "${var_values[$name]+there}" ] ||
		bad_usage "$pattern_name has no variable $name; it has:" \
			"${var_names[*]:-none}"
	check_values "$1"
	var_values[$name]=${1#*=}
}

# check_values NAME=VALUE,VALUE...
check_values() {
	case ,${1#*=}, in
	*,,*) bad_usage "an empty value: $1" ;;
	*[[:space:]]*) bad_usage "no blanks in values: $1" ;;
	esac
}

# 300k, 1M -> 300000, 1000000; as the tools read them.
plain_number() {
	case $1 in
	*[kK]) echo $((10#${1%?} * 1000)) ;;
	*M) echo $((10#${1%?} * 1000000)) ;;
	*G) echo $((10#${1%?} * 1000000000)) ;;
	*) echo $((10#$1)) ;;
	esac
}
