"""Rate against the directory's size: a curve a variant, a picture a phase."""
import show.knees as knees
import show.lines as lines
import show.naming as naming
import show.series as series
import show.units as units
from show.canvas import WIDTH, Canvas
from show.picture import (Picture, machine, pattern, repeats, step,
                             step_slug)

HEIGHT = 360
MOST_BANDS = 4  # with more variants, bands hide each other


def curves_of(by_variant, letters, chosen):
    end = series.total([r for runs in by_variant.values() for r in runs])
    most = 64 if len(chosen) <= 2 else 32
    curves = []
    for n, name in enumerate(chosen):
        runs = by_variant[name]
        points = series.curve(runs, series.rate,
                              series.bin_count(runs, most), end)
        if points:
            curves.append(lines.Curve(letters[name], name, points, n))
    return curves


def x_axis(runs):
    end = series.total(runs)
    ticks = units.linear_ticks(0, end, units.count)
    return 0, end, ticks, series.size_title(runs), False


def draw(results, key, panels, chosen, letters, range_y):
    phase, operation = key
    by_variant = panels[key]
    curves = curves_of(by_variant, letters, chosen)
    runs = [len(by_variant[c.name]) for c in curves]
    band = None
    if max(runs) > 1 and len(by_variant) <= MOST_BANDS:
        band = "area"
    about = f"{machine(results)}. {repeats(runs).capitalize()}"
    about += (", median; band: lowest to highest run." if band else
              ", median." if max(runs) > 1 else ".")
    about += series.note(r for v in chosen for r in by_variant[v])
    if any(knees.shared(by_variant[c.name]) for c in curves):
        about += (" Dotted: knees in the cost of an operation, with what was "
                  "seen there.")
    name = step(phase, operation, panels)
    room = lines.names_room(curves, HEIGHT)
    cut = lines.cut_names(curves, room)
    drawing = Canvas(f"{pattern(results)}rate of {name} against directory "
                     "size", about, HEIGHT + 60 + lines.legend_height(cut))
    right = WIDTH - lines.names_width(curves, room)
    box = (lines.LEFT, drawing.top, right, drawing.top + HEIGHT)
    lines.legend(drawing, box[3] + 52, cut)
    x = x_axis([r for v in chosen for r in by_variant[v]])
    knees.draw(drawing, box, x[1], curves, by_variant)
    lines.panel(drawing, box, curves, x,
                ("operations per second", units.count), band, range_y)
    return drawing


def pictures(results, figures):
    panels = series.runs_by_panel(results)
    letters = naming.letters(results)
    found = []
    for key, by_variant in panels.items():
        everything = curves_of(by_variant, letters, list(by_variant))
        everything = [c for c in everything
                      if len(c.points) >= series.FEWEST]
        if not everything:
            continue
        # one range for all, so that pictures of a phase can be compared
        bands = len(everything) <= MOST_BANDS
        range_y = lines.y_range(everything, bands)
        for name, chosen in lines.numbered(
                f"rate-{step_slug(*key, panels)}",
                [c.name for c in everything]):
            found.append(Picture(
                name, f"Rate of {step(*key, panels)} against the "
                "directory's size, a curve for each variant.",
                draw(results, key, panels, chosen, letters, range_y)))
    return found, series.TOO_SHORT
