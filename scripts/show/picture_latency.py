"""Percentiles of latency against the directory's size: a panel for each
percentile, a curve a variant, a picture a phase."""
from statistics import median

import show.lines as lines
import show.naming as naming
import show.series as series
import show.units as units
from show.canvas import WIDTH, Canvas
from show.picture import (Picture, machine, pattern, repeats, step,
                             step_slug)
from show.picture_rate import x_axis

HEIGHT, GAP = 165, 22
MOST_BINS = 32
FEWEST = 1000  # operations to a bin for p99.9 to be more than the maximum
TITLES = {"p50": "p50, median", "p99": "p99", "p99.9": "p99.9",
          "max": "longest"}


def all_runs(by_variant, chosen):
    return [r for name in chosen for r in by_variant[name]]


def curves_of(by_variant, letters, chosen, figure):
    end = series.total(all_runs(by_variant, by_variant))
    curves = []
    for n, name in enumerate(chosen):
        runs = by_variant[name]
        points = series.curve(runs, series.FIGURES[figure],
                              series.bin_count(runs, MOST_BINS), end)
        if len(points) >= series.FEWEST:
            curves.append(lines.Curve(letters[name], name, points, n))
    return curves


def figures_of(by_variant, letters, chosen):
    """[(figure, curves)]: those that all variants have."""
    panels = []
    runs = all_runs(by_variant, chosen)
    for figure in series.FIGURES:
        enough = median(series.length_of(r) / MOST_BINS for r in runs)
        if figure == "p99.9" and enough < FEWEST:
            continue
        curves = curves_of(by_variant, letters, chosen, figure)
        if len(curves) == len(chosen):
            panels.append((figure, curves))
    return panels


def range_of(curves):
    """Latencies go by powers of ten always, over one of them at least."""
    values = [max(v, 1) for v in lines.values_of(curves, False)]
    low, high = min(values) / 1.3, max(values) * 1.3
    if high / low < 10:
        middle = (low * high) ** 0.5
        low, high = middle / 3.2, middle * 3.2
    return low, high, True


def draw(results, key, panels, chosen, letters):
    by_variant = panels[key]
    shown = figures_of(by_variant, letters, chosen)
    curves = shown[0][1]
    room = lines.names_room(curves, HEIGHT)
    runs = [len(by_variant[name]) for name in chosen]
    about = f"{machine(results)}. {repeats(runs).capitalize()}"
    about += ", median of the runs." if max(runs) > 1 else "."
    about += series.note(all_runs(by_variant, chosen))
    name = step(*key, panels)
    drawing = Canvas(f"{pattern(results)}latency of {name} against directory "
                     "size", about, len(shown) * (HEIGHT + GAP) + 46 +
                     lines.legend_height(lines.cut_names(curves, room)))
    right = WIDTH - lines.names_width(curves, room)
    low, high, ticks, title, log = x_axis(all_runs(by_variant, chosen))
    for n, (figure, curves) in enumerate(shown):
        top = drawing.top + n * (HEIGHT + GAP) + 12
        last = n == len(shown) - 1
        x = (low, high, ticks if last else [(v, "") for v, _ in ticks],
             title if last else "", log)
        drawing.text(lines.LEFT + 8, top - 8, TITLES[figure])
        if last:
            lines.legend(drawing, top + HEIGHT + 50,
                         lines.cut_names(curves, room))
        lines.panel(drawing, (lines.LEFT, top, right, top + HEIGHT), curves,
                    x, ("latency", units.duration),
                    range_y=range_of(curves),
                    weight=1 if figure == "max" else 2)
    return drawing


def pictures(results, figures):
    panels = series.runs_by_panel(results)
    letters = naming.letters(results)
    found = []
    for key, by_variant in panels.items():
        usable = [c.name for c in curves_of(by_variant, letters,
                                            list(by_variant), "p50")]
        for name, chosen in lines.numbered(
                f"latency-{step_slug(*key, panels)}", usable):
            found.append(Picture(
                name, f"Latency of {step(*key, panels)} against the "
                "directory's size: median, high percentiles and the longest.",
                draw(results, key, panels, chosen, letters)))
    return found, series.TOO_SHORT
