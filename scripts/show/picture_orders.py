"""A matrix: two variables whose values are words, such as the order of
creation and that of deletion; a panel for each phase and line of variants."""
import itertools
import math

import show.canvas as canvas
import show.naming as naming
import show.units as units
from show.canvas import DARK, WIDTH, Canvas
from show.picture import Picture, machine, pattern, repeats, slug
from show.picture_sweep import steps_of

LEFT, GAP_X, GAP_Y, ROW = 128, 24, 76, 40
# from light to dark; texts on dark ones are white
SHADES = ("#f1f6fb", "#d3e4f3", "#a6cee4", "#6aaed6", "#3787c0", "#105ba4")
WHITE_FROM = 4
SPAN = 3  # a ratio that takes all shades
MOST_CELLS = 8  # in a row or column
MOST_PANELS = 6


def axes_of(results):
    """(rows, columns): the two variables, creation before deletion. None if
    there are not two."""
    words = [v for v in naming.swept(results)
             if not naming.is_numeric(results, v)]

    def turn(name):
        return (0 if "create" in name or "make" in name else
                2 if "delete" in name or "remove" in name else 1)

    words = sorted(words, key=turn)
    return (words[0], words[-1]) if len(words) > 1 else None


def places_of(results, rows, columns):
    """{variant: (line, row, column)}"""
    places = {}
    for record in results.records:
        labels = record["labels"]
        if rows in labels and columns in labels:
            places[naming.variant(record)] = (
                naming.line_of(record, rows, columns), labels[rows],
                labels[columns])
    return places


def matrices(figures, places):
    """{(line, step): {(row, column): Figure}}, of two cells or more."""
    found = {}
    for step in steps_of(figures):
        for f in figures:
            if (f.phase, f.operation, f.metric) == step and (
                    f.variant in places):
                line, row, column = places[f.variant]
                found.setdefault((line, step), {})[row, column] = f
    return {key: cells for key, cells in found.items() if len(cells) > 1}


def shade(figure, low, high):
    """The faster, the darker; by ratios, so that a panel where all are alike
    has no contrast that means nothing."""
    if low <= 0:
        return 0
    share = math.log(figure.median / low) / math.log(max(high / low, SPAN))
    top = math.log(high / low) / math.log(max(high / low, SPAN))
    share = 1 - share if figure.metric == "real" else share + 1 - top
    return max(0, min(len(SHADES) - 1, int(share * len(SHADES))))


def draw_cell(drawing, box, figure, low, high):
    left, top, right, bottom = box
    if not figure:
        drawing.box(left, top, right, bottom, "#ffffff", canvas.PALE)
        drawing.text((left + right) / 2, (top + bottom) / 2, "none",
                     canvas.GREY, canvas.SMALL, "center")
        return
    number = shade(figure, low, high)
    drawing.box(left, top, right, bottom, SHADES[number], "#ffffff")
    write = units.rate if figure.metric == "rate" else units.seconds
    drawing.text((left + right) / 2, (top + bottom) / 2,
                 write(figure.median),
                 "#ffffff" if number >= WHITE_FROM else DARK, 13, "center")


def draw_matrix(drawing, place, title, cells, names, first):
    """place: left, top, width. names: rows and columns, variable first."""
    left, top, wide = place
    (rows, row_values), (columns, column_values) = names
    low = min(f.median for f in cells.values())
    high = max(f.median for f in cells.values())
    cell = wide / len(column_values)
    drawing.text(left, top - 46, canvas.cut(title, int(wide / 7.3)), size=14)
    drawing.text(left + wide, top - 28, canvas.cut(columns, 40) + " →",
                 canvas.GREY, canvas.SMALL, "right")
    if first:
        drawing.text(left - 8, top - 12, canvas.cut(rows, 16) + " ↓",
                     canvas.GREY, canvas.SMALL, "right")
    for n, value in enumerate(column_values):
        drawing.text(left + (n + 0.5) * cell, top - 12,
                     canvas.cut(value, max(3, int(cell / 7))), DARK,
                     canvas.SMALL, "center")
    for m, row in enumerate(row_values):
        y = top + m * ROW
        if first:
            drawing.text(left - 8, y + ROW / 2, canvas.cut(row, 16), DARK,
                         canvas.SMALL, "right")
        for n, column in enumerate(column_values):
            drawing_box = (left + n * cell, y, left + (n + 1) * cell, y + ROW)
            draw_cell(drawing, drawing_box, cells.get((row, column)), low,
                      high)


def draw(results, found, names):
    (rows, row_values), (columns, column_values) = names
    across = 1 if len(found) == 1 or len(column_values) > 5 else 2
    wide = (WIDTH - LEFT - 16 - GAP_X * (across - 1)) / across
    deep = len(row_values) * ROW + GAP_Y
    counts = [f.n for cells in found.values() for f in cells.values()]
    about = f"{machine(results)}. {repeats(counts).capitalize()}"
    about += ", median." if max(counts) > 1 else "."
    drawing = Canvas(f"{pattern(results)}{rows} (rows) and {columns} "
                     "(columns)", about + " In each panel, the darkest is the "
                     "fastest.", -(-len(found) // across) * deep + 10)
    lines = {line for line, _ in found}
    for n, ((line, (phase, operation, metric)), cells) in enumerate(
            found.items()):
        down, over = divmod(n, across)
        title = phase if len(lines) == 1 else f"{phase}, {line}"
        draw_matrix(drawing, (LEFT + over * (wide + GAP_X),
                              drawing.top + down * deep + 60, wide), title,
                    cells, names, over == 0)
    drawing.panel((0, 0, 10, 10), [
        "unset border", "unset tics", "unset xlabel", "unset ylabel",
        "set xrange [0:1]", "set yrange [0:1]"], [])
    return drawing


def parts_of(found):
    items = list(found.items())
    for n in itertools.count():
        part = dict(items[n * MOST_PANELS:(n + 1) * MOST_PANELS])
        if not part:
            return
        yield part


def pictures(results, figures):
    axes = axes_of(results)
    if not axes:
        return [], "fewer than two variables with words for values were swept"
    places = places_of(results, *axes)
    names = [(variable, naming.unique(p[n] for p in places.values()))
             for n, variable in enumerate(axes, 1)]
    if any(len(values) > MOST_CELLS for _, values in names):
        return [], f"a matrix has at most {MOST_CELLS} rows and columns"
    parts = list(parts_of(matrices(figures, places)))
    found = [Picture(f"matrix-{slug(*axes)}" + (f"-{n}" if len(parts) > 1
                                                else ""),
                     f"How fast each {axes[0]} (rows) is with each {axes[1]} "
                     "(columns); the numbers are in the cells.",
                     draw(results, part, names))
             for n, part in enumerate(parts, 1)]
    return found, "no run of two variants or more has come to its end"
