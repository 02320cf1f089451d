"""Which layout a cache is to have: what its records say, and what is chosen.

There is a verdict for records of churn(1) that hold a ramp, which finds the
highest rate that keeps a promise (SLO). The layouts of one file system are
sieved: by the highest rate, then by p99 of a hit; at each step those stay
that compare's test cannot tell from the best. Of what stays, the simplest
layout is chosen. The words for it are in verdict_words.
"""
from collections import namedtuple

import show.compared as compared
import show.naming as naming

LEAST = 4  # runs of each, without which no test can tell anything
METRICS = ("highest", "p99", "hits", "real", "blocks", "inodes")
RAMP, STEADY, FILL, COLD, WARM = ("slo", "steady", "fill", "cold-start",
                                  "warm-start")
# what the pattern's variables ask of a cache; layouts are compared only
# where it is the same
WORK = ("objects", "popularity", "requests", "slo", "ramp", "step")

# A figure by its place in the tables; sign: 1 where more is better.
Criterion = namedtuple("Criterion", "phase operation metric sign")
HIGHEST = Criterion(RAMP, "", "highest", 1)
HIT = Criterion(STEADY, "hit", "p99", -1)
FIRST_LOOKUPS = Criterion(COLD, "", "real", -1)


def churn(record):
    found = record.get("churn")
    return found if isinstance(found, dict) else {}


def ramp(record):
    """None: it has none."""
    found = churn(record).get("ramp")
    return found if isinstance(found, dict) and found.get("steps") else None


class Choice:
    """A variant. records: {phase: [record]}; missed: its runs in which no
    rate kept the SLO; lost: (status, reason) of each other run that is in no
    figure; figures: {(phase, operation, metric): Figure}."""

    def __init__(self, name, letter, layout):
        self.name, self.letter, self.layout = name, letter, layout
        self.group = naming.without(name, "layout", layout)
        self.records, self.figures = {}, {}
        self.missed, self.lost = 0, []

    def work(self):
        """What was asked of it."""
        labels = self.records[RAMP][0]["labels"]
        return tuple(labels.get(key, "") for key in WORK)

    def figure(self, phase, metric, operation=""):
        """None: no run tells it."""
        return self.figures.get((phase, operation, metric))

    def n(self):
        """Runs that found a highest rate."""
        found = self.figure(RAMP, "highest")
        return found.n if found else 0

    def is_hopeless(self):
        """No rate kept the SLO, in so many runs that this is no chance."""
        return self.n() == 0 and self.missed >= LEAST

    def levels(self):
        """Of directories: the fewer, the simpler."""
        return self.layout.count(":")


# --- what there is ----------------------------------------------------------


def layouts_of(results):
    """{variant: layout}, as the lab planned them, and as records say."""
    found = {}
    for row in results.variants:
        settings = dict(word.partition("=")[::2]
                        for word in row.get("vars", "").split())
        found[row.get("name")] = settings.get("layout", "flat")
    found.update((naming.variant(r), r["labels"]["layout"])
                 for r in results.records if "layout" in r["labels"])
    return found


def choices_of(results):
    """The variants that had a ramp, or would have had one, in order."""
    ramped = {naming.variant(r) for r in results.records if ramp(r)}
    if not ramped:
        return []
    letters, layouts = naming.letters(results), layouts_of(results)
    planned = (row.get("name") for row in results.variants)
    names = naming.unique([*(n for n in letters if n in ramped),
                           *filter(None, planned)])
    choices = {name: Choice(name, letters.get(name, "-"),
                            layouts.get(name, "flat")) for name in names}
    for record in results.records:
        choice = choices.get(naming.variant(record))
        if choice:
            choice.records.setdefault(naming.phase(record), []).append(record)
    for choice in choices.values():
        count_missed(results, choice)
    return list(choices.values())


