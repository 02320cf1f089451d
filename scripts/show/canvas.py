"""A drawing of one or more panels, and gnuplot to make it.

A canvas has a size in pixels; panels are placed on it in pixels from its top
left corner. Texts reach gnuplot escaped, and are drawn as they are
(noenhanced): no name can be a command, or markup.
"""
import os
import shutil
import subprocess
import tempfile
import textwrap
import unicodedata

from show.reading import Unusable

WIDTH = 800
SMALL = 12  # size of notes and ticks
LINE = 17  # pixels from one line of text to the next
CHARACTER = 7.3  # pixels that a character of ordinary size takes, on average
GREY, DARK, PALE = "#595959", "#222222", "#d0d0d0"

# Okabe and Ito's palette, safe for all kinds of colour vision; its yellow is
# too pale for lines on white, a grey stands in. Lines differ by dashes and
# points, too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00",
           "#000000", "#999999")
DASHES = ("solid", "(14,5)", "(3,4)", "(14,4,3,4)", "solid", "(14,5)",
          "(3,4)", "(14,4,3,4)")
POINTS = (7, 5, 9, 13, 6, 4, 8, 12)
MOST_LINES = len(COLOURS)


def clean(text):
    """As it can stand on one line: no control character."""
    return "".join("\ufffd" if unicodedata.category(c)[0] == "C" else c
                   for c in str(text).replace("\n", " ").replace("\t", " "))


def quoted(text):
    """As gnuplot reads it: whatever could have a meaning is an octal escape,
    which it turns back when all else has been parsed. A digit after an escape
    would be taken into it."""
    parts, escaped = [], False
    for c in clean(text):
        plain = ord(c) > 127 or c.isalpha() or c in " ,.:=()/+-<>;"
        escaped = not plain and not (c.isdigit() and not escaped)
        parts.append(f"\\{ord(c):03o}" if escaped else c)
    return '"' + "".join(parts) + '"'


def cut(text, most):
    text = clean(text)
    return text if len(text) <= most else text[:most - 1] + "…"


def wrapped(text, most, lines):
    """In lines of at most so many characters, at most so many of them."""
    found = textwrap.wrap(clean(text), most) or [""]
    if len(found) > lines:
        found[lines - 1] = cut(found[lines - 1] + " " + found[lines], most)
    return found[:lines]


class Canvas:
    def __init__(self, title, about, height=500):
        """A title, and below it, smaller, what else must be known. `height`
        is what panels take; the head comes on top."""
        self.lines, self.data = [], []
        self.title, self.about = clean(title), clean(about)
        self.labels = []
        heads = wrapped(title, 82, 2)
        notes = wrapped(about, 108, 3)
        self.top = 10 + 21 * len(heads) + LINE * len(notes) + 8
        self.height = int(height + self.top)
        for n, text in enumerate(heads):
            self.text(12, 16 + 21 * n, text, size=16)
        for n, text in enumerate(notes):
            self.text(12, 16 + 21 * len(heads) + LINE * n, text, GREY, SMALL)

    # --- places, in pixels from the top left corner

    def at(self, x, y):
        return f"screen {x / WIDTH:.5f}, screen {1 - y / self.height:.5f}"

    def text(self, x, y, text, colour=DARK, size=13, align="left", turn=0):
        """Its middle line is at y. Texts go onto the next panel."""
        self.labels.append(
            f"set label {quoted(text)} at {self.at(x, y)} {align} "
            f"rotate by {turn} font ',{size}' tc rgb '{colour}' front")

    def line(self, x1, y1, x2, y2, style):
        self.labels.append(f"set arrow from {self.at(x1, y1)} to "
                           f"{self.at(x2, y2)} nohead {style} front")

    def y_title(self, box, text):
        """Beside a panel, clear of its ticks however wide they are."""
        self.text(14, (box[1] + box[3]) / 2, text, align="center", turn=90)

    def box(self, x1, y1, x2, y2, colour, border=None):
        edge = f"border rgb '{border}'" if border else "noborder"
        self.labels.append(
            f"set object rectangle from {self.at(x1, y1)} to "
            f"{self.at(x2, y2)} fillcolor rgb '{colour}' "
            f"fillstyle solid {edge} front")

    # --- panels

    def block(self, rows):
        """Rows of numbers, as data for plot; its name."""
        name = f"$d{len(self.data)}"
        text = "\n".join(
            " ".join("NaN" if v is None else f"{v:.9g}" for v in row)
            for row in rows)
        self.data.append(f"{name} << EOD\n{text}\nEOD")
        return name

    def add(self, *commands):
        self.lines += commands

    def panel(self, box, axes, plots):
        """box: left, top, right, bottom in pixels. plots: what `plot` is to
        draw, or none."""
        left, top, right, bottom = box
        self.add("unset label", "unset arrow", "unset object", *self.labels,
                 f"set lmargin at screen {left / WIDTH:.5f}",
                 f"set rmargin at screen {right / WIDTH:.5f}",
                 f"set tmargin at screen {1 - top / self.height:.5f}",
                 f"set bmargin at screen {1 - bottom / self.height:.5f}",
                 *axes, "plot " + ", ".join(plots or ["NaN notitle"]))
        self.labels = []

    def script(self):
        """Commands that draw it, when its data are there."""
        return "\n".join([
            "set multiplot", "unset key", "set tics nomirror",
            f"set border 3 lc rgb '{GREY}'",
            f"set tics textcolor rgb '{DARK}' font ',{SMALL}'", *self.lines,
            "unset multiplot"])


