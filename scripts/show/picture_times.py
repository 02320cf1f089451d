"""Bars: real time and CPU time of each variant, phase by phase, with
intervals."""
import show.canvas as canvas
import show.lines as lines
import show.naming as naming
import show.units as units
from show.canvas import DARK, WIDTH, Canvas
from show.picture import Picture, machine, pattern, repeats

NAMES, VALUES, RIGHT = 230, 150, 12  # pixels
ROW, BAR, HEAD, FOOT = 38, 12, 30, 26
MOST_ROWS = 24  # in one picture
REAL, CPU = canvas.COLOURS[0], canvas.COLOURS[5]


def rows_of(figures):
    """{phase: [(variant's Figure of real time, of CPU time or None)]}"""
    phases = {}
    for f in figures:
        if f.metric in ("real", "cpu"):
            phases.setdefault(f.phase, {}).setdefault(f.letter, {})[
                f.metric] = f
    return {phase: [(v["real"], v.get("cpu")) for v in variants.values()
                    if "real" in v] for phase, variants in phases.items()}


def parts_of(phases):
    """Phases in parts of not too many rows each."""
    parts, used = [[]], 0
    for phase, rows in phases.items():
        if parts[-1] and used + len(rows) > MOST_ROWS:
            parts.append([])
            used = 0
        parts[-1].append((phase, rows))
        used += len(rows)
    return [part for part in parts if part]


def draw_key(drawing, y):
    x = NAMES
    for colour, text in ((REAL, "real time"), (CPU, "CPU time (user + sys)")):
        drawing.box(x, y - 6, x + 18, y + 6, colour)
        drawing.text(x + 24, y, text, size=canvas.SMALL)
        x += 120


def value_text(real, cpu):
    text = units.seconds(real.median)
    return text + (f", CPU {units.seconds(cpu.median)}" if cpu else "")


def name_lines(figure):
    most = int((NAMES - 20) / canvas.CHARACTER)
    return canvas.wrapped(f"{figure.letter}  {figure.variant}", most, 2)


def draw_names(drawing, figure, middle):
    found = name_lines(figure)
    for n, text in enumerate(found):
        drawing.text(NAMES - 10, middle + 15 * (n - (len(found) - 1) / 2),
                     text, align="right")


def panel(drawing, top, rows):
    """One phase, with a scale of its own."""
    box = (NAMES, top, WIDTH - VALUES - RIGHT, top + len(rows) * ROW)
    high = 1.02 * max(f.high for pair in rows for f in pair if f) or 1.0
    bars, whiskers = {REAL: [], CPU: []}, []
    for n, (real, cpu) in enumerate(rows):
        middle = (n + 0.5) * ROW
        for f, colour, at in ((real, REAL, middle - BAR / 2),
                              (cpu, CPU, middle + BAR / 2)):
            if not f:
                continue
            bars[colour].append((f.median / 2, at, 0, f.median,
                                 at - BAR / 2, at + BAR / 2))
            if f.n > 1:
                whiskers.append((f.median, at, f.low, f.high))
        longest = max(real.high, cpu.high if cpu else 0)
        draw_names(drawing, real, top + middle)
        drawing.text(NAMES + longest / high * (box[2] - NAMES) + 8,
                     top + middle, value_text(real, cpu), size=canvas.SMALL)
    plots = [f"{drawing.block(bars[colour])} using 1:2:3:4:5:6 with "
             f"boxxyerror lc rgb '{colour}' fs solid noborder notitle"
             for colour in (REAL, CPU) if bars[colour]]
    if whiskers:
        plots.append(f"{drawing.block(whiskers)} using 1:2:3:4 with "
                     f"xerrorbars lc rgb '{DARK}' pt -1 lw 1.2 notitle")
    axes = canvas.axis("x", 0, high,
                       units.linear_ticks(0, high, units.seconds))
    axes += ["unset ytics", "set grid noytics", "set border 1",
             f"set yrange [{box[3] - top}:0] noextend"]
    drawing.panel(box, axes, plots)


def draw(results, part):
    counts = [f.n for _, rows in part for f, _ in rows]
    about = f"{machine(results)}. {repeats(counts).capitalize()}"
    about += (", median and its 95 % interval." if max(counts) > 1 else ".")
    cut = naming.unique(
        f"{f.letter}  {f.variant}" for _, rows in part for f, _ in rows
        if name_lines(f)[-1].endswith("…"))
    height = sum(len(rows) * ROW + HEAD + FOOT for _, rows in part)
    drawing = Canvas(f"{pattern(results)}time for each phase", about,
                     height + 26 + lines.legend_height(cut))
    draw_key(drawing, drawing.top + 8)
    top = drawing.top + 20
    lines.legend(drawing, top + height, cut)
    for phase, rows in part:
        drawing.text(12, top + HEAD - 12, canvas.cut(phase, 100), size=15)
        panel(drawing, top + HEAD, rows)
        top += HEAD + len(rows) * ROW + FOOT
    return drawing


def pictures(results, figures):
    phases = {phase: rows for phase, rows in rows_of(figures).items() if rows}
    if not phases:
        return [], "no run has come to its end"
    parts = parts_of(phases)
    return [Picture("times" if len(parts) == 1 else f"times-{n}",
                    "Real time and CPU time of each variant in each phase.",
                    draw(results, part))
            for n, part in enumerate(parts, 1)], ""
