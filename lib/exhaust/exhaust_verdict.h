/* Filling a verdict: for the files that each know one family of causes. */
#ifndef BIGDIR_EXHAUST_VERDICT_H
#define BIGDIR_EXHAUST_VERDICT_H

#include "exhaust.h"

/* Sets cause, confidence certain, and the sentence. */
__attribute__((format(printf, 3, 4))) void verdict_set(struct verdict *verdict,
						       enum exhaust_cause cause,
						       const char *format, ...);

/* Lowers the confidence and says why. */
__attribute__((format(printf, 3, 4))) void
verdict_doubt(struct verdict *verdict, enum exhaust_confidence confidence,
	      const char *format, ...);

/* Sets the next step where no command is one. */
__attribute__((format(printf, 2, 3))) void
verdict_advise(struct verdict *verdict, const char *format, ...);

/* Adds a number with thousands separated, and its unit (may be ""). */
void verdict_number(struct verdict *verdict, const char *name, uint64_t number,
		    const char *unit);

/* Adds "part of whole unit"; the number is the part. */
void verdict_part(struct verdict *verdict, const char *name, uint64_t part,
		  uint64_t whole, const char *unit);

/* Adds a text that is no number. */
__attribute__((format(printf, 3, 4))) void verdict_text(struct verdict *verdict,
							const char *name,
							const char *format,
							...);

/*
 * Adds a command. It is left out if it does not fit or if a part of it is
 * PLACE_UNKNOWN, since half a command is worse than none.
 */
__attribute__((format(printf, 3, 4))) void
verdict_remedy(struct verdict *verdict, enum remedy_effect effect,
	       const char *format, ...);

/* Writes number with its thousands separated by commas; 27 bytes suffice. */
void verdict_group(uint64_t number, char *text, size_t size);

#endif
