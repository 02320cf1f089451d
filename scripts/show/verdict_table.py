"""The verdict's table: what each variant did, as texts."""
import show.units as units
from show.verdict import COLD, FILL, HIGHEST, RAMP, STEADY, WARM


def median(choice, phase, metric, write, operation=""):
    figure = choice.figure(phase, metric, operation)
    return write(figure.median) if figure else "-"


def p99(choice, operation):
    return median(choice, STEADY, "p99", units.duration, operation)


def interval(choice):
    figure = choice.figure(HIGHEST.phase, HIGHEST.metric)
    if not figure or figure.n < 2:
        return "-"
    return f"{units.count(figure.low)} to {units.count(figure.high)}"


def an_object(choice, metric, write):
    """What filling took, by the number of objects."""
    counts = sorted(filter(None, (r["plan"].get("count") for r in
                                  choice.records.get(FILL, ()))))
    if not counts:
        return "-"
    return median(choice, FILL, metric,
                  lambda v: write(v / counts[len(counts) // 2]))


# title, and how a variant's text comes about
COLUMNS = (
    ("n", lambda c: str(c.n())),
    ("highest rate", lambda c: median(c, RAMP, "highest", units.rate)),
    ("95 % interval", interval),
    ("p99 hit", lambda c: p99(c, "hit")),
    ("p99 miss", lambda c: p99(c, "miss")),
    ("p99 create + rename",
     lambda c: f"{p99(c, 'create')} + {p99(c, 'rename')}"),
    ("p99 evict", lambda c: p99(c, "evict")),
    ("hit ratio", lambda c: median(c, STEADY, "hits",
                                   lambda v: f"{units.digits(v)} %")),
    ("space/object", lambda c: an_object(c, "blocks", units.size)),
    ("inodes/object", lambda c: an_object(c, "inodes",
                                          lambda v: units.digits(v, 4))),
    ("cold start", lambda c: median(c, COLD, "real", units.seconds)),
    ("warm start", lambda c: median(c, WARM, "real", units.seconds)),
)


def titles():
    return ["", "variant", *(title for title, _ in COLUMNS)]


def rows(choices):
    return [[c.letter, c.name, *(text(c) for _, text in COLUMNS)]
            for c in choices]
