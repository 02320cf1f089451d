"""What all pictures have: a name for its files, a text that tells it to those
who cannot see it, and what was measured where."""
import re
from collections import namedtuple

import show.naming as naming
import show.units as units

# name: of its files, without the ending; about: one
# sentence; drawing: a Canvas
Picture = namedtuple("Picture", "name about drawing")


def slug(*parts):
    """A file's name from texts: no byte of theirs is trusted."""
    text = "-".join(re.sub(r"[^a-z0-9]+", "-", str(p).lower()).strip("-")
                    for p in parts)
    return text.strip("-")[:80] or "picture"


def pattern(results):
    """What was run, for titles: 'htree-300k: '; nothing if not known."""
    names = {r["labels"].get("pattern") for r in results.records}
    name = results.lab.get("pattern") or (
        names.pop() if len(names) == 1 else None)
    name = name.rsplit("/", 1)[-1] if name else None
    return f"{name}: " if name else ""


def one_machine(host):
    kind = host.get("cpu") or host.get("machine") or "unknown CPU"
    cpu = f"{host.get('cpus', '?')} × {kind}"
    memory = host.get("memory_limit_bytes") or host.get("memory_bytes")
    text = f"{host.get('kernel') or 'unknown kernel'}, {cpu}"
    if isinstance(memory, (int, float)) and memory > 0:
        text += f", {units.size(memory)} memory"
        if host.get("memory_limit_bytes"):
            text += " (limit)"
    return text


def machine(results):
    """Where it was run, in a few words."""
    names = naming.unique(one_machine(r["host"]) for r in results.records)
    text = names[0] if len(names) == 1 else f"{len(names)} machines"
    vm = results.lab.get("vm", "no")
    return text if vm in ("", "no") else f"{text}, in a virtual machine ({vm})"


def repeats(counts):
    """'4 runs each', '1 to 4 runs each'"""
    low, high = min(counts), max(counts)
    if low != high:
        return f"{low} to {high} runs each"
    return "one run each" if high == 1 else f"{high} runs each"


def has_several(phase, panels):
    return len({key[1] for key in panels if key[0] == phase}) > 1


def step(phase, operation, panels):
    """The name of a phase, with the operation where it has several."""
    return f"{phase} ({operation})" if has_several(phase, panels) else phase


def step_slug(phase, operation, panels):
    return slug(phase, operation) if has_several(phase, panels) \
        else slug(phase)
