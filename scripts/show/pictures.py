"""All kinds of pictures, and to make those that the data have."""
import os
from concurrent.futures import ThreadPoolExecutor

import show.canvas as canvas
import show.compared as compared
import show.naming as naming
import show.picture_heat as picture_heat
import show.picture_highest as picture_highest
import show.picture_latency as picture_latency
import show.picture_orders as picture_orders
import show.picture_race as picture_race
import show.picture_rate as picture_rate
import show.picture_speedup as picture_speedup
import show.picture_sweep as picture_sweep
import show.picture_times as picture_times
from show.reading import Unusable, complain

# In the order in which a report shows them. Each has pictures(results,
# figures): a list of Picture, and why there is none where it is empty.
KINDS = {
    "highest": picture_highest,
    "times": picture_times,
    "sweep": picture_sweep,
    "speedup": picture_speedup,
    "race": picture_race,
    "matrix": picture_orders,
    "rate": picture_rate,
    "latency": picture_latency,
    "heat": picture_heat,
}


def figures_of(results):
    """compare's figures; none where no run counts."""
    naming.label_all(results)
    if not any(map(naming.is_good, results.records)):
        return []
    return compared.figures(results.records)


def describe(results, figures, kinds=None):
    """(pictures, reasons): what can be drawn, and {kind: why not}."""
    found, reasons = [], {}
    for kind, module in KINDS.items():
        if kinds and kind not in kinds:
            continue
        some, reason = module.pictures(results, figures)
        found += some
        if not some:
            reasons[kind] = reason
    return unlike(found), reasons


def unlike(found):
    """The same, with names that differ."""
    seen, result = {}, []
    for picture in found:
        seen[picture.name] = n = seen.get(picture.name, 0) + 1
        result.append(picture if n == 1 else
                      picture._replace(name=f"{picture.name}.{n}"))
    return result


def make(found, directory, kinds=("png", "svg")):
    """Draw them into the directory, which is made if need be. Returns those
    that were drawn; why others were not is told."""
    canvas.find_gnuplot()
    os.makedirs(directory, exist_ok=True)
    drawn = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(canvas.draw, picture.drawing,
                            os.path.join(directory, picture.name), kinds)
                for picture in found]
        for picture, job in zip(found, jobs):
            try:
                job.result()
                drawn.append(picture)
            except Unusable as why:
                complain(why)
    return drawn
