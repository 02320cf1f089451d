"""Sweep curves: rate against the value of a variable that was varied, with
intervals; a panel a phase, a curve for each line of variants."""
import show.lines as lines
import show.naming as naming
import show.units as units
from show.canvas import GREY, LINE, WIDTH, Canvas
from show.picture import Picture, machine, pattern, repeats, slug, step

HEIGHT, GAP = 200, 34
MOST_PANELS = 4


def numeric_sweeps(results):
    return [v for v in naming.swept(results) if naming.is_numeric(results, v)]


def steps_of(figures):
    """[(phase, operation, metric)]: by rate, or by time where a phase has no
    rate."""
    rated = {f.phase for f in figures if f.metric == "rate"}
    return naming.unique(
        (f.phase, f.operation, f.metric) for f in figures
        if f.metric == ("rate" if f.phase in rated else "real"))


def places_of(results, variable):
    """{variant: (line, value)} of those that have the variable."""
    places = {}
    for record in results.records:
        value = units.parse(record["labels"].get(variable, ""))
        if value is not None:
            places[naming.variant(record)] = (
                naming.line_of(record, variable), value)
    return places


def curves_of(figures, step, places):
    """The lines that have two points or more."""
    points = {}
    for f in figures:
        if (f.phase, f.operation, f.metric) == step and f.variant in places:
            line, value = places[f.variant]
            points.setdefault(line, []).append(
                (value, f.median, f.low, f.high, f.n))
    names = naming.unique(line for line, _ in places.values())
    return [lines.Curve("", name, sorted(p[:4] for p in points[name]),
                        lines.style(n))
            for n, name in enumerate(names) if len(points.get(name, ())) > 1]


def x_axis(curves, title):
    values = sorted({p[0] for c in curves for p in c.points})
    low, high = values[0], values[-1]
    if low > 0 and high / low > 10:
        return (low / 1.25, high * 1.25, value_ticks(values), title, True)
    pad = (high - low) * 0.05
    ticks = value_ticks(values) if len(values) < 9 else units.linear_ticks(
        low, high, units.count)
    return low - pad, high + pad, ticks, title, False


def value_ticks(values):
    """The values themselves."""
    return [(v, units.count(v, 4)) for v in values]


# --- the journal rule -------------------------------------------------------


def journal_rule(results):
    """4 x (directory + inode table) in MiB, and how it comes about; None
    where the records do not tell. Field experience has it that a journal
    smaller than that makes a run wait for the disk, since a quarter of it is
    what may be unwritten."""
    sizes = []
    for record in filter(naming.is_good, results.records):
        ext = record["file_system"].get("ext") or {}
        directory = record["space_after"].get("directory_bytes") or 0
        if record.get("directory_size") == "growing" and ext.get(
                "inode_size"):
            inodes = record["outcome"].get("done", 0) * ext["inode_size"]
            sizes.append((directory, inodes))
    if not sizes:
        return None
    directory, inodes = max(sizes, key=sum)
    return (4 * (directory + inodes) / 2**20,
            f"4 × (directory {units.size(directory)} + inode table "
            f"{units.size(inodes)}) = {units.size(4 * (directory + inodes))}")


def mark_rule(drawing, box, x, rule, first):
    """The rule as an upright line; where it is off the axis, only told."""
    value, text = rule
    low, high, _, _, log = x
    scale = units.math.log10 if log else float
    inside = low < value < high
    if inside:
        share = (scale(value) - scale(low)) / (scale(high) - scale(low))
        at = box[0] + share * (box[2] - box[0])
        top = box[1] - (16 if first else 0)
        drawing.line(at, top, at, box[3], f"lw 1.5 dt (6,4) lc rgb '{GREY}'")
    if first:
        text = "rule: " + text + ("" if inside else ", beyond this axis")
        left = min(at, box[2] - 6.6 * len(text)) if inside else box[0] + 8
        drawing.text(max(left, box[0]), box[1] - 26, text, GREY, 12)


# --- drawing ----------------------------------------------------------------


def draw(results, variable, panels, counts, rule):
    everything = [c for _, curves in panels for c in curves]
    longest = max((curves for _, curves in panels), key=len)
    room = lines.names_room(longest, HEIGHT)
    several = len({c.name for c in everything}) > 1
    cut = lines.cut_names(longest, room) if several else []
    about = (f"{machine(results)}. {repeats(counts).capitalize()}, median "
             "and its 95 % interval." if max(counts) > 1 else
             f"{machine(results)}. One run each.")
    head, title = LINE if rule else 0, naming.axis(variable)
    drawing = Canvas(f"{pattern(results)}rate against "
                     f"{title.split(',')[0]}",
                     about, len(panels) * (HEIGHT + GAP) + head + 36 +
                     lines.legend_height(cut))
    right = WIDTH - (lines.names_width(longest, room) if several else 30)
    for n, ((*key, metric), curves) in enumerate(panels):
        top = drawing.top + n * (HEIGHT + GAP) + head + 20
        box = (lines.LEFT, top, right, top + HEIGHT)
        x = x_axis(everything, title)
        last = n == len(panels) - 1
        if not last:
            x = (*x[:2], [(v, "") for v, _ in x[2]], "", x[4])
        drawing.text(lines.LEFT + 8, top - 10,
                     step(*key, [s for s, _ in panels]))
        if rule:
            mark_rule(drawing, box, x, rule, n == 0)
        if last:
            lines.legend(drawing, box[3] + 52, cut)
        y = (("operations per second", units.count) if metric == "rate" else
             ("seconds", units.digits))
        lines.panel(drawing, box, curves, x, y, "bars", many=False,
                    names=several)
    return drawing


def pictures(results, figures):
    found = []
    for variable in numeric_sweeps(results):
        places = places_of(results, variable)
        panels = [(step, curves) for step in steps_of(figures)
                  for curves in lines.chunks(curves_of(figures, step, places))
                  if curves]
        rule = journal_rule(results) if variable == "journal" else None
        runs = [f.n for f in figures if f.variant in places]
        for name, part in lines.numbered(f"sweep-{slug(variable)}", panels,
                                         MOST_PANELS):
            about = f"Rate against {variable}, a panel for each phase."
            if rule:
                about += f" The rule for the journal: {rule[1]}."
            found.append(Picture(name, about, draw(results, variable, part,
                                                   runs, rule)))
    return found, "no variable with numbers for values was swept"
