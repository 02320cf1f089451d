/*
 * htree_load: an htree (htree.h) that begins as a directory that exists, read
 * with its blocks, holes and index from the device under the mounted file
 * system.  Nothing is written.  The directory should be at rest: what changes
 * while it is read may be seen by half.
 */
#ifndef BIGDIR_HTREE_LOAD_H
#define BIGDIR_HTREE_LOAD_H

#include "dirhash.h"
#include "extfs.h"
#include "htree.h"

/*
 * htree_load: the directory dirfd refers to.  *h becomes the hash that its
 * index uses, or that of the file system if it has none yet.  The caller
 * frees *t with htree_free.
 *
 * 0; -EACCES or -EPERM if the device may not be read; -ENOTSUP for another
 * kind of file system, or an encrypted or casefolded directory, whose hash
 * cannot be computed; -EUCLEAN if what was read is no directory; -ENOMEM; or
 * another negative errno.
 */
int htree_load(int dirfd, struct htree **t, struct dirhash *h);

/*
 * htree_load_image: the same for inode ino of an image or a device.
 */
int htree_load_image(const char *device, uint64_t ino, struct htree **t,
		     struct dirhash *h);

#endif
