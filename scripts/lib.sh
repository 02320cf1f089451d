# shellcheck shell=bash disable=SC2034
# What the scripts have in common: scratch directories, loop images, cleaning
# up. Sourced; the sourcing script has set -euo pipefail.

here=$(CDPATH="" cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
build=${BUILD:-$here/build}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# A scratch directory that goes when the script ends, however it ends, with
# all that is mounted in it.
make_scratch() {
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/bigdir.XXXXXX")
	trap clean_scratch EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
}

clean_scratch() {
	local mount
	findmnt -rno TARGET 2>/dev/null | { grep -F "$scratch/" || true; } |
		sort -r |
		while read -r mount; do
			umount "$mount" || umount -l "$mount"
		done
	rm -rf --one-file-system "$scratch"
}

is_root() {
	[ "$EUID" -eq 0 ]
}

# mount_tmpfs NAME: a tmpfs at $scratch/NAME without a limit on inodes.
mount_tmpfs() {
	mkdir -p "$scratch/$1"
	mount -t tmpfs -o nr_inodes=0,size=75% bigdir "$scratch/$1"
}

# mount_ext4 NAME SIZE [MKE2FS OPTIONS]: a new ext4 at $scratch/NAME, on a
# sparse image, its inode tables written at once.
mount_ext4() {
	local name=$1 size=$2
	shift 2
	mkdir -p "$scratch/$name"
	truncate -s "$size" "$scratch/$name.img"
	mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$@" \
		"$scratch/$name.img"
	mount -o loop,noatime "$scratch/$name.img" "$scratch/$name"
}
