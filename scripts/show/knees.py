"""Knees in the cost along a run, as the tools have found and named them."""
from collections import namedtuple

import show.canvas as canvas
import show.series as series

# low, high: sizes (as on the axis) that it lies between
Knee = namedtuple("Knee", "low high names")

NAMES = {"index-depth": "index depth", "device-reads": "device reads",
         "memory-limit": "memory limit", "memory-short": "memory short",
         "journal-full": "journal full", "write-back": "write-back",
         "device-writes": "device writes", "preempted": "processor shared",
         "others-busy": "others busy"}
UNNAMED = "knee"
ROWS = 4  # of names, below each other
ROW = 15  # pixels


def names_of(knee):
    causes = knee.get("causes")
    found = [NAMES[c["cause"]] for c in causes
             if isinstance(c, dict) and c.get("cause") in NAMES
             ] if isinstance(causes, list) else []
    return found or [UNNAMED]


def of_run(run):
    """Those of one run, by the directory's size where it is on the axis."""
    shrinks = run.record.get("directory_size") == "shrinking"
    found, knees = [], run.operation.get("knees")
    for knee in knees if isinstance(knees, list) else []:
        if not isinstance(knee, dict):
            continue
        ends = [knee.get("low"), knee.get("high")]
        if not series.is_column(ends):
            continue
        if shrinks:
            ends = [max(0, series.length_of(run) - end) for end in ends]
        found.append(Knee(min(ends), max(ends), names_of(knee)))
    return found


def slack(run):
    """Knees of two runs are one where they are but a slice apart."""
    return run.slices[0].width


def shared(runs):
    """Those that most of the runs have, each once, where the first of them
    has it; with the names that most of these give it."""
    every = [of_run(run) for run in runs]
    found, wide = [], max(map(slack, runs))
    for knees in every:
        for knee in knees:
            same = [next((k for k in other if k.low <= knee.high + wide and
                          knee.low <= k.high + wide), None)
                    for other in every]
            same = [k for k in same if k]
            taken = any(f.low <= knee.high + wide and
                        knee.low <= f.high + wide for f in found)
            if taken or 2 * len(same) <= len(runs):
                continue
            names = [n for n in NAMES.values()
                     if 2 * sum(n in k.names for k in same) > len(same)]
            found.append(Knee(knee.low, knee.high, names or [UNNAMED]))
    return found


def draw(drawing, box, end, curves, by_variant):
    """A thin line at each, in the colour of its curve, with its name."""
    marks = sorted((((k.low + k.high) / 2, c, k.names[0]) for c in curves
                    for k in shared(by_variant[c.name])),
                   key=lambda mark: mark[0])
    free = [box[0]] * ROWS  # where each row of names is free again
    for x, curve, name in marks:
        x = box[0] + min(1.0, x / end) * (box[2] - box[0])
        colour = canvas.COLOURS[curve.style]
        drawing.line(x, box[1], x, box[3], f"lw 0.8 dt (2,3) lc rgb '{colour}'")
        text = f"{curve.letter} {name}" if curve.letter else name
        width = canvas.CHARACTER * len(text) * canvas.SMALL / 13
        left = min(x + 3, box[2] - width)
        row = next((r for r in range(ROWS) if free[r] <= left), None)
        if row is None:
            continue  # the line is there, and the report has the name
        free[row] = left + width + 6
        drawing.text(left, box[3] - 10 - ROW * row, text, colour, canvas.SMALL)
