"""The verdict as text for a terminal of 80 columns."""
import re
import sys
import textwrap

import show.verdict as verdict
import show.verdict_table as verdict_table
import show.verdict_words as verdict_words
from show.canvas import clean
from show.reading import Unusable

WIDTH = 80
# blanks at which no line is broken: '1.2 s', 'p = 0.03'
HELD = re.compile(r"(?<=\d) (?=(?:[num]?s|%)(?:\W|$))|(?<=\b[pn]) (?=[=<])|"
                  r"(?<=\b[pn] [=<]) (?=\d)")
NO_BREAK = "\u00a0"


def plain(text):
    """Without what some terminals lack."""
    return clean(text).replace("µ", "u")


def fold(text, first, indent):
    held = HELD.sub(NO_BREAK, plain(text))
    return [line.replace(NO_BREAK, " ") for line in textwrap.wrap(
        held, WIDTH, initial_indent=first, subsequent_indent=indent,
        break_on_hyphens=False)]


def blocks_of(widths):
    """Columns in parts that fit beside the first one."""
    parts, used = [], WIDTH
    for n, width in enumerate(widths[1:], 1):
        if used + 2 + width > WIDTH:
            parts.append([])
            used = widths[0]
        parts[-1].append(n)
        used += 2 + width
    return parts


def table(titles, rows):
    """The lines of a table; of several, where it is too wide."""
    lines = [[plain(text) for text in line] for line in (titles, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines)]
    found = []
    for part in blocks_of(widths):
        found += ["", *(line[0].ljust(widths[0]) + "".join(
            "  " + line[n].rjust(widths[n]) for n in part)
            for line in lines)]
    return found


def command(line):
    """What to run, as it can be copied."""
    if not line:
        return []
    return ["", f"{verdict_words.AGAIN}:", " \\\n".join(
        textwrap.wrap(line, WIDTH - 2, initial_indent="  ",
                      subsequent_indent="    ", break_on_hyphens=False,
                      break_long_words=False))]


def lines_of(found):
    titles, rows = verdict_table.titles(), verdict_table.rows(found.choices)
    lines = ["Which to choose", ""]
    for letter, name, *_ in rows:
        lines += fold(name, f"  {letter}  ", "     ")
    lines += table(titles[:1] + titles[2:],
                   [row[:1] + row[2:] for row in rows])
    for heading, sentences in verdict_words.parts(found):
        if sentences:
            lines += ["", plain(heading)]
        for sentence in sentences:
            lines += fold(sentence, "  ", "    ")
    return lines + command(verdict_words.again(found))


def write(results):
    found = verdict.Verdict(results)
    if not found:
        raise Unusable("no verdict: no record has a highest rate within an "
                       "SLO; scripts/lab proxy-cache makes such")
    sys.stdout.reconfigure(errors="replace")
    print("\n".join(lines_of(found)))
