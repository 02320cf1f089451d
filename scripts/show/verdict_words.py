"""The verdict in sentences, for the page and the terminal. Nothing is called
better but what compare's test tells from noise."""
import shlex

import show.naming as naming
import show.units as units
import show.verdict as verdict
from show.verdict import COLD, HIGHEST, HIT, LEAST, RAMP, STEADY, WARM
from show.words import chance

AGAIN = "To get a conclusion on all of them, with so many repeats or more"
TITLES = {HIGHEST: "Highest rate", HIT: "p99 of a hit",
          verdict.FIRST_LOOKUPS: "Cold start"}


def named(choice):
    """Among those of one file system."""
    layout = choice.layout if choice.group != choice.name else choice.name
    return f"{layout} ({choice.letter})"


def whole(choice):
    """Among all."""
    return f"{choice.name} ({choice.letter})"


def together(choices, name=named):
    return ", ".join(map(name, choices))


def runs(n):
    return "one run" if n == 1 else f"{n} runs"


def value(figure, number=None):
    number = figure.median if number is None else number
    write = {"highest": units.rate, "real": units.seconds,
             "p99": units.duration}[figure.metric]
    return write(number)


def promise(choices):
    """The SLO: 'p99 within 20 ms'."""
    found = []
    for record in (r for c in choices for r in c.records.get(RAMP, ())):
        slo = (verdict.churn(record).get("open_loop") or {}).get("slo")
        if slo:
            found.append(f"p{units.digits(100 * slo['part'], 5)} within "
                         f"{units.duration(slo['limit_ns'])}")
    return " or ".join(naming.unique(found)) or "its SLO"


# --- what is chosen, and by what margin -------------------------------------


def margin(found, choice, name):
    """A variant that differs from the best, or the chosen one, for sure."""
    f, base = found.of(choice), found.of(found.best)
    ratio = f.ratio and f", {units.times(f.ratio)} times that of " \
                        f"{found.best.letter}"
    return (f"{name(choice)} {value(f)}{ratio or ''} ({chance(f.p)}, n = "
            f"{f.n} and {base.n})")


def noise(found, same, name):
    ps = [found.of(c).p for c in same if found.of(c).p is not None]
    least = f" ({chance(min(ps))}{' or more' if len(ps) > 1 else ''})" \
        if ps else ""
    return (f"{together(same, name)}: no difference from "
            f"{found.best.letter} that is larger than noise{least}")


def untested(_, same, name):
    return f"{together(same, name)}: not tested, for want of runs"


def margins(found, name=named):
    """A trial as one sentence."""
    base = found.of(found.best)
    parts = [f"{TITLES[found.criterion]}: {name(found.best)} {value(base)}"]
    parts += [margin(found, c, name) for c in found.dropped]
    for same, write in ((found.those("noise", "same"), noise),
                        (found.those("too few", "not tested"), untested)):
        if same:
            parts.append(write(found, same, name))
    return "; ".join(parts) + "."


def kept(choice):
    """What the chosen one promises."""
    f = choice.figure(RAMP, "highest")
    text = (f"it kept {promise([choice])} up to {value(f)} (median of "
            f"{runs(f.n)}, 95 % interval {value(f, f.low)} to "
            f"{value(f, f.high)})")
    return text + (f"; but in {runs(choice.missed)} more, at no rate at all"
                   if choice.missed else "")


def only_one(selection):
    chosen = selection.chosen
    if any(c.is_hopeless() for c in selection.choices):
        return f"Choose {named(chosen)}, as others fail: {kept(chosen)}."
    return (f"{named(chosen)} is alone, and there is nothing to choose: "
            f"{kept(chosen)}.")


def choice_of(selection):
    """The first sentence."""
    chosen, stay = selection.chosen, selection.stay
    if len(selection.judged) == 1:
        return only_one(selection)
    if len(stay) == len(selection.judged):
        return (f"The difference is noise, so the simplest will do: "
                f"{named(chosen)}; {kept(chosen)}.")
    if len(stay) > 1:
        return (f"Choose {named(chosen)}, the simplest of {len(stay)} that no "
                f"test tells apart; {kept(chosen)}.")
    if len(selection.trials) > 1:
        return (f"Choose {named(chosen)} for its p99 of a hit, as highest "
                f"rates do not decide; {kept(chosen)}.")
    return f"Choose {named(chosen)}: {kept(chosen)}."


def counted(choices):
    return ", ".join(f"{named(c)} n = {c.n()}" for c in choices)


