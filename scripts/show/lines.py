"""Panels of curves, each with its name on it."""
from collections import namedtuple

import show.canvas as canvas
import show.units as units

NAMES = 200  # most pixels at the right that names take
LEFT = 78  # and at the left, the ticks and the title of the axis
LEADER = 26  # from a curve to its name

# points: (x, y) or (x, y, low, high). style: which colour, dash and point.
Curve = namedtuple("Curve", "letter name points style")


def style(number):
    return number % canvas.MOST_LINES


def chunks(items, most=canvas.MOST_LINES):
    """In parts of at most so many, of about one size."""
    parts = -(-len(items) // most) or 1
    return [items[i * len(items) // parts:(i + 1) * len(items) // parts]
            for i in range(parts)]


def numbered(name, items, most=canvas.MOST_LINES):
    """(name of a picture, what is on it), for each part of them; the names
    have a number where there are several. Nothing of nothing."""
    parts = chunks(items, most) if items else []
    for n, part in enumerate(parts, 1):
        yield f"{name}-{n}" if len(parts) > 1 else name, part


# --- names ------------------------------------------------------------------


def label(curve):
    return f"{curve.letter}  {curve.name}" if curve.letter else curve.name


def label_lines(curve, room):
    """The name as it stands beside a curve: two lines where there is room."""
    most = int((NAMES - LEADER - 8) / canvas.CHARACTER)
    return canvas.wrapped(label(curve), most, room)


def names_width(curves, room):
    """What the names take at the right, in pixels."""
    longest = max(len(text) for c in curves
                  for text in label_lines(c, room))
    return LEADER + 8 + int(longest * canvas.CHARACTER)


def cut_names(curves, room):
    """Labels of those whose names do not fit beside their curves."""
    return [label(c) for c in curves
            if label_lines(c, room)[-1].endswith("…")]


def spread(wanted, heights, top, bottom):
    """Middles as near as can be to those wanted, in the same order, of labels
    that do not overlap between top and bottom."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    middles, edge = [0.0] * len(wanted), top
    for i in order:
        middles[i] = max(wanted[i], edge + heights[i] / 2)
        edge = middles[i] + heights[i] / 2
    edge = bottom
    for i in reversed(order):
        middles[i] = min(middles[i], edge - heights[i] / 2)
        edge = middles[i] - heights[i] / 2
    return middles


def names_room(curves, height):
    return 2 if len(curves) * 2 * canvas.LINE <= height else 1


def legend_height(names):
    """What legend() takes, in pixels."""
    return sum(canvas.LINE * len(canvas.wrapped(name, 100, 3))
               for name in names) + (10 if names else 0)


def legend(drawing, top, names):
    """Whole names, below the panels, of those that were cut."""
    for name in names:
        for text in canvas.wrapped(name, 100, 3):
            drawing.text(12, top + 8, text)
            top += canvas.LINE


# --- ranges -----------------------------------------------------------------


def values_of(curves, band):
    return [v for c in curves for p in c.points
            for v in (p[1:] if band else p[1:2])]


def y_range(curves, band, wide=20):
    """low, high, log: from zero, or by powers of ten where the values differ
    so much that zero would hide the small ones."""
    values = values_of(curves, band)
    low, high = min(values), max(values)
    if low > 0 and high / low > wide:
        return low / 1.25, high * 1.25, True
    return 0.0, high * 1.06 or 1.0, False


# --- a panel ----------------------------------------------------------------


def place(value, low, high, log, box):
    """The y of a value in a panel, in pixels."""
    if log:
        value, low, high = (units.math.log10(max(v, 1e-300))
                            for v in (value, low, high))
    share = (value - low) / (high - low)
    return box[3] - min(1.0, max(0.0, share)) * (box[3] - box[1])


def draw_names(drawing, curves, box, range_y, room):
    ends = [place(c.points[-1][1], *range_y, box) for c in curves]
    texts = [label_lines(c, room) for c in curves]
    middles = spread(ends, [canvas.LINE * len(t) for t in texts],
                     box[1] - 8, box[3] + 8)
    for c, end, middle, text in zip(curves, ends, middles, texts):
        colour = canvas.COLOURS[c.style]
        drawing.line(box[2] + 2, end, box[2] + LEADER - 4, middle,
                     f"lw 1.6 lc rgb '{colour}'")
        for n, part in enumerate(text):
            y = middle + canvas.LINE * (n - (len(text) - 1) / 2)
            drawing.text(box[2] + LEADER, y, part)


def plot_curve(drawing, curve, band, many, weight):
    """What draws one curve: a band of its repeats, to be below all lines;
    and the line."""
    n = curve.style
    data = drawing.block(curve.points)
    colour = canvas.COLOURS[n]
    every = max(1, len(curve.points) // 8)
    line = (f"with linespoints lw {weight} lc rgb '{colour}' "
            f"dt {canvas.DASHES[n]} pt {canvas.POINTS[n]} ps 0.8 "
            f"pi {every if many else 1} notitle")
    below, plots = [], [f"{data} using 1:2 {line}"]
    if band == "area":
        below = [f"{data} using 1:3:4 with filledcurves fc rgb "
                 f"'#D0{colour[1:]}' fs solid noborder notitle"]
    elif band == "bars":
        plots.append(f"{data} using 1:2:3:4 with yerrorbars lw 1.5 "
                     f"lc rgb '{colour}' pt {canvas.POINTS[n]} ps 0.8 "
                     "notitle")
    return below, plots


def panel(drawing, box, curves, x, y, band=None, range_y=None, many=True,
          behind=(), weight=2, names=True):
    """x: (low, high, ticks, title, log). y: (title, how a value is written).
    band: None, "area" or "bars", for points with low and high. many: points
    are so near that only some get a mark. behind: what else to plot."""
    range_y = range_y or y_range(curves, band)
    low, high, log = range_y
    write = units.log_ticks if log else units.linear_ticks
    most = {} if log else {"most": max(2, int((box[3] - box[1]) / 45))}
    ticks = write(low, high, y[1], **most)
    x_low, x_high, x_ticks, x_title, x_log = x
    if names:
        draw_names(drawing, curves, box, range_y,
                   names_room(curves, box[3] - box[1]))
    below, above = zip(*(plot_curve(drawing, c, band, many, weight)
                         for c in curves))
    plots = [p for part in below + above for p in part]
    drawing.y_title(box, y[0])
    axes = (canvas.axis("x", x_low, x_high, x_ticks, x_title, x_log) +
            canvas.axis("y", low, high, ticks, "", log))
    drawing.panel(box, axes, [*behind, *plots])
