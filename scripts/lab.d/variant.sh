# shellcheck shell=bash disable=SC2034,SC2154
# Variants: every file system, times every value of every sweep, times every
# value of every variable. A variant is one element of variants, fields between
# tabs: name, file system, settings (NAME=VALUE between spaces; all of them).

# split_spec SPEC: 'ext4 -J size=8 : noatime' into type, disk_type (what is made
# on the disk), mkfs_options (array), mount_options.
split_spec() {
	local words spec=$1' '
	read -ra words <<<"${spec%% : *}"
	type=${words[0]:-} disk_type=${words[0]:-}
	[ "$type" != nfs ] || disk_type=ext4
	mkfs_options=("${words[@]:1}")
	mount_options=''
	case $spec in
	*' : '*) read -r mount_options <<<"${spec##* : }" ;;
	esac
}

check_spec() {
	case $1 in
	*[$'\n\t"\\\'']*)
		bad_usage "--fs: no quotes, tabs or newlines; an option cannot hold" \
			"blanks: $1" ;;
	*' : '*' : '*) bad_usage "--fs: one colon, before the mount options: $1" ;;
	esac
	split_spec "$1"
	case $type in
	'' | *[!A-Za-z0-9_.]*)
		bad_usage "--fs: not 'TYPE [MKFS OPTIONS] [ : MOUNT OPTIONS]': $1" ;;
	esac
	case $mount_options in
	*' '*) bad_usage "--fs: commas, no blanks, between mount options: $1" ;;
	esac
}

# multiply NAME VALUES [named]: each variant so far, once for each of VALUES.
# Of a pattern's variables only those with several are part of a variant's name.
multiply() {
	local name=$1 value variant title rest values named=${3:-} result=()
	IFS=, read -ra values <<<"$2"
	[ ${#values[@]} -le 1 ] || named=named
	[ ${#values[@]} -le 1 ] || swept+=("$name")
	for variant in "${variants[@]}"; do
		title=${variant%%$'\t'*} rest=${variant#*$'\t'}
		for value in "${values[@]}"; do
			[ -z "$named" ] ||
				title="${variant%%$'\t'*} $name=$value"
			result+=("$title"$'\t'"$rest $name=$value")
		done
	done
	variants=("${result[@]}")
}

make_variants() {
	local spec sweep name
	variants=() swept=()
	for spec in "${specs[@]}"; do
		variants+=("$spec"$'\t'"$spec"$'\t')
	done
	for sweep in "${sweeps[@]}"; do
		multiply "${sweep%%=*}" "${sweep#*=}" named
	done
	for name in "${var_names[@]}"; do
		multiply "$name" "${var_values[$name]}"
	done
	refuse_twice
}

refuse_twice() {
	local twice
	twice=$(printf '%s\n' "${variants[@]%%$'\t'*}" | sort | uniq -d |
		head -n 1)
	[ -z "$twice" ] || bad_usage "twice the same: $twice"
}

# use_variant NUMBER: its parts as variant_name, type, mkfs_options,
# mount_options, settings (array). False, with the reason in $unmade: it asks for
# what its type does not have.
use_variant() {
	local fields setting
	unmade=''
	IFS=$'\t' read -r variant_name fields setting \
		<<<"${variants[$1 - 1]}"
	split_spec "$fields"
	read -ra settings <<<"$setting"
	for setting in "${settings[@]}"; do
		is_sweep "${setting%%=*}" || continue
		apply_sweep "${setting%%=*}" "${setting#*=}" || return
	done
}

is_sweep() {
	local sweep
	for sweep in "${sweeps[@]}"; do
		[ "${sweep%%=*}" != "$1" ] || return 0
	done
	return 1
}

# Those settings of the variant in use that tell it from others.
swept_settings() {
	local name setting result=()
	for name in "${swept[@]}"; do
		for setting in "${settings[@]}"; do
			[ "${setting%%=*}" != "$name" ] || result+=("$setting")
		done
	done
	echo "${result[*]}"
}

# The size of the variant's image: what was asked for, or so much that a file
# system made with the defaults of mke2fs, an inode for 16 KiB, has a quarter
# more inodes than the pattern says it needs; 4 GiB at least.
image_size() {
	local expression setting entries
	local -A of
	if [ -n "$image_size" ]; then
		size=$image_size
		return
	fi
	for setting in "${settings[@]}"; do
		[[ ${setting#*=} =~ ^[0-9]{1,12}[kKMG]?$ ]] || continue
		of[${setting%%=*}]=$(plain_number "${setting#*=}")
	done
	expression=$(sed -E 's/[a-z_][a-z0-9_]*/of[&]/g' <<<"$pattern_entries")
	entries=$(reckon "${expression:-0}" 2>/dev/null) || {
		unmade="the pattern's entries cannot be reckoned: $pattern_entries"
		return 1
	}
	size=$((entries * 20480))
	[ "$size" -ge $((4 << 30)) ] || size=$((4 << 30))
}

# In a subshell, as bash ends the shell for what is no arithmetic. What is not
# set counts as 0.
reckon() (
	[[ $1 =~ ^[][a-z0-9_+*/()\ -]*$ ]] || exit
	echo "$(($1))"
)
