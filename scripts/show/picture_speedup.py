"""Speed-up: the rate with several workers by that with one, with intervals;
a panel a phase, a curve for each line of variants."""
import show.compared as compared
import show.lines as lines
import show.naming as naming
import show.units as units
from show.canvas import GREY, WIDTH, Canvas
from show.picture import Picture, machine, pattern, repeats, step
from show.picture_sweep import MOST_PANELS, value_ticks

VARIABLE = "jobs"
HEIGHT, GAP = 200, 34


def records_of_lines(results):
    """{line: [record]}, of lines that have runs with one worker and with
    more."""
    found = {}
    for record in results.records:
        if units.parse(record["labels"].get(VARIABLE, "")) is not None:
            found.setdefault(naming.line_of(record, VARIABLE),
                             []).append(record)
    return {line: some for line, some in found.items()
            if any(r["labels"][VARIABLE] == "1" and naming.is_good(r)
                   for r in some)}


def steps_of(line, records):
    """{(phase, operation): [(workers, ratio, low, high, n)]} by compare."""
    found = {}
    for f in compared.figures(records, ("rate",), VARIABLE,
                              f"{VARIABLE}=1"):
        workers = units.parse(f.variant.partition("=")[2])
        if f.letter == "A":
            point = (1, 1, 1, 1, f.n)
        elif f.ratio is not None and workers:
            low = f.ratio if f.ratio_low is None else f.ratio_low
            high = f.ratio if f.ratio_high is None else f.ratio_high
            point = (workers, f.ratio, low, high, f.n)
        else:
            continue
        found.setdefault((f.phase, f.operation), []).append(point)
    return found


def draw(results, panels, counts):
    everything = [c for _, curves in panels for c in curves]
    longest = max((curves for _, curves in panels), key=len)
    room = lines.names_room(longest, HEIGHT)
    about = f"{machine(results)}. {repeats(counts).capitalize()}"
    about += (", ratio of the medians and its 95 % interval. "
              if max(counts) > 1 else ". ")
    cut = lines.cut_names(longest, room)
    drawing = Canvas(f"{pattern(results)}speed-up by several workers",
                     about + "Grey: as many times as fast as there are "
                     "workers.", len(panels) * (HEIGHT + GAP) + 40 +
                     lines.legend_height(cut))
    right = WIDTH - lines.names_width(longest, room)
    values = sorted({p[0] for c in everything for p in c.points})
    high = max(p[3] for c in everything for p in c.points) * 1.1
    for n, (key, curves) in enumerate(panels):
        top = drawing.top + n * (HEIGHT + GAP) + 20
        box = (lines.LEFT, top, right, top + HEIGHT)
        last = n == len(panels) - 1
        ticks = value_ticks(values) if last else [(v, "") for v in values]
        x = (values[0] / 1.1, values[-1] * 1.1, ticks,
             "workers" if last else "", True)
        drawing.text(lines.LEFT + 8, top - 10,
                     step(*key, [s for s, _ in panels]))
        if last:
            lines.legend(drawing, box[3] + 52, cut)
        ideal = f"x with lines lw 1.2 dt (6,4) lc rgb '{GREY}' notitle"
        lines.panel(drawing, box, curves, x, ("times as fast", units.digits),
                    "bars", (0.0, max(high, 1.5), False), many=False,
                    behind=[ideal])
    return drawing


def pictures(results, figures):
    if VARIABLE not in naming.swept(results):
        return [], f"the label {VARIABLE} does not have several values"
    steps, counts = {}, []
    for n, (line, records) in enumerate(records_of_lines(results).items()):
        for step, points in steps_of(line, records).items():
            if len(points) > 1:
                counts += [p[4] for p in points]
                steps.setdefault(step, []).append(lines.Curve(
                    "", line, sorted(p[:4] for p in points),
                    lines.style(n)))
    panels = [(step, part) for step, curves in steps.items()
              for part in lines.chunks(curves)]
    found = [Picture(name, "How many times as fast several workers are as "
                     "one.", draw(results, part, counts))
             for name, part in lines.numbered("speedup", panels, MOST_PANELS)]
    return found, f"no variant has runs with {VARIABLE}=1 and with more"
