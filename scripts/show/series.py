"""Figures along a run, from the slices of its timeline by position.

Runs of one variant are cut into the same bins, so that a curve is the median
of its runs, bin by bin.
"""
from collections import namedtuple
from statistics import median

import show.naming as naming

# positions from first to before first + width; times in ns
Slice = namedtuple("Slice", "first width count start end p50 p99 max map")

# What one kind of operation of a phase did: the record, and the operation.
Run = namedtuple("Run", "record operation slices")

FEWEST = 4  # slices that make a curve
TOO_SHORT = f"no phase has a timeline of {FEWEST} slices or more"

COLUMNS = ("first", "count", "start_ns", "end_ns", "p50_ns", "p99_ns",
           "max_ns")


def is_column(values):
    return isinstance(values, list) and all(
        isinstance(v, int) and not isinstance(v, bool) and v >= 0
        for v in values)


def read_map(timeline, length):
    """For each slice, {lowest latency of the row: how many}; or None for
    each where the record has no map."""
    lows = timeline.get("bucket_low_ns")
    rows = timeline.get("bucket_count")
    if not (is_column(lows) and isinstance(rows, list) and rows and
            len(rows) == len(lows) and
            all(is_column(r) and len(r) == length for r in rows)):
        return [None] * length
    return [{low: row[i] for low, row in zip(lows, rows) if row[i]}
            for i in range(length)]


def slices_of(operation):
    """Its Slices that have counted anything."""
    timeline = operation.get("by_position")
    if not isinstance(timeline, dict):
        return []
    columns = [timeline.get(key) for key in COLUMNS]
    width = timeline.get("width")
    if not (all(map(is_column, columns)) and is_column([width]) and
            width and len({len(c) for c in columns}) == 1):
        return []
    maps = read_map(timeline, len(columns[0]))
    return [Slice(first, width, *rest, map)
            for (first, *rest), map in zip(zip(*columns), maps) if rest[0]]


def runs_by_panel(results):
    """{(phase, operation): {variant: [Run]}}, of runs that count and have
    slices, in the order met."""
    panels = {}
    for record in filter(naming.has_curve, results.records):
        for operation in record["operations"]:
            slices = slices_of(operation)
            if not slices:
                continue
            key = naming.phase(record), str(operation.get("operation", "?"))
            panels.setdefault(key, {}).setdefault(
                naming.variant(record), []).append(
                    Run(record, operation, slices))
    return panels


def length_of(run):
    """Positions: of a directory that shrinks those planned, as its size goes
    by what is left."""
    last = run.slices[-1]
    planned = run.record["plan"].get("count")
    if run.record.get("directory_size") != "shrinking" or not isinstance(
            planned, int):
        planned = 0
    return max(last.first + max(last.count, 1), planned)


def note(runs):
    """What must be said of curves that end early, or nothing."""
    cut_short = any(not naming.is_good(r.record) for r in runs)
    return " Some runs ended when their time was up." if cut_short else ""


def total(runs):
    """Positions of the longest run."""
    return max(map(length_of, runs))


def direction(runs):
    """growing, shrinking or constant: what operations do to the directory."""
    ways = {run.record.get("directory_size") for run in runs}
    return ways.pop() if len(ways) == 1 else "constant"


def size_title(runs):
    """What the axis of positions is called."""
    return {"growing": "entries in the directory, of this run",
            "shrinking": "entries left in the directory "
                         "(the run goes from right to left)",
            }.get(direction(runs), "operations done (the directory's size "
                                   "stays the same)")


def bin_count(runs, most):
    return min(most, max(len(run.slices) for run in runs))


def cut(run, bins, end):
    """The run's slices in `bins` lists: where their middles lie in 0..end.
    Of a directory that shrinks, the first bin is the smallest size."""
    parts = [[] for _ in range(bins)]
    shrinks = run.record.get("directory_size") == "shrinking"
    for s in run.slices:
        middle = s.first + min(s.width, s.count) / 2
        if shrinks:
            middle = length_of(run) - middle
        parts[min(bins - 1, max(0, int(middle / end * bins)))].append(s)
    return parts


def rate(part):
    """Operations a second over neighbouring slices; None without any time."""
    if not part:
        return None
    time = max(s.end for s in part) - min(s.start for s in part)
    return sum(s.count for s in part) / time * 1e9 if time > 0 else None


def quantile(part, share):
    """From the map of latencies, to 1/8 of the value. None without a map, or
    where it would be but the maximum."""
    if not part or any(s.map is None for s in part):
        return None
    counts = {}
    for s in part:
        for low, n in s.map.items():
            counts[low] = counts.get(low, 0) + n
    wanted = share * sum(counts.values())
    if sum(counts.values()) * (1 - share) < 1:
        return None
    for low in sorted(counts):
        wanted -= counts[low]
        if wanted <= 0:
            return low * 1.125 if low >= 4 else low
    return None


# Figures of latency in a bin. A percentile of a bin is the median of those
# of its slices, which are known better than the map tells.
FIGURES = {
    "p50": lambda part: median(s.p50 for s in part) if part else None,
    "p99": lambda part: median(s.p99 for s in part) if part else None,
    "p99.9": lambda part: quantile(part, 0.999),
    "max": lambda part: max(s.max for s in part) if part else None,
}


def curve(runs, figure, bins, end):
    """[(position, median, lowest, highest)] over the runs, of the bins where
    most of them have a value."""
    columns = [[figure(part) for part in cut(run, bins, end)]
               for run in runs]
    points = []
    for i in range(bins):
        values = [c[i] for c in columns if c[i] is not None]
        if values and 2 * len(values) >= len(runs):
            points.append(((i + 0.5) / bins * end, median(values),
                           min(values), max(values)))
    return points
