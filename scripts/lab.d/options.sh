# shellcheck shell=bash disable=SC2034,SC2154
# The command line of the lab.

usage() {
	cat <<END
Run a pattern of work on several file systems, made anew for each run, and
compare them.

Usage: lab [OPTIONS] PATTERN [VAR=VALUE[,VALUE...]...]
       lab --list
       lab --resume RESULTS

What is compared (everything is multiplied with everything):
      --fs='TYPE [MKFS OPTIONS] [ : MOUNT OPTIONS]'
                         a file system; may be repeated (ext4)
      --sweep=NAME=VALUE,VALUE...
                         journal (MiB), inodes, block, inode_size, dir_index,
                         large_dir, inline_data, metadata_csum, extent, data,
                         commit, lazytime, noatime, discard, barrier, node,
                         dirblock, where the file system has it
      VAR=VALUE,VALUE... variables of the pattern, see --list
      --repeats=N        of each, in turns (5)
      --seed=N           of the order within each turn (1)

On what:
      --size=SIZE        of the sparse image (by what the pattern needs)
      --scratch=DIR      where images are made (\$TMPDIR, or /tmp)
      --device=DEVICE    a real device; all that is on it is lost; its name is
                         asked for once more
      --dir=DIR          in a new directory in DIR; makes no file system, needs
                         no root
      --vm               in a virtual machine, whose kernel has reiserfs, jfs,
                         f2fs and nilfs2 too, and serves nfs to itself: an
                         ext4 (MKFS OPTIONS), exported with sync unless the
                         client's MOUNT OPTIONS have async
      --icount           with --vm: in virtual time, repeatable and slow

Under which conditions:
      --cache=STATE      warm, or cold: unmount, mount and drop caches between
                         phases (warm)
      --mem=SIZE         memory for the phases and what they cache
      --disk=iops=N[,bps=SIZE]
                         a slow disk: reads and writes a second, each
      --cell-timeout=T   seconds until a run is given up, or 10m, 2h (1h)

What comes of it:
  -o, --output=RESULTS   a new directory (lab-PATTERN-DATE-TIME, here)
      --resume=RESULTS   go on with a lab that was stopped
      --retry            with --resume: what failed, too
      --no-pictures      no plots, no report
      --dry-run          only say what would be run
      --list             show the patterns and their variables
  -h, --help             show this

Exit codes: 0 done, though variants may have failed; 1 no cell is fit to be
used, or the lab itself cannot go on; 2 usage; 128+N ended by signal N.

Examples:
  lab htree-300k --fs ext4 --fs 'ext4 -O ^dir_index' --fs xfs --fs btrfs
  lab journal --sweep journal=8,32,192 --disk iops=150
  lab --cache cold --mem 256M random-300k count=100k,1M
  lab --dir /home/me --repeats 3 htree-300k
  lab --vm htree-300k --fs reiserfs --fs ext3 --fs 'ext3 -J size=192'
END
}

bad_usage() {
	printf 'lab: %s\n' "$*" >&2
	echo "Try: lab --help" >&2
	exit 2
}

# parse ARGUMENT...
parse() {
	local long parsed
	long=fs:,sweep:,repeats:,seed:,size:,scratch:,device:,dir:,vm,icount
	long+=,cache:,mem:,disk:,cell-timeout:,output:,resume:,retry
	long+=,no-pictures,dry-run,list,help
	specs=() sweeps=() repeats=5 seed=1 image_size='' parent=${TMPDIR:-/tmp}
	on_device='' dir='' vm='' icount='' cache=warm mem='' disk=''
	cell_timeout=3600 results='' resume='' retry='' pictures=1 dry_run=''
	list=''
	parsed=$(getopt -n lab -o ho: -l "$long" -- "$@") || {
		echo "Try: lab --help" >&2
		exit 2
	}
	eval "set -- $parsed"
	given=()
	while [ "$1" != -- ]; do
		case $1 in
		-*) given+=("$1") ;;
		esac
		case $1 in
		--fs) specs+=("$2"); shift ;;
		--sweep) sweeps+=("$2"); shift ;;
		--repeats) repeats=$2; shift ;;
		--seed) seed=$2; shift ;;
		--size) image_size=$2; shift ;;
		--scratch) parent=$2; shift ;;
		--device) on_device=$2; shift ;;
		--dir) dir=$2; shift ;;
		--vm) vm=1 ;;
		--icount) vm=1 icount=1 ;;
		--cache) cache=$2; shift ;;
		--mem) mem=$2; shift ;;
		--disk) disk=$2; shift ;;
		--cell-timeout) cell_timeout=$2; shift ;;
		-o | --output) results=$2; shift ;;
		--resume) resume=$2; shift ;;
		--retry) retry=1 ;;
		--no-pictures) pictures='' ;;
		--dry-run) dry_run=1 ;;
		--list) list=1 ;;
		-h | --help) usage; exit 0 ;;
		esac
		shift
	done
	shift
	operands=("$@")
}

