"""What runs are called: variant, phase, line of a sweep.

The rules are those of compare, which groups by the labels "variant" and
"phase"; records without them get these labels here, so that tables and
pictures say the same.
"""
import re

import show.units as units

# labels that tell about the run, and are nothing that was varied
NOT_SWEPT = {"variant", "phase", "repeat", "pattern", "cache", "mem", "disk",
             "vm", "export"}


def variant(record):
    return record["labels"]["variant"]


def phase(record):
    return record["labels"]["phase"]


def is_good(record):
    """Whether its figures count: it came to the end that was asked for."""
    outcome = record["outcome"]
    return outcome.get("exit_code") == 0 and outcome.get("end") in (
        "complete", "full")


def has_curve(record):
    """Whether curves along its run count: also of one whose time was up, as
    far as it came."""
    outcome = record["outcome"]
    return is_good(record) or (outcome.get("exit_code") == 0 and
                               outcome.get("end") == "time-limit")


def unique(values):
    return list(dict.fromkeys(values))


def swept(results):
    """Names of the variables that have several values, as the lab says, or
    as labels tell."""
    values = {}
    for record in results.records:
        for key, value in record["labels"].items():
            if key not in NOT_SWEPT:
                values.setdefault(key, set()).add(value)
    named = results.sweeps()
    several = [key for key in values if len(values[key]) > 1]
    return [key for key in several if key in named] if named else several


def default_variant(record, variables):
    """For a record without the label: its file system, and what was varied."""
    fs = record["file_system"]
    name = fs.get("type") or "unknown file system"
    device = fs.get("device") or {}
    if not variables:
        if not device.get("backing_file"):
            name += f" on {fs.get('source') or 'unknown'}"
        return f"{name} ({fs.get('options') or 'options unknown'})"
    labels = record["labels"]
    return " ".join([name] + [f"{key}={labels[key]}" for key in variables
                              if key in labels])


def default_phase(record, variables):
    plan = record["plan"]
    name = "+".join(o.get("operation", "?") for o in record["operations"])
    if plan.get("count"):
        name += f" {plan['count']:,}"
    if "command" not in record and "order" not in variables:
        name += f", {plan.get('order') or '?'}"
    if plan.get("workers", 1) != 1 and "jobs" not in variables:
        name += f", {plan['workers']} workers"
    return name


def label_all(results):
    """See to it that each record has a variant and a phase, and knows what
    was varied ("swept")."""
    variables = swept(results)
    for record in results.records:
        labels = record["labels"]
        labels.setdefault("variant", default_variant(record, variables))
        labels.setdefault("phase", default_phase(record, variables))
        record["swept"] = variables


def letter(number):
    """A to Z, then AA, as compare numbers variants."""
    text, number = "", number + 1
    while number > 0:
        number, last = divmod(number - 1, 26)
        text = chr(ord("A") + last) + text
    return text


def letters(results):
    """The letter of each variant, in the order in which they are met."""
    names = unique(variant(record) for record in results.records)
    return {name: letter(n) for n, name in enumerate(names)}


# --- sweeps -----------------------------------------------------------------


def is_numeric(results, variable):
    values = {r["labels"].get(variable) for r in results.records}
    return all(v is None or units.parse(v) is not None for v in values)


def without(name, variable, value):
    """A variant's name less the value of a variable: what variants of one
    line of a sweep have in common. 'ext4 -J size=8' -> 'ext4'."""
    if not value:
        return name
    number = rf"(?<![\w.]){re.escape(value)}(?![\w.])"
    for option in (rf"{re.escape(variable)}={number}",
                   rf"-\w (\w+=)?{number}", rf"\w+={number}"):
        shorter = re.sub(rf"\s*,?{option}", "", name, count=1)
        if shorter != name:
            return shorter.strip(" :,") or name
    return name


def line_of(record, *variables):
    """The line that the record is on when variables are swept: what its
    variant is called without their values; or, where the name does not have
    them, the file system and what else is varied."""
    labels, name = record["labels"], variant(record)
    for variable in variables:
        shorter = without(name, variable, labels.get(variable, ""))
        if shorter == name:
            others = [f"{k}={v}" for k, v in labels.items()
                      if k not in NOT_SWEPT and k not in variables and
                      k in record.get("swept", ())]
            kind = record["file_system"].get("type") or "unknown"
            return " ".join([kind, *others])
        name = shorter
    return name


UNITS = {"journal": "journal size, MiB", "block": "block size, bytes",
         "inodes": "inodes", "count": "entries", "jobs": "workers",
         "inode_size": "inode size, bytes"}


def axis(variable):
    """The title of the variable's axis, with its unit where that is known."""
    return UNITS.get(variable, variable)
