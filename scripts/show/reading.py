"""Records from a results directory of scripts/lab, or from plain files."""
import csv
import json
import os
import sys

SCHEMA, SCHEMA_VERSION = "bigdir-record", 1
FIELDS = ("labels", "operations", "outcome", "plan", "host", "file_system",
          "time", "space_after")


class Unusable(Exception):
    """There is nothing to work with; the text says what to do."""


class Results:
    """records: those that can be used, as parsed, in the order met.
    lab: KEY=VALUE of RESULTS/lab; variants, cells: rows of the tables, as
    dicts. All are empty for plain files."""

    def __init__(self, name):
        self.name = name
        self.records, self.lab, self.variants, self.cells = [], {}, [], []
        self.directory = None
        self.left_out = 0  # lines that were no records

    def sweeps(self):
        return self.lab.get("sweeps", "").split()


def complain(text):
    print(f"{os.path.basename(sys.argv[0])}: {text}", file=sys.stderr)


def why_not(record):
    """Why a parsed line is no record that can be used, or None."""
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        return "not a bigdir record"
    if record.get("schema_version") != SCHEMA_VERSION:
        return (f"a record of schema version "
                f"{record.get('schema_version')}; this reads version "
                f"{SCHEMA_VERSION}")
    for field in FIELDS:
        if not isinstance(record.get(field),
                          list if field == "operations" else dict):
            return f"a record without {field}"
    if not all(isinstance(v, str) for v in record["labels"].values()):
        return "a record with a label that is no text"
    if not all(isinstance(o, dict) for o in record["operations"]):
        return "a record with an operation that is no object"
    return None


def parse(line):
    """A record, and None; or None, and why it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, f"no JSON ({error})"
    why = why_not(record)
    return (None, why) if why else (record, None)


def read_records(results, path, seen):
    """Add the records of a file. What cannot be used is told, with the line;
    a record that is there twice counts once, as in compare."""
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            lines = f.read().split("\n")
    except OSError as error:
        complain(f"{path}: {error.strerror}; it is left out")
        return
    if not any(line.strip() for line in lines):
        complain(f"{path}: empty; it is left out")
    for number, line in enumerate(lines, 1):
        if not line.strip() or line in seen:
            continue
        seen.add(line)
        record, why = parse(line)
        if why:
            complain(f"{path}:{number}: {why}; the line is left out")
            results.left_out += 1
        else:
            results.records.append(record)


def read_lab(path):
    """KEY=VALUE lines."""
    lab = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            key, equals, value = line.rstrip("\n").partition("=")
            if equals:
                lab[key] = value
    return lab


def read_table(path):
    """A table with tabs and a header, as dicts; cells that a line lacks are
    empty."""
    with open(path, encoding="utf-8", errors="replace", newline="") as f:
        rows = csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE,
                              restval="")
        return [{k: v for k, v in row.items() if k} for row in rows]


def read_optional(results, name, reader, empty):
    path = os.path.join(results.directory, name)
    try:
        return reader(path)
    except OSError as error:
        complain(f"{path}: {error.strerror}; going on without it")
        return empty


def read_directory(path):
    results = Results(os.path.basename(os.path.abspath(path)))
    results.directory = path
    results.lab = read_optional(results, "lab", read_lab, {})
    results.variants = read_optional(results, "variants.tsv", read_table, [])
    results.cells = read_optional(results, "cells.tsv", read_table, [])
    read_records(results, os.path.join(path, "records.jsonl"), set())
    return results


def read(paths):
    """Results of one directory, or of record files. Unusable: no record."""
    if len(paths) == 1 and os.path.isdir(paths[0]):
        results = read_directory(paths[0])
        what = os.path.join(paths[0], "records.jsonl")
    else:
        results, seen, what = Results(", ".join(paths)), set(), paths[0]
        for path in paths:
            if os.path.isdir(path):
                raise Unusable(f"{path}: a directory beside other files; "
                               "name one results directory, or files")
            read_records(results, path, seen)
    if not results.records and not results.cells:
        raise Unusable(f"{what}: no record that can be used; tools write "
                       "them with --json FILE, scripts/lab by itself")
    return results
