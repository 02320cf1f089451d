# shellcheck shell=bash disable=SC2034,SC2154
# Variants: every file system, times every value of every sweep, times every
# value of every variable. A variant is one element of variants, fields between
# tabs: name, file system, settings (NAME=VALUE between spaces; all of them).

# split_spec SPEC: 'ext4 -J size=8 : noatime' into type, mkfs_options (array),
# mount_options.
split_spec() {
	local words
	mount_options=''
	case $1 in
	*' : '*) mount_options=${1##* : } ;;
	esac
	read -ra words <<<"${1%% : *}"
	type=${words[0]:-}
	mkfs_options=("${words[@]:1}")
	mount_options=${mount_options//[[:space:]]/}
}

check_spec() {
	split_spec "$1"
	case $type in
	'' | *[!A-Za-z0-9_.]*)
		die "--fs: not 'TYPE [MKFS OPTIONS] [ : MOUNT OPTIONS]': $1" ;;
	esac
}

# multiply NAME VALUES: each variant so far, once for each of VALUES. Only what
# has several values is part of a variant's name.
multiply() {
	local name=$1 value variant title rest values result=()
	IFS=, read -ra values <<<"$2"
	[ ${#values[@]} -le 1 ] || swept+=("$name")
	for variant in "${variants[@]}"; do
		title=${variant%%$'\t'*} rest=${variant#*$'\t'}
		for value in "${values[@]}"; do
			[ ${#values[@]} -le 1 ] ||
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
		multiply "${sweep%%=*}" "${sweep#*=}"
	done
	for name in "${var_names[@]}"; do
		multiply "$name" "${var_values[$name]}"
	done
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
	if [ -n "$image_size" ]; then
		size=$image_size
		return
	fi
	expression=$(declared entries)
	for setting in "${settings[@]}"; do
		[[ ${setting#*=} =~ ^[0-9]+[kKMG]?$ ]] || continue
		local "${setting%%=*}=$(plain_number "${setting#*=}")"
	done
	entries=$((expression))
	size=$((entries * 20480))
	[ "$size" -ge $((4 << 30)) ] || size=$((4 << 30))
}
