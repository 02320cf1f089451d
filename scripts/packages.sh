# shellcheck shell=bash disable=SC2034
# The Debian packages that bigdir is built and tested with, in one place, and
# how to get those that are missing. Sourced by the other scripts.
#
# Each line: the package, and a probe that tells whether what it brings is
# there, wherever it came from - cmd:COMMAND, static:COMMAND (that needs no shared
# library), pc:PKG-CONFIG-MODULE, file:PATH or py:MODULE of the system's Python.

# without these nothing can be built
build_packages=(
	"gcc cmd:cc"
	"libc6-dev file:/usr/include/unistd.h"
	"make cmd:make"
	"pkg-config cmd:pkg-config"
	"libpopt-dev pc:popt"
	"libbsd-dev pc:libbsd-overlay"
	"libxxhash-dev pc:libxxhash"
	"libjansson-dev pc:jansson"
	"libext2fs-dev pc:ext2fs"
	"comerr-dev pc:com_err"
)

# without these nothing can be tested
test_packages=(
	"libcmocka-dev pc:cmocka"
	"bats cmd:bats"
)

# where one of these is missing, the tests that need it are skipped
more_test_packages=(
	"shellcheck cmd:shellcheck"
	"jq cmd:jq"
	"e2fsprogs cmd:mkfs.ext4"
	"xfsprogs cmd:mkfs.xfs"
	"btrfs-progs cmd:mkfs.btrfs"
	"mount cmd:mount"
	"quota cmd:setquota"
	"util-linux cmd:setpriv"
	"bsdutils cmd:script"
	"valgrind cmd:valgrind"
	"python3-jsonschema py:jsonschema"
	"python3 py:xml.etree"
	"gnuplot-nox cmd:gnuplot"
)

# what the virtual machine of the lab takes
vm_packages=(
	"qemu-system-x86 cmd:qemu-system-x86_64"
	"busybox-static static:busybox"
	"cpio cmd:cpio"
	"kmod cmd:modprobe"
	"xz-utils cmd:xz"
	"zstd cmd:zstd"
	"e2fsprogs cmd:debugfs"
	"util-linux cmd:setpriv"
)

# what the lab's tables and pictures take
lab_packages=(
	"jq cmd:jq"
	"python3 py:xml.etree"
	"gnuplot-nox cmd:gnuplot"
)

# what makes the file systems of the lab
mkfs_packages=(
	"e2fsprogs cmd:mkfs.ext2"
	"e2fsprogs cmd:mkfs.ext3"
	"e2fsprogs cmd:mkfs.ext4"
	"reiserfsprogs cmd:mkfs.reiserfs"
	"jfsutils cmd:mkfs.jfs"
	"f2fs-tools cmd:mkfs.f2fs"
	"nilfs-tools cmd:mkfs.nilfs2"
	"xfsprogs cmd:mkfs.xfs"
	"btrfs-progs cmd:mkfs.btrfs"
)

# whom the tools are raced against
race_packages=(
	"fio cmd:fio"
	"fsmark cmd:fs_mark"
	"bonnie++ cmd:bonnie++"
	"perl cmd:perl"
	"jq cmd:jq"
	"valgrind cmd:valgrind"
)

# mkfs and its like, which are not in the path of an ordinary user
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

probe() {
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null ;;
	static:*) is_static "${1#static:}" ;;
	pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
	file:*) [ -e "${1#file:}" ] ;;
	py:*) /usr/bin/python3 -c "import ${1#py:}" 2>/dev/null ;;
	esac
}

is_static() {
	local path
	path=$(command -v "$1") && ! ldd "$path" >/dev/null 2>&1
}

# missing_packages LINE...: the packages whose probe fails, one a line.
missing_packages() {
	local line
	for line; do
		probe "${line#* }" || echo "${line%% *}"
	done
}

can_install() {
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Several scripts may want to install at once, and apt does not queue: the lock
# is on this file, so that none is left lying about.
apt_install() (
	exec 9<"${BASH_SOURCE[0]}"
	flock 9
	export DEBIAN_FRONTEND=noninteractive
	{
		apt-get -q -o Acquire::Retries=2 update &&
			apt-get -q -y -o DPkg::Lock::Timeout=300 \
				install --no-install-recommends "$@"
	} </dev/null >&2
)

# get_packages LINE...: install what is missing of these, or say what to do.
# False: something is missing still.
get_packages() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	if can_install; then
		echo "installing: ${missing[*]}" >&2
		apt_install "${missing[@]}"
		mapfile -t missing < <(missing_packages "$@")
		[ ${#missing[@]} -gt 0 ] || return 0
	fi
	cat >&2 <<END
missing: ${missing[*]}
On Debian or Ubuntu, as root:
  apt-get install --no-install-recommends ${missing[*]}
Elsewhere, install what these bring by the names it has there.
END
	return 1
}
