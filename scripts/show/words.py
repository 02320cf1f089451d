"""What came out, in plain words. Nothing is called faster or slower but what
compare's test tells from noise."""
import show.picture_sweep as picture_sweep
import show.units as units

MOST = 12  # sentences on one phase
KNEE = 0.9  # of the best rate: the curve is up


def chance(p):
    return "p < 0.001" if p < 0.001 else f"p = {units.digits(p, 2)}"


def value(figure, number=None):
    """Its median, or another number of its kind."""
    number = figure.median if number is None else number
    return (units.rate if figure.metric == "rate" else units.seconds)(number)


def named(figure):
    return f"{figure.letter} ({figure.variant})"


def step_name(step, figures):
    phase, operation, _ = step
    several = len({f.operation for f in figures if f.phase == phase and
                   f.metric == "rate"}) > 1
    return f"{phase} ({operation})" if several else phase


def difference(figure, base):
    """One sentence on a difference that is larger than noise."""
    ratio = figure.median / base.median if base.median else None
    if not ratio:
        return (f"{named(figure)}, {value(figure)}, differs from "
                f"{named(base)}, {value(base)} ({chance(figure.p)}).")
    better = ratio > 1 if figure.metric == "rate" else ratio < 1
    fast, slow = (figure, base) if better else (base, figure)
    return (f"{named(fast)} was {units.times(max(ratio, 1 / ratio))} times "
            f"as fast as {named(slow)}: {value(fast)} against {value(slow)} "
            f"({chance(figure.p)}, {fast.n} and {slow.n} runs).")


def together(figures, text):
    names = [named(f) for f in figures[:MOST]]
    if len(figures) > MOST:
        names.append(f"{len(figures) - MOST} more")
    return f"{', '.join(names)}: {text}"


def on_step(some):
    """Sentences on one phase: its Figures, the baseline first."""
    base, others = some[0], some[1:]
    if base.letter != "A":
        return [together(some, "A has no run that counts, so nothing can be "
                         "said against it.")]
    spread = (f", 95 % interval {value(base, base.low)} to "
              f"{value(base, base.high)}" if base.n > 1 else "")
    found = [f"{named(base)}: {value(base)} (median of {base.n} runs{spread})."
             if base.n > 1 else f"{named(base)}: {value(base)} (one run)."]
    real = [f for f in others if f.difference == "significant"]
    real.sort(key=lambda f: -f.median if f.metric == "rate" else f.median)
    found += [difference(f, base) for f in real[:MOST]]
    if len(real) > MOST:
        found.append(f"{len(real) - MOST} more differ by more than noise; "
                     "see the tables.")
    for kind, text in (
            ("noise", "no difference from A that is larger than noise."),
            ("same", "the same as A in every run."),
            ("too few", "too few runs to tell a difference from A; it takes "
             "four of each."),
            ("not tested", "too few runs to be tested against A.")):
        some = [f for f in others if f.difference == kind]
        if some:
            found.append(together(some, text))
    return found


def on_processors(some):
    """A sentence on CPU time, which may tell another story than real time;
    or none."""
    if not some or some[0].letter != "A" or not some[0].median:
        return []
    base = some[0]
    real = [f"{named(f)} {value(f)}, {units.digits(f.ratio, 2)} of that "
            f"({chance(f.p)})" for f in some[1:]
            if f.difference == "significant" and f.ratio]
    if not real:
        return []
    more = len(real) - MOST
    real = real[:MOST] + ([f"{more} more differ, too"] if more > 0 else [])
    return [f"CPU time: {named(base)} took {value(base)}; "
            f"{'; '.join(real)}."]


def of_step(figures, step):
    return [f for f in figures if (f.phase, f.operation, f.metric) == step]


def conclusion(figures):
    """[(phase, [sentence])]"""
    found = []
    for step in picture_sweep.steps_of(figures):
        cpu = [f for f in figures
               if f.phase == step[0] and f.metric == "cpu"]
        found.append((step_name(step, figures),
                      on_step(of_step(figures, step)) + on_processors(cpu)))
    return found


def caution(figures):
    """On tests that are many, or None."""
    steps = set(picture_sweep.steps_of(figures))
    tests = sum(f.p is not None for f in figures
                if f.metric == "cpu" or
                (f.phase, f.operation, f.metric) in steps)
    if not tests:
        return None
    return (f"Mann-Whitney, {tests} {'test' if tests == 1 else 'tests'} at "
            f"p < 0.05: about {units.digits(tests * 0.05, 2)} of them would "
            "find a difference by chance alone.")


# --- journals ---------------------------------------------------------------


def knee(curve):
    """(value from which on the median is near the best, the best point)."""
    best = max(curve.points, key=lambda p: p[1])
    at = best[0]
    for point in reversed(curve.points):
        if point[1] < KNEE * best[1]:
            break
        at = point[0]
    return at, best


def on_journals(results, figures):
    """How the medians of a journal sweep lie to the rule."""
    rule = picture_sweep.journal_rule(results)
    if "journal" not in picture_sweep.numeric_sweeps(results):
        return []
    places = picture_sweep.places_of(results, "journal")
    found = []
    for step in picture_sweep.steps_of(figures):
        if step[2] != "rate":
            continue
        for curve in picture_sweep.curves_of(figures, step, places):
            at, best = knee(curve)
            worst = min(p[1] for p in curve.points)
            text = f"{step_name(step, figures)}, {curve.name}: "
            if worst >= KNEE * best[1]:
                text += "all medians are within 10 % of the best; no knee."
            else:
                text += (f"from {units.digits(at, 4)} MiB on, medians are "
                         f"within 10 % of the best, {units.rate(best[1])} at "
                         f"{units.digits(best[0], 4)} MiB; the least is "
                         f"{units.rate(worst)}.")
            found.append(text)
    if found and rule:
        found.insert(0, f"The rule of thumb for the journal: {rule[1]}.")
    return found
