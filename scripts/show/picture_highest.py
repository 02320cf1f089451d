"""Bars: the highest rate within the SLO of each variant of a cache, with
intervals, by file system; one scale for all."""
import show.canvas as canvas
import show.units as units
import show.verdict as verdict
from show.canvas import DARK, GREY, WIDTH, Canvas
from show.picture import Picture, machine, pattern, repeats
from show.verdict_words import promise

NAMES, VALUES, RIGHT = 230, 110, 12  # pixels
ROW, BAR, HEAD, FOOT = 26, 14, 26, 44
MOST_ROWS = 24  # in one picture


def groups_of(choices):
    """{file system: [Choice]}"""
    groups = {}
    for choice in choices:
        groups.setdefault(choice.group, []).append(choice)
    return groups


def parts_of(groups):
    """Groups in parts of not too many rows each."""
    parts, used = [{}], 0
    for name, some in groups.items():
        if parts[-1] and used + len(some) > MOST_ROWS:
            parts.append({})
            used = 0
        parts[-1][name] = some
        used += len(some)
    return parts


def places_of(groups):
    """({group: y of its heading}, {Choice: y of its middle}, height), in
    pixels from the top of the panel."""
    headings, middles, y = {}, {}, 0
    for name, some in groups.items():
        headings[name] = y + HEAD / 2 + 3
        y += HEAD
        for choice in some:
            middles[choice] = y + ROW / 2
            y += ROW
    return headings, middles, y + 6


def row_name(choice):
    """The layout, where the file system is named above."""
    short = choice.layout if choice.group != choice.name else choice.name
    return canvas.cut(f"{choice.letter}  {short}", 30)


def draw_row(drawing, box, choice, figure, y, high):
    """The name at the left, and the figure beside its bar."""
    drawing.text(NAMES - 10, y, row_name(choice), align="right")
    if figure:
        end = NAMES + figure.high / high * (box[2] - NAMES)
        drawing.text(end + 8, y, units.rate(figure.median),
                     size=canvas.SMALL)
    else:
        drawing.text(NAMES + 8, y, "no run has one", GREY, canvas.SMALL)


def bars_of(drawing, figures, colour):
    """What draws the bars of one file system; figures: [(Figure, middle)]"""
    bars = [(f.median / 2, y, 0, f.median, y - BAR / 2, y + BAR / 2)
            for f, y in figures]
    whiskers = [(f.median, y, f.low, f.high) for f, y in figures if f.n > 1]
    plots = []
    if bars:
        plots.append(f"{drawing.block(bars)} using 1:2:3:4:5:6 with "
                     f"boxxyerror lc rgb '{colour}' fs solid noborder "
                     "notitle")
    if whiskers:
        plots.append(f"{drawing.block(whiskers)} using 1:2:3:4 with "
                     f"xerrorbars lc rgb '{DARK}' pt -1 lw 1.2 notitle")
    return plots


def draw(results, groups, figures, high):
    headings, middles, height = places_of(groups)
    counts = [f.n for f in figures.values()]
    about = (f"{machine(results)}. {repeats(counts).capitalize()}"
             f"{', median and its 95 % interval' if max(counts) > 1 else ''}.")
    drawing = Canvas(
        f"{pattern(results)}highest rate that keeps {promise(middles)}",
        about, height + FOOT)
    top, plots = drawing.top, []
    box = (NAMES, top, WIDTH - VALUES - RIGHT, top + height)
    for n, (name, some) in enumerate(groups.items()):
        drawing.text(12, top + headings[name], canvas.cut(name, 100), size=15)
        for choice in some:
            draw_row(drawing, box, choice, figures.get(choice.name),
                     top + middles[choice], high)
        plots += bars_of(drawing, [(figures[c.name], middles[c]) for c in some
                                   if c.name in figures],
                         canvas.COLOURS[n % canvas.MOST_LINES])
    axes = canvas.axis("x", 0, high, units.linear_ticks(0, high, units.count),
                       "requests per second")
    axes += ["unset ytics", "set grid noytics", "set border 1",
             f"set yrange [{height}:0] noextend"]
    drawing.panel(box, axes, plots)
    return drawing


def pictures(results, figures):
    found = {f.variant: f for f in figures
             if (f.phase, f.metric) == (verdict.RAMP, "highest")}
    if not found:
        return [], "no run looked for the highest rate within an SLO"
    high = 1.02 * max(f.high for f in found.values())
    parts = parts_of(groups_of(verdict.choices_of(results)))
    return [Picture("highest" if len(parts) == 1 else f"highest-{n}",
                    "The highest rate within the SLO of each variant.",
                    draw(results, part, found, high))
            for n, part in enumerate(parts, 1)], ""
