/* Filling a verdict; see exhaust_verdict.h. */
#include "exhaust_verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "exhaust_place.h"

void verdict_set(struct verdict *verdict, enum exhaust_cause cause,
		 const char *format, ...)
{
	va_list args;

	verdict->cause = cause;
	verdict->cause_id = exhaust_id(cause);
	verdict->confidence = EXHAUST_CERTAIN;
	verdict->doubt[0] = '\0';
	va_start(args, format);
	vsnprintf(verdict->summary, sizeof(verdict->summary), format, args);
	va_end(args);
}

void verdict_doubt(struct verdict *verdict, enum exhaust_confidence confidence,
		   const char *format, ...)
{
	va_list args;

	verdict->confidence = confidence;
	va_start(args, format);
	vsnprintf(verdict->doubt, sizeof(verdict->doubt), format, args);
	va_end(args);
}

void verdict_advise(struct verdict *verdict, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(verdict->advice, sizeof(verdict->advice), format, args);
	va_end(args);
}

void verdict_group(uint64_t number, char *text, size_t size)
{
	char digits[21];
	size_t length, to = 0;

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	length = strlen(digits);
	for (size_t i = 0; i < length && to + 2 < size; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[to++] = ',';
		text[to++] = digits[i];
	}
	text[to] = '\0';
}

static struct evidence *next_evidence(struct verdict *verdict, const char *name)
{
	struct evidence *e;

	if (verdict->evidence_count == EXHAUST_EVIDENCE_MAX)
		return NULL;
	e = &verdict->evidence[verdict->evidence_count++];
	strlcpy(e->name, name, sizeof(e->name));
	return e;
}

void verdict_number(struct verdict *verdict, const char *name, uint64_t number,
		    const char *unit)
{
	struct evidence *e = next_evidence(verdict, name);
	char text[28];

	if (!e)
		return;
	verdict_group(number, text, sizeof(text));
	snprintf(e->text, sizeof(e->text), "%s%s%s", text, *unit ? " " : "",
		 unit);
	e->number = number;
	e->numeric = true;
}

void verdict_part(struct verdict *verdict, const char *name, uint64_t part,
		  uint64_t whole, const char *unit)
{
	struct evidence *e = next_evidence(verdict, name);
	char first[28], second[28];

	if (!e)
		return;
	verdict_group(part, first, sizeof(first));
	verdict_group(whole, second, sizeof(second));
	snprintf(e->text, sizeof(e->text), "%s of %s%s%s", first, second,
		 *unit ? " " : "", unit);
	e->number = part;
	e->numeric = true;
}

void verdict_text(struct verdict *verdict, const char *name, const char *format,
		  ...)
{
	struct evidence *e = next_evidence(verdict, name);
	va_list args;

	if (!e)
		return;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
}

void verdict_remedy(struct verdict *verdict, enum remedy_effect effect,
		    const char *format, ...)
{
	struct remedy *remedy;
	va_list args;
	int length;

	if (verdict->remedy_count == EXHAUST_REMEDY_MAX)
		return;
	remedy = &verdict->remedy[verdict->remedy_count];
	va_start(args, format);
	length = vsnprintf(remedy->command, sizeof(remedy->command), format,
			   args);
	va_end(args);
	if (length < 0 || (size_t)length >= sizeof(remedy->command) ||
	    strstr(remedy->command, PLACE_UNKNOWN)) {
		remedy->command[0] = '\0';
		return;
	}
	remedy->effect = effect;
	verdict->remedy_count++;
}
