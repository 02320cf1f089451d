/* The stable names of causes, confidences and effects; see exhaust.h. */
#include <errno.h>

#include "exhaust.h"

static const char *const ids[EXHAUST_CAUSES] = {
	[EXHAUST_UNKNOWN] = "unknown",
	[EXHAUST_INODES] = "inodes",
	[EXHAUST_BLOCKS] = "blocks",
	[EXHAUST_RESERVED] = "reserved-blocks",
	[EXHAUST_DIR_INDEX] = "directory-index",
	[EXHAUST_DIR_SIZE] = "directory-size",
	[EXHAUST_JOURNAL] = "journal",
	[EXHAUST_XFS_CHUNK] = "xfs-inode-chunk",
	[EXHAUST_XFS_IMAXPCT] = "xfs-imaxpct",
	[EXHAUST_BTRFS_METADATA] = "btrfs-metadata",
	[EXHAUST_BTRFS_QGROUP] = "btrfs-qgroup",
	[EXHAUST_TMPFS_INODES] = "tmpfs-inodes",
	[EXHAUST_TMPFS_SIZE] = "tmpfs-size",
	[EXHAUST_QUOTA_USER] = "quota-user",
	[EXHAUST_QUOTA_GROUP] = "quota-group",
	[EXHAUST_QUOTA_PROJECT] = "quota-project",
	[EXHAUST_QUOTA_UNKNOWN] = "quota",
	[EXHAUST_SUBDIRECTORIES] = "subdirectories",
	[EXHAUST_HARD_LINKS] = "hard-links",
	[EXHAUST_NAME_LENGTH] = "name-length",
	[EXHAUST_TARGET_LENGTH] = "target-length",
	[EXHAUST_RO_ERROR] = "read-only-error",
	[EXHAUST_RO_MOUNT] = "read-only-mount",
	[EXHAUST_RO_DEVICE] = "read-only-device",
	[EXHAUST_RO_TYPE] = "read-only-type",
	[EXHAUST_RO_SUBVOLUME] = "read-only-subvolume",
	[EXHAUST_BACKING_FULL] = "backing-full",
	[EXHAUST_IO_ERROR] = "io-error",
	[EXHAUST_SHUTDOWN] = "shut-down",
	[EXHAUST_CORRUPT] = "corrupt",
	[EXHAUST_PERMISSION] = "permission",
	[EXHAUST_IMMUTABLE] = "immutable",
	[EXHAUST_APPEND_ONLY] = "append-only",
	[EXHAUST_UNSUPPORTED] = "unsupported",
	[EXHAUST_EXISTS] = "exists",
	[EXHAUST_DIR_REMOVED] = "directory-removed",
	[EXHAUST_MISSING] = "missing",
	[EXHAUST_STALE] = "stale",
	[EXHAUST_OPEN_FILES] = "open-files",
	[EXHAUST_MEMORY] = "memory",
	[EXHAUST_NOT_DIRECTORY] = "not-a-directory",
	[EXHAUST_NOT_EMPTY] = "not-empty",
	[EXHAUST_OTHER_FS] = "other-file-system",
	[EXHAUST_BUSY] = "busy",
	[EXHAUST_NAME_INVALID] = "name-invalid",
	[EXHAUST_KEY_MISSING] = "key-missing",
};

const char *exhaust_id(enum exhaust_cause cause)
{
	return (unsigned int)cause < EXHAUST_CAUSES ? ids[cause]
						    : ids[EXHAUST_UNKNOWN];
}

const char *exhaust_confidence_name(enum exhaust_confidence confidence)
{
	switch (confidence) {
	case EXHAUST_CERTAIN:
		return "certain";
	case EXHAUST_LIKELY:
		return "likely";
	case EXHAUST_GUESS:
		break;
	}
	return "guess";
}

const char *remedy_effect_name(enum remedy_effect effect)
{
	switch (effect) {
	case REMEDY_ONLINE:
		return "online";
	case REMEDY_OFFLINE:
		return "offline";
	case REMEDY_ANEW:
		break;
	}
	return "anew";
}

bool exhaust_is_limit(int err)
{
	switch (err) {
	case ENOSPC:
	case EDQUOT:
	case EMLINK:
	case ENAMETOOLONG:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return true;
	default:
		return false;
	}
}
