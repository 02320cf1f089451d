/*
 * unit: what every unit test includes: cmocka, with what it needs.
 */
#ifndef BIGDIR_UNIT_H
#define BIGDIR_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
