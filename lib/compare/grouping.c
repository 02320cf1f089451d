#include "grouping.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_name.h"

static bool is_good(const struct read_record *r)
{
	const char *end = record_string_at(r->json, "outcome.end");

	return record_number_at(r->json, "outcome.exit_code", 1) == 0 &&
	       (strcmp(end, "complete") == 0 || strcmp(end, "full") == 0);
}

const char *grouping_why(const struct read_record *r, char *buf, size_t room)
{
	const char *end = record_string_at(r->json, "outcome.end");

	if (strcmp(end, "complete") != 0 && strcmp(end, "full") != 0)
		snprintf(buf, room, "ended early (%s)", end);
	else
		snprintf(buf, room, "failed (exit code %.0f)",
			 record_number_at(r->json, "outcome.exit_code", 0));
	return buf;
}

/* --- making the groups --------------------------------------------------- */

/* "A" to "Z", then "AA" and so on. */
static void set_letter(struct variant *v, size_t n)
{
	char reversed[sizeof(v->letter)];
	size_t used = 0;

	for (n++; n > 0 && used < sizeof(reversed) - 1; n = (n - 1) / 26)
		reversed[used++] = (char)('A' + (n - 1) % 26);
	for (size_t i = 0; i < used; i++)
		v->letter[i] = reversed[used - 1 - i];
	v->letter[used] = '\0';
}

/* The variant of that name, made if need be, as its place; takes the name
 * over. SIZE_MAX for want of memory. */
static size_t find_variant(struct grouping *g, char *name,
			   const struct read_record *r)
{
	struct variant *more;

	for (size_t i = 0; i < g->variants; i++) {
		if (strcmp(g->variant[i].name, name) == 0) {
			free(name);
			return i;
		}
	}
	more = reallocarray(g->variant, g->variants + 1, sizeof(*more));
	if (!more) {
		free(name);
		return SIZE_MAX;
	}
	g->variant = more;
	more[g->variants] = (struct variant){ .name = name, .first = r };
	set_letter(&more[g->variants], g->variants);
	return g->variants++;
}

static size_t find_phase(struct grouping *g, char *name)
{
	struct phase *more;

	for (size_t i = 0; i < g->phases; i++) {
		if (strcmp(g->phase[i].name, name) == 0) {
			free(name);
			return i;
		}
	}
	more = reallocarray(g->phase, g->phases + 1, sizeof(*more));
	if (!more) {
		free(name);
		return SIZE_MAX;
	}
	g->phase = more;
	more[g->phases] = (struct phase){ .name = name };
	return g->phases++;
}

static int place_record(struct grouping *g, size_t n)
{
	const struct read_record *r = &g->set->record[n];
	struct place_of *place = &g->place[n];
	char *variant = record_variant_name(r, g->by);
	char *phase = record_phase_name(r, g->by);
	size_t operations = json_array_size(record_at(r->json, "operations"));

	if (!variant || !phase) {
		free(variant);
		free(phase);
		return -ENOMEM;
	}
	place->variant = find_variant(g, variant, r);
	place->phase = find_phase(g, phase);
	if (place->variant == SIZE_MAX || place->phase == SIZE_MAX)
		return -ENOMEM;
	place->left_out = !is_good(r);
	if (place->left_out)
		g->variant[place->variant].left_out++;
	else
		g->variant[place->variant].runs++;
	if (operations > g->phase[place->phase].operations)
		g->phase[place->phase].operations = operations;
	return 0;
}

int grouping_make(struct grouping *g, const struct record_set *set,
		  const char *const *by)
{
	int err = 0;

	memset(g, 0, sizeof(*g));
	g->set = set;
	g->by = by;
	g->place = calloc(set->count ? set->count : 1, sizeof(*g->place));
	if (!g->place)
		return -ENOMEM;
	for (size_t i = 0; i < set->count && !err; i++)
		err = place_record(g, i);
	return err;
}

void grouping_free(struct grouping *g)
{
	for (size_t i = 0; i < g->variants; i++)
		free(g->variant[i].name);
	for (size_t i = 0; i < g->phases; i++)
		free(g->phase[i].name);
	free(g->variant);
	free(g->phase);
	free(g->place);
	memset(g, 0, sizeof(*g));
}

/* --- the baseline -------------------------------------------------------- */

static int has_value(const struct read_record *r, const char *key,
		     const char *value)
{
	char *text = record_key(r, key);
	int same = text ? strcmp(text, value) == 0 : -ENOMEM;

	free(text);
	return same;
}

static int find_baseline(const struct grouping *g, const char *key,
			 const char *value, size_t *found)
{
	*found = SIZE_MAX;
	for (size_t i = 0; i < g->set->count; i++) {
		int same = has_value(&g->set->record[i], key, value);

		if (same < 0)
			return same;
		if (same && *found != SIZE_MAX && *found != g->place[i].variant)
			return -EEXIST;
		if (same)
			*found = g->place[i].variant;
	}
	if (*found == SIZE_MAX)
		return -ENOENT;
	for (size_t i = 0; i < g->set->count; i++) {
		int same = g->place[i].variant != *found ||
			   has_value(&g->set->record[i], key, value);

		if (same <= 0)
			return same < 0 ? same : -EINVAL;
	}
	return 0;
}

int grouping_baseline(struct grouping *g, const char *key, const char *value)
{
	size_t found;
	struct variant v;
	int err = find_baseline(g, key, value, &found);

	if (err)
		return err;
	v = g->variant[found];
	memmove(&g->variant[1], &g->variant[0], found * sizeof(v));
	g->variant[0] = v;
	for (size_t i = 0; i <= found; i++)
		set_letter(&g->variant[i], i);
	for (size_t i = 0; i < g->set->count; i++) {
		size_t *variant = &g->place[i].variant;

		if (*variant == found)
			*variant = 0;
		else if (*variant < found)
			++*variant;
	}
	return 0;
}
