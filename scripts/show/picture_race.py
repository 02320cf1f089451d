"""A race: how many times as fast ours is as each peer, and as the bare loop,
with the same names; a panel for each file system, a picture for each number of
workers."""
from collections import namedtuple
from math import log

import show.canvas as canvas
import show.compared as compared
import show.naming as naming
import show.units as units
from show.canvas import DARK, GREY, WIDTH, Canvas
from show.picture import Picture, machine, repeats

STEPS = ("create", "stat", "rename", "delete")
OURS, BARE = "ours", "bare"
TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50)
NAMES, RIGHT = 170, 24  # pixels
ROW, HEAD, FOOT = 17, 30, 46
# What differs: the colour, gnuplot's point, and the place in the row
SHAPES = (("a peer", canvas.COLOURS[0], 7, 0.34),
          ("bare loop", canvas.COLOURS[1], 9, 0.68))

# Whose names, who runs, with how many workers
Entry = namedtuple("Entry", "names runner workers")
# ratios: {runner: Figure}, ours by it
Row = namedtuple("Row", "step peer ratios")


def entry_of(record):
    parts = record["labels"].get("entry", "").split("/")
    return Entry(*parts) if len(parts) == 3 else None


def system_of(record):
    return naming.variant(record).split(" ")[0]


def groups_of(results):
    """{workers: {file system: {names: [record]}}}"""
    groups = {}
    for record in results.records:
        entry = entry_of(record)
        if entry and naming.is_good(record) and \
                naming.phase(record) in STEPS:
            groups.setdefault(entry.workers, {}).setdefault(
                system_of(record), {}).setdefault(
                entry.names, []).append(record)
    return groups


def ratios_to(records, entry):
    """{step: Figure} of ours, whose ratio is to the entry."""
    ours = entry._replace(runner=OURS)
    found = compared.figures(records, ("rate",), "entry",
                             "entry=" + "/".join(entry))
    return {f.phase: f for f in found if f.ratio is not None and
            f.variant == "entry=" + "/".join(ours)}


def rows_of(groups):
    """The Rows of one file system, by step."""
    rows = []
    for records in groups.values():
        entries = set(map(entry_of, records))
        ratios = {e.runner: ratios_to(records, e) for e in entries
                  if e.runner != OURS}
        bare = ratios.pop(BARE, {})
        for peer, of_peer in sorted(ratios.items()):
            rows += [Row(step, peer, {peer: figure, **(
                {BARE: bare[step]} if step in bare else {})})
                     for step, figure in of_peer.items()]
    return sorted(rows, key=lambda row: STEPS.index(row.step))


def points(drawing, rows, runner_of, shape):
    """What draws the ratios to one kind of runner, a row each."""
    _, colour, point, place = shape
    block = []
    for n, row in enumerate(rows):
        figure = row.ratios.get(runner_of(row))
        if figure:
            low = figure.ratio if figure.ratio_low is None \
                else figure.ratio_low
            high = figure.ratio if figure.ratio_high is None \
                else figure.ratio_high
            block.append((figure.ratio, n + place, low, high))
    if not block:
        return []
    return [f"{drawing.block(block)} using 1:2:3:4 with xerrorbars "
            f"lc rgb '{colour}' pt {point} ps 0.8 lw 1.2 notitle"]


def panel(drawing, top, name, rows, span, last):
    box = (NAMES, top + HEAD, WIDTH - RIGHT, top + HEAD + ROW * len(rows))
    drawing.text(12, top + HEAD / 2 + 2, name, size=15)
    for n, row in enumerate(rows):
        first = n == 0 or rows[n - 1].step != row.step
        y = box[1] + ROW * (n + 0.5)
        if first:
            drawing.text(12, y, row.step)
        drawing.text(NAMES - 10, y, canvas.cut(row.peer, 14), align="right")
    ticks = [(v, units.digits(v)) for v in TICKS if span[0] < v < span[1]]
    drawing.line(*one(box, span), f"lw 1.5 lc rgb '{DARK}'")
    axes = canvas.axis("x", *span, ticks if last else
                       [(v, "") for v, _ in ticks],
                       "ours is so many times as fast" if last else "",
                       log=True)
    axes += ["unset ytics", "set grid noytics", "set border 1",
             f"set yrange [{len(rows)}:0] noextend"]
    drawing.panel(box, axes,
                  points(drawing, rows, lambda row: row.peer, SHAPES[0]) +
                  points(drawing, rows, lambda row: BARE, SHAPES[1]))
    return box[3]


def one(box, span):
    """Where 1 is on the axis: from its top to its bottom."""
    x = box[0] + (box[2] - box[0]) * log(1 / span[0]) / log(span[1] / span[0])
    return x, box[1], x, box[3]


def legend(drawing, y):
    x = NAMES
    for name, colour, point, _ in SHAPES:
        drawing.labels.append(
            f"set label '' at {drawing.at(x, y)} point pt {point} ps 0.8 "
            f"lc rgb '{colour}' front")
        drawing.text(x + 12, y, f"by {name}", GREY, canvas.SMALL)
        x += 150


def draw(results, workers, systems):
    """systems: {file system: [Row]}"""
    figures = [f for rows in systems.values() for row in rows
               for f in row.ratios.values()]
    counts = [f.n for f in figures]
    ends = [v for f in figures
            for v in (f.ratio, f.ratio_low, f.ratio_high) if v]
    span = (min(0.7, *ends) / 1.05, max(1.5, *ends) * 1.05)
    several = "" if workers == "1" else f"; {workers} workers"
    drawing = Canvas(
        "race: ours by each peer, and by the bare loop, with equal names"
        + several,
        f"{machine(results)}. {repeats(counts).capitalize()}, ratio of the "
        "median rates" + (" and its 95 % interval" if max(counts) > 1
                          else "") + ". Right of the line ours is faster.",
        sum(HEAD + ROW * len(rows) for rows in systems.values()) + FOOT + 22)
    legend(drawing, drawing.top + 6)
    top = drawing.top + 14
    for n, (name, rows) in enumerate(systems.items()):
        top = panel(drawing, top, name, rows, span, n == len(systems) - 1)
    return drawing


def pictures(results, figures):
    found = []
    for workers, systems in sorted(groups_of(results).items()):
        rows = {name: rows_of(groups) for name, groups in systems.items()}
        rows = {name: some for name, some in rows.items() if some}
        if rows:
            found.append(Picture(
                f"race-{workers}", "How many times as fast ours is as each "
                f"peer and the bare loop, workers: {workers}.",
                draw(results, workers, rows)))
    return found, "no run is of a race: entry=NAMES/RUNNER/WORKERS"
