"""Heat maps of latency: how many operations took how long, along the size of
the directory; a panel a variant, a picture a phase."""
import math

import show.canvas as canvas
import show.lines as lines
import show.naming as naming
import show.series as series
import show.units as units
from show.canvas import WIDTH, Canvas
from show.picture import (Picture, machine, pattern, repeats, step,
                             step_slug)
from show.picture_rate import x_axis

LEFT, RIGHT, GAP_X, GAP_Y = 78, 90, 26, 30
BINS = 48
# from light to dark, of one hue, so that more is darker also in print
PALETTE = ("0 '#e8f1fa', 0.25 '#9ecae1', 0.5 '#4292c6', 0.75 '#08519c', "
           "1 '#041f3d'")
SEAM = 0.07  # cells overlap by this share, or the ground shines through
LEAST = 1e-4  # share that has the lightest colour; what is less has it too


def has_map(run):
    return all(s.map is not None for s in run.slices)


def cells(runs, end):
    """[(x from, x to, latency from, to, share)]: all runs together, the
    shares of each column adding up to 1."""
    bins = series.bin_count(runs, BINS)
    columns = [{} for _ in range(bins)]
    for run in runs:
        for column, part in zip(columns, series.cut(run, bins, end)):
            for s in part:
                for low, n in s.map.items():
                    column[low] = column.get(low, 0) + n
    found, wide = [], end / bins
    for i, column in enumerate(columns):
        everything = sum(column.values())
        for low, n in column.items():
            # a row is a quarter of its power of two, at least 1 ns
            high = low + max(1, 2 ** math.floor(math.log2(max(low, 1))) // 4)
            found.append((i * wide, (i + 1) * wide, max(low, 1),
                          max(high, 2), n / everything))
    return found


def colour_axis(drawing, box):
    """The key of the colours, at the right of a panel."""
    ticks = [(math.log10(s), units.digits(s * 100) + " %")
             for s in (1, 0.1, 0.01, 0.001, 0.0001)]
    left, top, bottom = box
    for n, text in enumerate(("share of", "operations")):
        drawing.text(left - 6, top - 28 + 15 * n, text, canvas.DARK,
                     canvas.SMALL)
    height = drawing.height
    return ["set colorbox vertical user origin screen "
            f"{left / WIDTH:.5f}, screen {1 - bottom / height:.5f} size "
            f"screen {14 / WIDTH:.5f}, screen {(bottom - top) / height:.5f}",
            f"set cbtics {canvas.places(ticks)}"]


def panel(drawing, box, runs, x, range_y, first):
    """first: has the titles of latencies."""
    low, high = range_y
    ticks = units.log_ticks(low, high, units.duration)
    if len(ticks) > 5:
        ticks = [t for t in ticks
                 if abs(math.log10(t[0]) % 1) < 1e-6 or len(ticks) < 4]
    if not first:
        ticks = [(v, "") for v, _ in ticks]
    if first:
        drawing.y_title(box, "latency")
    data = drawing.block(
        (x0, y0, x0, x1 + SEAM * (x1 - x0), y0, y1 * (1 + SEAM / 9),
         math.log10(max(share, LEAST)))
        for x0, x1, y0, y1, share in cells(runs, x[1]))
    drawing.panel(
        box, canvas.axis("x", *x, grid=False) +
        canvas.axis("y", low, high, ticks, "", True, False),
        [f"{data} using 1:2:3:4:5:6:7 with boxxyerror lc palette "
         "fs solid noborder notitle"])


def draw(results, key, panels, chosen, letters):
    by_variant = panels[key]
    runs = [r for v in chosen for r in by_variant[v]]
    columns = 1 if len(chosen) == 1 else 2
    rows = -(-len(chosen) // columns)
    height = 300 if rows == 1 else 180
    about = (f"{machine(results)}. "
             f"{repeats([len(by_variant[v]) for v in chosen]).capitalize()}, "
             "added up. Columns are 100 %; white: none.")
    drawing = Canvas(f"{pattern(results)}how long {step(*key, panels)} took, "
                     "against directory size", about,
                     rows * (height + GAP_Y) + 40)
    low, high, ticks, title, _ = x_axis(runs)
    values = [low for r in runs for s in r.slices for low in s.map]
    range_y = max(1, min(values)) / 1.1, max(max(values), 2) * 1.35
    wide = (WIDTH - LEFT - RIGHT - GAP_X * (columns - 1)) / columns
    drawing.add(f"set palette defined ({PALETTE})",
                f"set cbrange [{math.log10(LEAST)}:0]", "set border 3")
    for n, name in enumerate(chosen):
        row, column = divmod(n, columns)
        left = LEFT + column * (wide + GAP_X)
        top = drawing.top + row * (height + GAP_Y) + 18
        last = n + columns >= len(chosen)
        drawing.text(left, top - 10, canvas.cut(
            f"{letters[name]}  {name}", int(wide / canvas.CHARACTER)))
        drawing.add("unset colorbox")
        if n == 0:
            drawing.add(*colour_axis(drawing, (
                WIDTH - RIGHT + 16, top + 36, top + height)))
        x_ticks = ticks if columns == 1 else ticks[::2]
        panel(drawing, (left, top, left + wide, top + height),
              by_variant[name],
              (low, high, x_ticks if last else [(v, "") for v, _ in x_ticks],
               ""), range_y, column == 0)
        if n == 0:
            drawing.text((LEFT + WIDTH - RIGHT) / 2, drawing.height - 14,
                         title, align="center")
    return drawing


def pictures(results, figures):
    panels = series.runs_by_panel(results)
    letters = naming.letters(results)
    found = []
    for key, by_variant in panels.items():
        mapped = {name: list(filter(has_map, runs))
                  for name, runs in by_variant.items()}
        usable = [name for name in mapped if mapped[name] and
                  max(len(r.slices) for r in mapped[name]) >= series.FEWEST]
        for name, chosen in lines.numbered(
                f"heat-{step_slug(*key, panels)}", usable):
            found.append(Picture(
                name, f"Heat map of the latency of {step(*key, panels)} "
                "along the directory's size, a panel for each variant.",
                draw(results, key, {**panels, key: mapped}, chosen,
                     letters)))
    return found, "no record has a map of latencies by position"
