# shellcheck shell=bash
# The kernel of the lab's virtual machine: from a package of Debian, unpacked
# into a cache and never installed. Sourced, after packages.sh.
#
# The cache, ~/.cache/bigdir, holds one kernel, in a directory by the name and
# version of its package:
#   boot/linux, lib/modules/RELEASE, sha256sums of all these, and parts, which
#   says what was unpacked

vm_cache=${XDG_CACHE_HOME:-$HOME/.cache}/bigdir
vm_kernel=  # its directory
vm_release= # its name for itself, as uname -r prints it

# The parts of the package that a file system may need, on a virtual disk or
# served over loopback.
vm_kernel_parts=(
	'./boot/vmlinuz-*'
	'./lib/modules/*/modules.*'
	'./lib/modules/*/kernel/'{arch,crypto,fs,lib}'/*'
	'./lib/modules/*/kernel/drivers/'{block,dax,nvdimm,virtio}'/*'
	'./lib/modules/*/kernel/net/'{dns_resolver,sunrpc}'/*'
)

# The newest kernel that apt knows of, as PACKAGE=VERSION.
vm_newest_kernel() {
	local package
	package=$(apt-cache depends linux-image-amd64 2>/dev/null |
		awk '$1 == "Depends:" && $2 ~ /^linux-image-[0-9]/ { print $2 }')
	[ -n "$package" ] || return 1
	apt-cache show --no-all-versions "$package" | awk -v package="$package" \
		'$1 == "Version:" { print package "=" $2 }'
}

# Is this directory of the cache whole, with all the parts?
vm_kernel_is_sound() {
	[ -f "$1/sha256sums" ] &&
		printf '%s\n' "${vm_kernel_parts[@]}" | cmp -s - "$1/parts" &&
		(cd "$1" && sha256sum --quiet --status -c sha256sums)
}

