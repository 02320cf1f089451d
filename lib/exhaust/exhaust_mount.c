/* Mount lines and mount options; see exhaust_place.h. */
#include "exhaust_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Undoes the kernel's \ooo for blank, tab, newline and backslash. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' && text[3] >= '0' &&
		    text[3] <= '7') {
			*to++ = (char)((text[1] - '0') * 64 +
				       (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static void take(char *field, char *to, size_t size)
{
	unescape(field);
	strlcpy(to, field, size);
}

static bool parse_device(const char *text, struct place *place)
{
	char *end;

	place->major = (unsigned int)strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	text = end + 1;
	place->minor = (unsigned int)strtoul(text, &end, 10);
	return end != text && *end == '\0';
}

/*
 * "36 35 98:0 /root /mnt rw,noatime shared:1 - ext4 /dev/sda rw,errors=…":
 * six fields, optional ones up to a lone "-", then three.
 */
bool place_parse_mount(char *line, uint64_t id, struct place *place)
{
	char *field[6], *last[3], *rest = line;

	line[strcspn(line, "\n")] = '\0';
	if (strtoull(line, NULL, 10) != id)
		return false;
	for (int i = 0; i < 6; i++) {
		field[i] = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	for (char *skip = ""; strcmp(skip, "-") != 0;) {
		skip = strsep(&rest, " ");
		if (!rest)
			return false;
	}
	for (int i = 0; i < 3; i++) {
		last[i] = strsep(&rest, " ");
		if (!last[i])
			return false;
	}
	if (!parse_device(field[2], place))
		return false;
	take(field[3], place->root, sizeof(place->root));
	take(field[4], place->mount, sizeof(place->mount));
	take(field[5], place->mount_options, sizeof(place->mount_options));
	take(last[0], place->type, sizeof(place->type));
	take(last[1], place->source, sizeof(place->source));
	/* Kept escaped: an upper directory may have a comma in its name. */
	strlcpy(place->super_options, last[2], sizeof(place->super_options));
	return true;
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
			unescape(value);
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
