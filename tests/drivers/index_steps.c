/* index_steps DIR COUNT: where the model of an index says that a new directory
 * of the default names gets a level, a line each: FROM TO AT LOW HIGH. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "index_steps.h"

static size_t name_at(const void *scheme, uint64_t position,
		      char buf[NAME_BUFFER])
{
	return name_make(scheme, position, buf);
}

int main(int argc, char **argv)
{
	static struct environment env;
	struct index_step steps[INDEX_STEPS_MOST];
	struct name_scheme scheme;
	const char *why;
	struct index_growth g = { .env = &env,
				  .name = name_at,
				  .arg = &scheme };
	size_t count;

	if (argc != 3 || name_parse(&scheme, "hex", NULL, &why) < 0)
		return 2;
	g.dir = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (g.dir < 0) {
		perror(argv[1]);
		return 1;
	}
	g.count = strtoull(argv[2], NULL, 10);
	env_read(g.dir, false, &env);
	count = index_steps(&g, steps);
	for (size_t i = 0; i < count; i++)
		printf("%u %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       steps[i].from, steps[i].to, steps[i].at, steps[i].low,
		       steps[i].high);
	return 0;
}
