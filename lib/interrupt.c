#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

atomic_int interrupt_signal;

static void on_signal(int number)
{
	int none = 0;

	if (atomic_compare_exchange_strong(&interrupt_signal, &none, number))
		return;
	signal(number, SIG_DFL);
	raise(number); /* delivered when this handler returns */
}

void interrupt_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old;

		/* nohup and the like have said that it shall not stop us */
		if (sigaction(signals[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}
