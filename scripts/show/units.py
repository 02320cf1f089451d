"""Numbers, sizes and times as people write them, and ticks of axes."""
import math
import re

NANO = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))
BINARY = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"),
          (1, "B"))
DECIMAL = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def digits(value, places=3):
    """To so many digits, without an exponent or zeros that say nothing."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "?"
    after = max(0, places - 1 - math.floor(math.log10(abs(value)) + 1e-9))
    text = f"{value:,.{after}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def scaled(value, steps, gap=" ", places=3):
    if value == 0:
        return "0"
    for size, unit in steps:
        if abs(value) >= size * (1 - 1e-9):
            return digits(value / size, places) + gap + unit
    return digits(value / steps[-1][0], places) + gap + steps[-1][1]


def duration(ns, places=3):
    return scaled(ns, NANO, places=places)


def seconds(s, places=3):
    return duration(s * 1e9, places) if s < 1 else f"{digits(s, places)} s"


def size(count):
    return scaled(count, BINARY)


def count(value, places=3):
    """58.7k, 300k, 12"""
    if abs(value) < 1000:
        return digits(value, places)
    return scaled(value, DECIMAL, "", places)


def rate(value):
    return count(value) + "/s"


def times(ratio):
    return f"{ratio:.2f}" if ratio < 1.095 else f"{ratio:.{ratio < 10:d}f}"


def parse(text):
    """The number that a label's value is, with a suffix or without; None if
    it is none."""
    match = re.fullmatch(r"([+-]?[0-9]+(?:\.[0-9]+)?)([kKMGT]?)i?B?",
                         str(text))
    if not match:
        return None
    return float(match[1]) * 1000.0 ** " KMGT".index(
        match[2].upper() or " ")


# --- ticks: lists of (value, text) ------------------------------------------


def linear_ticks(low, high, text, most=6):
    """At round steps, `most` of them at most."""
    if not high > low:
        return [(low, text(low))]
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    for factor in (1, 2, 2.5, 5, 10, 20):
        if (high - low) / (step * factor) <= most:
            step *= factor
            break
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [(i * step, text(i * step)) for i in range(first, last + 1)]


def log_ticks(low, high, text):
    """At 1, 2 and 5 of each power of ten where there is room, or at powers
    alone."""
    decades = range(math.floor(math.log10(low)) - 1,
                    math.ceil(math.log10(high)) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        values = [f * 10.0**d for d in decades for f in factors]
        inside = [v for v in values if low * 0.999 <= v <= high * 1.001]
        if len(inside) <= 8:
            break
    return [(v, text(v)) for v in inside]