def count_missed(results, choice):
    """Runs without a highest rate: its records, and the lab's cells."""
    told = set()
    for record in choice.records.get(RAMP, ()):
        if naming.is_good(record):
            continue
        if ramp(record) and not ramp(record).get("highest_per_s"):
            choice.missed += 1
        else:
            choice.lost.append(("ended early or failed", ""))
        told.add(record["labels"].get("repeat"))
    numbers = {row.get("number") for row in results.variants
               if row.get("name") == choice.name}
    for row in results.cells:
        if row.get("variant") in numbers and row.get("status") != "ok" and \
                row.get("repeat") not in told:
            choice.lost.append((row.get("status"), row.get("reason")))


def give_figures(results, choices):
    names = {c.name: c for c in choices}
    records = [r for r in results.records if naming.variant(r) in names and
               naming.phase(r) in (RAMP, STEADY, FILL, COLD, WARM)]
    if not any(map(naming.is_good, records)):
        return
    for f in compared.figures(records, METRICS):
        if f.variant in names:
            names[f.variant].figures[f.phase, f.operation, f.metric] = f


# --- what is better ---------------------------------------------------------


class Trial:
    """One criterion for some variants. best: that with the best median.
    figures: {variant: Figure}, each against the best; dropped: those that
    are worse for sure; tests: how many were made."""

    def __init__(self, criterion, best, choices):
        records = [r for c in choices for r in c.records[criterion.phase]]
        self.criterion, self.best, self.choices = criterion, best, choices
        self.figures = {
            f.variant: f for f in compared.figures(
                records, (criterion.metric,),
                baseline=f"variant={best.name}")
            if f.operation == criterion.operation}
        self.dropped = self.those("significant")
        self.tests = sum(f.difference in ("significant", "noise")
                         for f in self.figures.values())

    def of(self, choice):
        return self.figures.get(choice.name)

    def those(self, *differences):
        """Choices whose difference from the best is one of these."""
        return [c for c in self.choices if self.of(c) and
                self.of(c).difference in differences]


def trial(criterion, choices, best=None):
    """A Trial of those that have the figure, against the best of them or one
    that is named; None where there are fewer than two, or not that one."""
    known = {}
    for choice in choices:
        found = choice.figure(criterion.phase, criterion.metric,
                              criterion.operation)
        if found:
            known[choice] = criterion.sign * found.median
    if len(known) < 2 or best and best not in known:
        return None
    return Trial(criterion, best or max(known, key=known.get), list(known))


def sieve(choices):
    """([Trial], those that stay)"""
    trials = []
    for criterion in (HIGHEST, HIT):
        found = trial(criterion, choices)
        if found:
            trials.append(found)
            choices = [c for c in choices if c not in found.dropped]
    return trials, choices


class Selection:
    """Of variants that are judged against each other: what is chosen, and
    why. chosen is None where there are too few runs to say. cold: the Trial
    of the first lookups against the chosen one, where it is wanted."""

    def __init__(self, name, choices, cold=False):
        self.name, self.choices = name, choices
        self.judged = [c for c in choices if c.n() >= LEAST]
        self.trials, self.stay = sieve(self.judged)
        self.chosen = min(self.stay, key=Choice.levels, default=None)
        self.cold = trial(FIRST_LOOKUPS, self.judged, self.chosen) \
            if self.chosen and cold else None


class Verdict:
    """groups: a Selection for each file system; across: one for each kind of
    work that several were chosen for."""

    def __init__(self, results):
        naming.label_all(results)
        self.results, self.choices = results, choices_of(results)
        give_figures(results, self.choices)
        groups, work = {}, {}
        for choice in self.choices:
            groups.setdefault(choice.group, []).append(choice)
        self.groups = [Selection(name, some, cold=True)
                       for name, some in groups.items()]
        for selection in self.groups:
            if selection.chosen:
                work.setdefault(selection.chosen.work(), []).append(
                    selection.chosen)
        self.across = [Selection("", some) for some in work.values()
                       if len(some) > 1]

    def __bool__(self):
        return bool(self.choices)

    def tests(self):
        trials = [t for s in self.groups + self.across
                  for t in [*s.trials, *([s.cold] if s.cold else [])]]
        return sum(t.tests for t in trials)
