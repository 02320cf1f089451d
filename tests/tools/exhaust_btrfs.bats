# ENOSPC and EDQUOT on btrfs.

setup() {
	load exhaust.bash
	begin
	need mkfs.btrfs btrfs
	need_fs btrfs
}

teardown() {
	local device image
	clean_up
	for device in ${MORE:-}; do # devices that a remedy has added
		image=$(losetup -nO BACK-FILE "$device")
		losetup -d "$device"
		rm -f "$image"
	done
}

full() {
	refused -l 250 "$M/d"
}

@test "btrfs: metadata full, DUP" {
	image 128M mkfs.btrfs -q -f -m dup
	mounted
	full
	cause btrfs-metadata
	effect online
	apply
	goes_on -l 250 "$M/d"
}

@test "btrfs: metadata full, single; another device" {
	image 128M mkfs.btrfs -q -f -m single
	mounted
	full
	cause btrfs-metadata
	[ "$(value 'evidence.metadata profile')" = single ]
	apply 2
	MORE=$(btrfs filesystem show "$M" | awk '$2 > 1 && /devid/ {print $NF}')
	goes_on -l 250 "$M/d"
}

@test "btrfs: data and metadata mixed" {
	image 64M mkfs.btrfs -q -f -M
	mounted
	full
	cause btrfs-metadata
	apply
	goes_on -l 250 "$M/d"
}

@test "btrfs: metadata full, data chunks half empty: balance" {
	need xfs_io
	image 1G mkfs.btrfs -q -f -m single
	mounted nodatacow
	mkdir "$M/data"
	# files across all the data chunks, then one in eight is kept
	for i in $(seq 900); do echo "open -f $M/data/$i"; echo "falloc 0 1m"
		echo close; done | xfs_io >/dev/null 2>&1 || true
	sync -f "$M"
	(cd "$M/data" && ls | awk '$1 % 8' | xargs rm -f)
	sync -f "$M"
	full
	cause btrfs-metadata
	grep -q 'remedy.online=.*btrfs balance' <<<"$output"
	apply
	goes_on -l 250 "$M/d"
}

@test "btrfs: metadata full, RAID1 on two devices" {
	truncate -s 128M "$IMAGE" "$PLACE/second"
	first=$(losetup -f --show "$IMAGE")
	second=$(losetup -f --show "$PLACE/second")
	mkfs.btrfs -q -f -m raid1 -d single "$first" "$second"
	mount "$first" "$M"
	mkdir "$M/d"
	full
	cause btrfs-metadata
	apply
	MORE=$(btrfs filesystem show "$M" | awk '$2 > 2 && /devid/ {print $NF}')
	goes_on -l 250 "$M/d"
}

@test "btrfs: a quota group's limit" {
	image 256M mkfs.btrfs -q -f
	mounted
	btrfs quota enable "$M"
	btrfs subvolume create "$M/s" >/dev/null
	btrfs qgroup limit 1M "$M/s"
	refused -l 250 "$M/s"
	cause btrfs-qgroup certain
	[ "$(value error)" = EDQUOT ]
	apply
	goes_on -l 250 "$M/s"
}

@test "btrfs: the limit of a quota group above" {
	image 256M mkfs.btrfs -q -f
	mounted
	btrfs quota enable "$M"
	btrfs subvolume create "$M/s" >/dev/null
	btrfs qgroup create 1/100 "$M"
	btrfs qgroup assign "0/$(btrfs inspect-internal rootid "$M/s")" \
		1/100 "$M"
	btrfs quota rescan -w "$M" || true
	btrfs qgroup limit 1M 1/100 "$M"
	refused -l 250 "$M/s"
	cause btrfs-qgroup certain
	grep -q 'quota group 1/100' <<<"$output"
	apply
	goes_on -l 250 "$M/s"
}

@test "btrfs: a quota group's limit, seen by a user" {
	image 256M mkfs.btrfs -q -f
	mounted
	btrfs quota enable "$M"
	btrfs subvolume create "$M/s" >/dev/null
	chmod 777 "$M/s"
	btrfs qgroup limit 1M "$M/s"
	refused_user -l 250 "$M/s"
	cause btrfs-qgroup likely
	apply
	goes_on_user -l 250 "$M/s"
}

@test "btrfs: too many hard links" {
	image 256M mkfs.btrfs -q -f
	mounted
	touch "$M/d/source"
	refused -o link "$M/d"
	cause hard-links certain
	apply
	goes_on -o link "$M/d"
}

@test "btrfs: a read-only subvolume" {
	image 256M mkfs.btrfs -q -f
	mounted
	btrfs subvolume create "$M/s" >/dev/null
	btrfs property set -ts "$M/s" ro true
	refused "$M/s"
	cause read-only-subvolume certain
	apply
	goes_on "$M/s"
}

@test "btrfs: unlink refused, for want of metadata" {
	image 128M mkfs.btrfs -q -f -m single
	mounted
	btrfs subvolume create "$M/s" >/dev/null
	"$REFUSE" -q -l 250 "$M/s"
	btrfs subvolume snapshot "$M/s" "$M/snapshot"
	sync -f "$M"
	refused -o unlink -l 250 "$M/s"
	cause btrfs-metadata
	next=$((16#$(value name | cut -c1-8)))
	apply
	run "$REFUSE" -q -o unlink -l 250 -s "$next" -n 1000 "$M/s"
	[ "$status" -eq 1 ]
}