def places(ticks):
    """Ticks, (value, text) each; gnuplot takes the texts for formats."""
    return "(" + ", ".join(f"{quoted(text.replace('%', '%%'))} {value:.9g}"
                           for value, text in ticks) + ")"


def axis(name, low, high, ticks, title="", log=False, grid=True):
    """Commands for the axis 'x' or 'y': its range, ticks as (value, text),
    its title."""
    style = f" lt 1 lc rgb '{PALE}' lw 1" if grid else ""
    return [f"set logscale {name}" if log else f"unset logscale {name}",
            f"set {name}range [{low:.9g}:{high:.9g}] noextend",
            f"set {name}tics {places(ticks)}",
            f"set {name}label {quoted(title)} font ',13' "
            f"tc rgb '{DARK}' offset 0,0",
            f"set grid {'' if grid else 'no'}{name}tics{style}"]


# --- making it --------------------------------------------------------------


def terminal(kind, canvas):
    size = f"size {WIDTH},{canvas.height} noenhanced background rgb 'white'"
    if kind == "png":
        return f"set terminal pngcairo {size} font 'sans,12' fontscale 0.75"
    return f"set terminal svg {size} font 'sans-serif,12' dashlength 1"


def find_gnuplot():
    path = shutil.which("gnuplot")
    if not path:
        raise Unusable("gnuplot is not installed, and draws the pictures; "
                       "on Debian: apt-get install gnuplot-nox")
    return path


def script(canvas, kinds):
    """The whole of what gnuplot is to do: data once, then each kind."""
    parts = ["set encoding utf8", *canvas.data]
    for kind in kinds:
        parts += ["reset", terminal(kind, canvas), f"set output '{kind}'",
                  canvas.script(), "unset output"]
    return "\n".join(parts) + "\n"


def draw(canvas, path, kinds=("png", "svg")):
    """Write path.png and path.svg, each whole or not at all. Unusable: one
    of them could not be made."""
    gnuplot = find_gnuplot()
    with tempfile.TemporaryDirectory(prefix="bigdir-plot.") as place:
        done = subprocess.run([gnuplot, "-d", "-"], cwd=place,
                              input=script(canvas, kinds).encode(),
                              capture_output=True, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        # it goes on after errors, and may warn of what does no harm
        told = done.stderr.decode(errors="replace").split("\n")
        errors = " ".join(" ".join(line for line in told
                                   if "warning:" not in line).split())
        made = [os.path.join(place, kind) for kind in kinds]
        if done.returncode or errors or not all(
                os.path.exists(m) and os.path.getsize(m) for m in made):
            raise Unusable(f"{path}: gnuplot: "
                           f"{errors[:300] or 'it drew nothing'}")
        for kind in kinds:
            shutil.copyfile(os.path.join(place, kind), f"{path}.{kind}.new")
            os.replace(f"{path}.{kind}.new", f"{path}.{kind}")
