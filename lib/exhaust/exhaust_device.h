/* The block device below a mount; see exhaust_place.h. */
#ifndef BIGDIR_EXHAUST_DEVICE_H
#define BIGDIR_EXHAUST_DEVICE_H

#include "exhaust_place.h"

/* Fills place's device and loop members from its mount members. */
void device_find(struct place *place);

#endif