def not_judged(selection):
    """Of variants that fail, or have too few runs."""
    found = [f"{named(c)} kept {promise([c])} at no rate, in "
             f"{runs(c.missed)} of {c.missed + len(c.lost)}."
             for c in selection.choices if c.is_hopeless()]
    few = [c for c in selection.choices
           if c.n() < LEAST and not c.is_hopeless()]
    if few and not selection.judged:
        found.append(f"No conclusion is possible: {counted(few)}. It takes "
                     f"{LEAST} runs of each to tell any difference from "
                     "noise.")
    elif few:
        found.append(f"Not judged, as it takes {LEAST} runs: {counted(few)}.")
    return found


# --- cold -------------------------------------------------------------------


def on_cold(selection):
    chosen = selection.chosen
    cold = chosen.figure(COLD, "real")
    if not cold:
        return []
    records = chosen.records[COLD]
    count = records[0]["plan"].get("count")
    lookups = f"the first {count:,} lookups" if count else "the first lookups"
    text = f"Cold, {lookups} of {named(chosen)} took {value(cold)}"
    warm = chosen.figure(WARM, "real")
    if warm:
        text += f"; warm, {value(warm)}"
    states = naming.unique(r["labels"].get("cache", "unknown")
                           for r in records)
    if states != ["cold"]:
        text += f" (caches before it: {', '.join(states)})"
    return [f"{text}.", *([margins(selection.cold)] if selection.cold
                          else [])]


# --- what must be known beside ----------------------------------------------


def lowest(choice):
    return min(s["rate_per_s"] for r in choice.records[RAMP]
               if verdict.ramp(r) for s in verdict.ramp(r)["steps"])


def on_missed(choice):
    return (f"{whole(choice)}: in {choice.missed} of "
            f"{runs(choice.n() + choice.missed)}, not even the lowest rate "
            f"tried, {units.rate(lowest(choice))}, kept {promise([choice])}; "
            "those runs are in no figure of the rate. Begin lower (ramp=), "
            "or ask for less (slo=).")


def on_lost(choice):
    reasons = naming.unique(f"{status} ({reason})" if reason else status
                            for status, reason in choice.lost)
    return (f"{whole(choice)}: {runs(len(choice.lost))} did not finish: "
            f"{'; '.join(reasons)}.")


def on_end(choice):
    """Where the ramp ended before its rates were too high."""
    ramps = [verdict.ramp(r) for r in choice.records.get(RAMP, ())
             if naming.is_good(r) and verdict.ramp(r)]
    ends = [max(s["rate_per_s"] for s in ramp["steps"]) for ramp in ramps
            if all(s["good"] for s in ramp["steps"])]
    if not ends:
        return []
    return [f"{whole(choice)} kept {promise([choice])} at all rates tried, "
            f"up to {units.rate(max(ends))}, in {runs(len(ends))}; it may "
            "stand more: try higher ones (ramp=)."]


def again(found):
    """The command that would bring enough runs; "" if there are."""
    if all(c.n() + c.missed >= LEAST for c in found.choices):
        return ""
    lab = found.results.lab
    words = shlex.split(lab.get("command", "")) or ["lab", "proxy-cache"]
    own, skip = ["scripts/lab"], False
    for word in words[1:]:
        option = word.partition("=")[0] in ("--repeats", "-o", "--output")
        if not skip and not option:
            own.append(word)
        skip = option and "=" not in word
    repeats = lab.get("repeats", "")
    repeats = max(LEAST, int(repeats) if repeats.isdigit() else 0)
    return shlex.join([*own, "--repeats", str(repeats)])


def notes(found):
    """What is in no figure, what it takes, and what tests are worth."""
    parts = []
    for choice in found.choices:
        if choice.missed:
            parts.append(on_missed(choice))
        if choice.lost:
            parts.append(on_lost(choice))
        parts += on_end(choice)
    tests = found.tests()
    if tests:
        parts.append(
            f"Mann-Whitney, {'one test' if tests == 1 else f'{tests} tests'} "
            f"at p < 0.05: about {units.digits(tests * 0.05, 2)} would find "
            "a difference by chance alone. p99 is that of the phase "
            f"'{STEADY}'; space and inodes are what filling took.")
    return parts


def sentences(selection):
    if not selection.chosen:
        return not_judged(selection)
    return [choice_of(selection), *map(margins, selection.trials),
            *on_cold(selection), *not_judged(selection)]


def across(selection):
    """Which pair of file system and layout."""
    if len(selection.stay) == len(selection.judged):
        first = (f"{together(selection.judged, whole)}: the difference is "
                 "noise; any of them will do.")
    else:
        best = together(selection.stay, whole)
        if len(selection.stay) > 1:
            best += ", which no test tells apart"
        first = f"The best pair: {best}."
    return [first, *(margins(t, whole) for t in selection.trials)]


def parts(found):
    """[(heading, [sentence])]"""
    return [(s.name, sentences(s)) for s in found.groups] + [
        ("Across file systems", across(s)) for s in found.across] + [
        ("Notes", notes(found))]
