/* Mount lines and mount options; see exhaust_place.h. */
#include "exhaust_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void place_take_mount(struct place *place, const struct mount_line *l)
{
	place->mounted = true;
	place->major = l->major;
	place->minor = l->minor;
	strlcpy(place->root, l->root, sizeof(place->root));
	strlcpy(place->mount, l->point, sizeof(place->mount));
	strlcpy(place->mount_options, l->options, sizeof(place->mount_options));
	strlcpy(place->type, l->type, sizeof(place->type));
	strlcpy(place->source, l->source, sizeof(place->source));
	/* kept escaped: an upper directory may have a comma in its name */
	strlcpy(place->super_options, l->super, sizeof(place->super_options));
}

static bool find_option(const char *options, const char *name, char *value,
			size_t size)
{
	size_t length = strlen(name);

	while (*options) {
		size_t span = strcspn(options, ",");

		if (span >= length && memcmp(options, name, length) == 0 &&
		    (span == length || options[length] == '=')) {
			size_t skip = span == length ? length : length + 1;
			size_t room = span - skip + 1;

			strlcpy(value, options + skip,
				room < size ? room : size);
			mount_line_unescape(value);
			return true;
		}
		options += span;
		options += *options == ',';
	}
	return false;
}

bool place_option(const struct place *place, const char *name, char *value,
		  size_t size)
{
	return find_option(place->super_options, name, value, size) ||
	       find_option(place->mount_options, name, value, size);
}

bool place_option_number(const struct place *place, const char *name,
			 uint64_t *number)
{
	char text[32], *end;

	if (!place_option(place, name, text, sizeof(text)))
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return end != text && *end == '\0' && errno == 0;
}

/*
 * What the kernel shows but does not take: states, and options it derives.
 * "ro" goes too, and what only goes with it, for whoever mounts again wants
 * to write.
 */
static bool is_state(const char *option)
{
	static const char *const states[] = {
		"rw",	    "ro",     "emergency_ro", "shutdown",
		"seclabel", "noload", "norecovery",   "nologreplay",
		"relatime", "rescue", "subvolid",
	};
	size_t length = strcspn(option, "=");

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (strlen(states[i]) == length &&
		    strncmp(option, states[i], length) == 0)
			return true;
	}
	return false;
}

static void add_options(char *list, char *options, size_t size)
{
	char *option;

	while ((option = strsep(&options, ","))) {
		if (!*option || is_state(option))
			continue;
		strlcat(list, ",", size);
		strlcat(list, option, size);
	}
}

void place_mount_options(const struct place *place, char *options, size_t size)
{
	char copy[PATH_MAX];

	strlcpy(options, "rw", size);
	strlcpy(copy, place->mount_options, sizeof(copy));
	add_options(options, copy, size);
	strlcpy(copy, place->super_options, sizeof(copy));
	add_options(options, copy, size);
}
