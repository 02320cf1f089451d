"""Medians, intervals and tests: what build/compare makes of the records."""
import csv
import io
import json
import os
import shutil
import subprocess
import tempfile

from show.reading import Unusable

HERE = os.path.dirname(os.path.realpath(__file__))
PLACES = (os.environ.get("BUILD", ""),
          os.path.join(HERE, "..", "..", "build"))
METRICS = ("real", "cpu", "rate", "p50", "p99", "p99.9", "max", "highest")


def find_compare():
    for place in PLACES:
        path = os.path.join(place, "compare")
        if place and os.access(path, os.X_OK):
            return path
    path = shutil.which("compare")
    # image tools have a program of that name, too
    if path and b"records" in subprocess.run(
            [path, "--help"], capture_output=True, check=False).stdout:
        return path
    raise Unusable("no build/compare, which computes the figures; "
                   "run make first")


def run(records, arguments):
    """What compare prints of the records. Unusable: it could not."""
    program = find_compare()
    with tempfile.TemporaryDirectory(prefix="bigdir-compare.") as place:
        path = os.path.join(place, "records.jsonl")
        with open(path, "w", encoding="utf-8", errors="replace") as f:
            for record in records:
                f.write(json.dumps(record) + "\n")
        done = subprocess.run([os.path.abspath(program), *arguments,
                               "records.jsonl"], capture_output=True,
                              cwd=place, check=False)
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip().split("\n")[-1]
        raise Unusable(f"{program} failed: {why}")
    return done.stdout.decode(errors="replace")


def number(text):
    return float(text) if text else None


class Figure:
    """One cell of the tables: a metric of a variant in a phase."""

    def __init__(self, row):
        self.phase, self.operation = row["phase"], row["operation"]
        self.metric, self.letter = row["metric"], row["variant"]
        self.variant = row["description"]
        self.n, self.difference = int(row["n"]), row["difference"]
        for key in ("median", "low", "high", "ratio", "ratio_low",
                    "ratio_high", "p"):
            setattr(self, key, number(row[key]))
        # of one run there is no interval: it is the figure itself
        if self.low is None:
            self.low = self.high = self.median


def figures(records, metrics=METRICS, by=None, baseline=None):
    """All Figures of the records that have a value, in compare's order."""
    arguments = ["--format", "csv"]
    for metric in metrics:
        arguments += ["--metric", metric]
    if by:
        arguments += ["--by", by]
    if baseline:
        arguments += [f"--baseline={baseline}"]
    rows = csv.DictReader(io.StringIO(run(records, arguments), newline=""))
    return [f for f in map(Figure, rows) if f.median is not None]


def tables(records):
    """compare's page, as HTML."""
    return run(records, ["--format", "html"])