check_numbers() {
	local unit=1
	[[ $repeats =~ ^[1-9][0-9]{0,3}$ ]] ||
		bad_usage "--repeats: not a number from 1 to 9999: $repeats"
	[[ $seed =~ ^[0-9]{1,18}$ ]] || bad_usage "--seed: not a number: $seed"
	case $cell_timeout in
	*h) cell_timeout=${cell_timeout%h} unit=3600 ;;
	*m) cell_timeout=${cell_timeout%m} unit=60 ;;
	*s) cell_timeout=${cell_timeout%s} ;;
	esac
	[[ $cell_timeout =~ ^[1-9][0-9]{0,6}$ ]] ||
		bad_usage "--cell-timeout: not a time: $cell_timeout"
	cell_timeout=$((cell_timeout * unit))
	case $cache in
	warm | cold) ;;
	*) bad_usage "--cache is warm or cold, not $cache" ;;
	esac
	if [ -n "$image_size" ]; then
		image_size=$(numfmt --from=iec "$image_size" 2>/dev/null) ||
			image_size=0
		[ "$image_size" -gt 0 ] ||
			bad_usage "--size: not a size (such as 16G)"
		[ -z "$on_device$dir" ] ||
			bad_usage "--size is of images: not with --device or --dir"
	fi
}

check_sweeps() {
	local sweep
	for sweep in "${sweeps[@]}"; do
		case $sweep in
		[a-z]*=?*) ;;
		*) bad_usage "--sweep: not NAME=VALUE,VALUE...: $sweep" ;;
		esac
		check_values "$sweep"
		[ -z "${var_values[${sweep%%=*}]+there}" ] ||
			bad_usage "${sweep%%=*} is a variable of the pattern: give" \
				"it as $sweep, without --sweep"
	done
}

# What excludes what.
check_place() {
	if [ -n "$dir" ]; then
		[ -z "$on_device$vm" ] || bad_usage "--dir excludes --device and --vm"
		[ $((${#specs[@]} + ${#sweeps[@]})) -eq 0 ] ||
			bad_usage "--dir makes no file system: no --fs, no --sweep"
		[ -d "$dir" ] || bad_usage "--dir: $dir: no such directory"
		dir=$(cd "$dir" && pwd)
		[ "$cache" = warm ] || say "--dir is not unmounted: what can be" \
			"done for --cache cold is told by each record's label cache"
		specs=("$(stat -f -c %T "$dir" | tr -c 'A-Za-z0-9\n' _)")
		return
	fi
	[ ${#specs[@]} -gt 0 ] || specs=(ext4)
	[ -n "$vm" ] || is_root ||
		die "making file systems takes root; without it, use --dir DIR, in a" \
			"directory of your own"
	[ -z "$on_device" ] || [ -n "$dry_run" ] || confirm_device
}

confirm_device() {
	local answer
	[ -z "$vm" ] || bad_usage "--device excludes --vm"
	[ -b "$on_device" ] || die "$on_device is no block device"
	! lsblk -nro MOUNTPOINT "$on_device" | grep -q . ||
		die "$on_device is in use (mounted, or swap); unmount it first"
	[ -z "$(ls -A "/sys/class/block/$(basename "$(realpath "$on_device")")/holders")" ] ||
		die "$on_device is in use by another device, see: lsblk $on_device"
	lsblk -o NAME,SIZE,TYPE,FSTYPE,LABEL,MODEL "$on_device" >&2
	echo "All that is on $on_device will be lost. Type its name to go on:" >&2
	read -r answer || true
	[ "$answer" = "$on_device" ] || die "not confirmed; nothing was done"
}
