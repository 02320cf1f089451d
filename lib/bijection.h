/*
 * bijection: XXH3 of a 64-bit number, and the way back.
 *
 * XXH3_64bits() of the eight bytes of a number (little-endian, seed 0) is a
 * bijection: each of its steps can be undone. So a name made of the hash of
 * an index still tells the index, as a deletion must know it.
 */
#ifndef BIGDIR_BIJECTION_H
#define BIGDIR_BIJECTION_H

#include <stdint.h>

/* XXH3_64bits() of the number's eight little-endian bytes. */
uint64_t bijection_hash(uint64_t number);

/* The number whose hash it is. */
uint64_t bijection_unhash(uint64_t hash);

#endif
