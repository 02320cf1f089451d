/*
 * forecast_driver: forecast, then create, and compare.
 *
 *	forecast_driver DIR COUNT LENGTH ORDER MODE
 *
 * LENGTH is a name's bytes, 8 to 255, or 0 for 8 to 255 mixed; ORDER is
 * sequential or random; MODE is formula, exact, both or print (forecast alone).
 * Prints one line of name=value pairs: what was forecast, what came, and with
 * both, what the formula said.
 */
#include "forecast.h"

#include <stdlib.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct scheme {
	unsigned int length;
	bool random;
};

static size_t make_name(void *arg, uint64_t position, char buf[256])
{
	const struct scheme *s = arg;
	/* An odd factor permutes the numbers below 2^32. */
	uint32_t index =
		(uint32_t)(s->random ? position * 2654435761U : position);
	size_t length = s->length ? s->length : 8 + index * 40503ULL % 248;

	memset(buf, 'x', length);
	snprintf(buf, 9, "%08X", index);
	if (length > 8)
		buf[8] = 'x';
	buf[length] = '\0';
	return length;
}

static uint64_t number(const char *s)
{
	const char *error;
	long long n = strtonum(s, 0, INT64_MAX, &error);

	if (error)
		errx(2, "%s: %s", s, error);
	return (uint64_t)n;
}

static int create(const struct forecast_request *r, uint64_t *made)
{
	char name[256];

	for (*made = 0; *made < r->count; ++*made) {
		r->name(r->arg, *made, name);
		if (mknodat(r->dirfd, name, S_IFREG | 0600, 0))
			return errno;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct scheme scheme;
	struct forecast_request r = { .name = make_name, .type = S_IFREG };
	struct forecast f, formula;
	struct stat st;
	bool both;
	uint64_t made;
	int error;

	if (argc != 6)
		errx(2, "usage: DIR COUNT LENGTH ORDER MODE");
	r.dirfd = open(argv[1], O_RDONLY | O_DIRECTORY);
	if (r.dirfd < 0)
		err(2, "%s", argv[1]);
	r.count = number(argv[2]);
	scheme.length = (unsigned int)number(argv[3]);
	if (scheme.length > 255 || (scheme.length && scheme.length < 8))
		errx(2, "%s: not a length", argv[3]);
	scheme.random = strcmp(argv[4], "random") == 0;
	r.arg = &scheme;
	both = strcmp(argv[5], "both") == 0;
	error = forecast_make(&r, &formula);
	r.exact = both || strcmp(argv[5], "exact") == 0;
	if (!error)
		error = forecast_make(&r, &f);
	if (error)
		errc(1, -error, "forecast");
	if (strcmp(argv[5], "print") == 0) {
		forecast_print(stdout, &f);
		return 0;
	}
	error = create(&r, &made);
	if (error && error != ENOSPC)
		errc(1, error, "create");
	if (fstat(r.dirfd, &st))
		err(1, "fstat");
	printf("cause=%d at=%" PRIu64 " low=%" PRIu64 " high=%" PRIu64
	       " made=%" PRIu64 " bytes=%" PRIu64 " real=%jd full=%d",
	       f.cause, f.at, f.low, f.high, made, f.directory,
	       (intmax_t)st.st_size, error == ENOSPC);
	if (both)
		printf(" formula_cause=%d formula_at=%" PRIu64
		       " formula_bytes=%" PRIu64,
		       formula.cause, formula.at, formula.directory);
	putchar('\n');
	return 0;
}
