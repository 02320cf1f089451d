#include "background.h"

#include <errno.h>
#include <linux/ioprio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOWEST 19

int background(void)
{
	int err = setpriority(PRIO_PROCESS, 0, LOWEST) < 0 ? -errno : 0;

	if (syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0,
		    IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0)) < 0 &&
	    !err)
		err = -errno;
	return err;
}