vm_use_kernel() {
	vm_kernel=$1
	vm_release=$(basename "$1"/lib/modules/*)
}

# vm_find_kernel: use what the cache has; downloads nothing.
vm_find_kernel() {
	local dir
	for dir in "$vm_cache"/linux-image-*; do
		if vm_kernel_is_sound "$dir"; then
			vm_use_kernel "$dir"
			return 0
		fi
	done
	return 1
}

# vm_get_kernel: the newest kernel, from the cache or downloaded into it; where
# that cannot be had, an older one of the cache.
vm_get_kernel() {
	local lock wanted
	mkdir -p "$vm_cache" || return 1
	exec {lock}>"$vm_cache/lock"
	flock "$lock"
	rm -rf "$vm_cache"/new.* # a download that was cut short
	wanted=$(vm_newest_kernel) || {
		can_install && apt-get -q update >&2 </dev/null
		wanted=$(vm_newest_kernel) || wanted=
	}
	if [ -n "$wanted" ] && vm_kernel_is_sound "$vm_cache/${wanted/=/_}"; then
		vm_use_kernel "$vm_cache/${wanted/=/_}"
	elif [ -n "$wanted" ] && vm_download_kernel "$wanted"; then
		vm_drop_other_kernels "$vm_cache/${wanted/=/_}"
		vm_use_kernel "$vm_cache/${wanted/=/_}"
	elif vm_find_kernel; then
		echo "the newest kernel cannot be had; using $vm_release" >&2
	else
		vm_no_kernel "$wanted"
	fi
	exec {lock}>&-
	[ -n "$vm_kernel" ]
}

vm_no_kernel() {
	if [ -n "$1" ]; then
		echo "cannot download the kernel ${1%%=*}; try: apt-get update"
	else
		echo "apt knows no package linux-image-amd64: the virtual machine" \
			"takes Debian on x86-64, and lists that apt-get update fetched"
	fi >&2
}

# It gets its name in the cache when it is whole.
vm_download_kernel() {
	local work ok=1 place=$vm_cache/${1/=/_}
	work=$(mktemp -d "$vm_cache/new.XXXXXX") || return 1
	echo "downloading ${1%%=*}" >&2
	if vm_fetch_package "$work" "$1" && vm_unpack_kernel "$work"; then
		rm -rf "$place"
		mv "$work/kernel" "$place" && ok=0
	fi
	rm -rf "$work"
	return $ok
}

# apt checks what it downloads. As root it would do so as a user of its own, who
# may not write here.
vm_fetch_package() (
	cd "$1" || exit 1
	fetch() {
		apt-get -q -o APT::Sandbox::User=root download "$1" >&2 </dev/null
	}
	fetch "$2" && exit 0
	# the lists may be older than what the server has
	can_install && apt-get -q update >&2 </dev/null && fetch "${2%%=*}"
)

vm_unpack_kernel() (
	set -o pipefail
	mkdir "$1/kernel" && cd "$1/kernel" || exit 1
	dpkg-deb --fsys-tarfile "$1"/*.deb |
		tar x --wildcards "${vm_kernel_parts[@]}" || exit 1
	depmod -b . "$(basename lib/modules/*)" 2>/dev/null || exit 1
	mv boot/vmlinuz-* boot/linux || exit 1
	# what unpacks itself does so slowly under emulation
	if vm_unpack_vmlinux boot/linux >vmlinux; then
		mv vmlinux boot/linux
	else
		rm vmlinux
	fi
	printf '%s\n' "${vm_kernel_parts[@]}" >parts || exit 1
	find boot lib -type f -exec sha256sum {} + >sha256sums
)

# vm_unpack_vmlinux FILE: the ELF file inside a bzImage. The boot protocol's
# header says where it is: setup sectors at 0x1f1, its offset and length, with
# four bytes that tell its size, at 0x248 and 0x24c.
vm_unpack_vmlinux() (
	set -o pipefail
	number() { od -An -v -t "u$2" -j "$1" -N "$2" "$file" | tr -d ' '; }
	file=$1
	from=$((($(number 0x1f1 1) + 1) * 512 + $(number 0x248 4)))
	case $(od -An -v -t x1 -j $from -N 4 "$file") in
	' fd 37 7a 58') unpack='xz -dc' ;;
	' 28 b5 2f fd') unpack='zstd -dc' ;;
	' 1f 8b 08'*) unpack='gzip -dc' ;;
	*) exit 1 ;;
	esac
	head -c $((from + $(number 0x24c 4) - 4)) "$file" |
		tail -c +$((from + 1)) | $unpack
)

vm_drop_other_kernels() {
	local dir
	for dir in "$vm_cache"/linux-image-*; do
		[ "$dir" = "$1" ] || rm -rf "$dir"
	done
}

# vm_copy_modules DIR WHAT...: these modules and those they need, unpacked, to
# DIR/modules. WHAT is a module or fs-TYPE, and DIR/modules/WHAT lists what is
# to be loaded for it, in that order. What the kernel has not as a module may be
# built in, or not be at all: mounting will tell. NFS takes a client and a server.
vm_copy_modules() {
	local to=$1/modules what path name
	shift
	mkdir -p "$to"
	for what; do
		vm_modules_for "$what" | while read -r path; do
			name=$(basename "$path")
			name=${name%%.ko*}
			name=${name//-/_} # as /sys/module has it
			echo "$name" >&3
			vm_copy_module "$path" "$to/$name.ko" || return 1
		done 3>"$to/$what" || return 1
	done
}

vm_modules_for() {
	[ "$1" != fs-nfs ] || set -- nfsv4 nfsd
	{ modprobe -d "$vm_kernel" -S "$vm_release" -a --show-depends "$@" \
		2>/dev/null || true; } | awk '$1 == "insmod" { print $2 }'
}

vm_copy_module() {
	case $1 in
	*.xz) xz -dc "$1" >"$2" ;;
	*.zst) zstd -qdc "$1" >"$2" ;;
	*.gz) gzip -dc "$1" >"$2" ;;
	*) cp "$1" "$2" ;;
	esac
}
