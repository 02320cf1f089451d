"""The report: one HTML page that needs nothing from elsewhere."""
import base64
import html
import os
import re
import shlex

import show.compared as compared
import show.naming as naming
import show.units as units
import show.verdict as verdict
import show.verdict_table as verdict_table
import show.verdict_words as verdict_words
import show.words as words
from show.canvas import clean

STYLE = """
:root { color-scheme: light dark; --text: #1c1c1c; --ground: #ffffff;
  --quiet: #555555; --rule: #cccccc; --code: #f2f2f2; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8;
  --ground: #16181c; --quiet: #adadad; --rule: #444850; --code: #24272d; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--text);
  background: var(--ground); margin: 2em auto; max-width: 60em;
  padding: 0 1em; overflow-wrap: break-word; }
h1 { line-height: 1.2; margin-bottom: .2em; }
h2 { margin-top: 2em; border-bottom: 1px solid var(--rule); }
.quiet { color: var(--quiet); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: right; padding: .2em .7em; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child, .words th, .words td { text-align: left; }
.words th { white-space: nowrap; }
.words td { overflow-wrap: anywhere; min-width: 5em; }
.words td:first-child { min-width: 0; }
figure { margin: 1.5em 0; break-inside: avoid; }
figure img { display: block; width: 100%; max-width: 800px; height: auto;
  background: #ffffff; border: 1px solid var(--rule); }
figcaption { color: var(--quiet); font-size: .9em; margin-top: .3em; }
pre { background: var(--code); padding: .7em 1em; white-space: pre-wrap;
  overflow-wrap: anywhere; }
@page { margin: 15mm; }
@media print {
  :root { color-scheme: light; --text: #000000; --ground: #ffffff;
    --quiet: #444444; --rule: #bbbbbb; --code: #f2f2f2; }
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  h2, h3 { break-after: avoid; }
  tr, li, pre { break-inside: avoid; }
  thead { display: table-header-group; }
  table { font-size: 8pt; }
  th, td { padding: .1em .4em; }
  .wide { overflow: visible; }
  figure img { border: none; max-height: 215mm; width: auto;
    max-width: 100%; }
}
"""


def text(value):
    """As text of the page, whatever it holds."""
    return html.escape(clean(value))


def paragraph(value, kind=""):
    kind = f' class="{kind}"' if kind else ""
    return f"<p{kind}>{text(value)}</p>"


def items(values):
    return "<ul>\n" + "\n".join(f"<li>{text(v)}</li>" for v in values) + \
        "\n</ul>"


def table(titles, rows):
    """Texts, under titles; columns without any text are left out."""
    kept = [n for n in range(len(titles)) if any(row[n] for row in rows)]
    head = "".join(f'<th scope="col">{text(titles[n])}</th>' for n in kept)
    body = "\n".join("<tr>" + "".join(
        f"<td>{text(row[n] if row[n] is not None else '')}</td>"
        for n in kept) + "</tr>" for row in rows)
    return (f'<div class="wide">\n<table class="words">\n<thead>\n<tr>{head}'
            f"</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>")


def facts(rows):
    """A table of two columns, less what is not known."""
    body = "\n".join(f'<tr><th scope="row">{text(name)}</th>'
                     f"<td>{text(value)}</td></tr>"
                     for name, value in rows if value)
    return f'<div class="wide">\n<table class="words">\n{body}\n</table>\n' \
           "</div>"


def command_lines(lines):
    return "<pre>" + "\n".join(map(text, lines)) + "</pre>"


# --- what there is to tell --------------------------------------------------


def title(results):
    pattern = (results.lab.get("pattern") or results.name).rsplit("/", 1)[-1]
    what = results.lab.get("title")
    return f"{pattern}: {what}" if what else pattern


def of_all(records, get):
    """What the records have there, each once; what is not known left out."""
    found = []
    for record in records:
        try:
            found.append(get(record))
        except (KeyError, TypeError, AttributeError):
            continue
    return "; ".join(str(v) for v in naming.unique(found) if v)


def bytes_of(value):
    return units.size(value) if value else None


def device(record):
    d = record["file_system"].get("device") or {}
    parts = [d.get("model") or d.get("name")]
    if d.get("backing_file"):
        parts.append(f"a file on {d.get('backing_file_system') or '?'}")
    if d.get("bytes"):
        parts.append(units.size(d["bytes"]))
    if d.get("write_cache"):
        parts.append(f"write cache: {d['write_cache']}")
    if d.get("scheduler"):
        parts.append(f"scheduler {d['scheduler']}")
    return ", ".join(str(p) for p in parts if p)


def super_block(record):
    """What the super block says."""
    ext = record["file_system"].get("ext")
    if not ext:
        return ""
    parts = [f"journal {units.size(ext['journal_bytes'])}"
             if ext.get("journal_bytes") else "no journal",
             f"blocks of {units.size(ext['block_size'])}",
             f"inodes of {ext['inode_size']} B"]
    parts += [name for name in ("dir_index", "large_dir", "inline_data",
                                "metadata_csum", "bigalloc") if ext.get(name)]
    return ", ".join(parts)


def environment(results):
    records, lab = results.records, results.lab
    host = [
        ("machine", lambda h: h["name"]),
        ("kernel", lambda h: f"{h['kernel']}, {h['machine']}"),
        ("processors", lambda h: f"{h['cpus']} × {h['cpu'] or 'unknown'}"),
        ("memory", lambda h: bytes_of(h["memory_bytes"])),
        ("memory limit", lambda h: bytes_of(h["memory_limit_bytes"])),
        ("clock", lambda h: f"{h['clock_source']}"),
    ]
    rows = [(name, of_all(records, lambda r, get=get: get(r["host"])))
            for name, get in host]
    started = sorted(str(r.get("started", ""))[:19].replace("T", " ")
                     for r in records)
    if started:
        first, last = started[0], started[-1]
        rows.append(("begun", f"{first} to {last} UTC"))
    rows += [
        ("bigdir", of_all(records, lambda r: r["version"])),
        ("device", of_all(records, device)),
        ("caches", lab.get("cache") or of_all(
            records, lambda r: r["labels"]["cache"])),
        ("disk, throttled", lab.get("disk")),
        ("memory asked for", lab.get("mem")),
        ("virtual machine", {"no": ""}.get(lab.get("vm"), lab.get("vm"))),
        ("repeats", lab.get("repeats")), ("seed", lab.get("seed")),
    ]
    return facts(rows)


def made_with(row):
    """What was asked for: mkfs, mount, and what was varied."""
    parts = [f"mkfs.{row.get('fs')} {row['mkfs']}" if row.get("mkfs") else "",
             f"mount -o {row['mount']}" if row.get("mount") else "",
             row.get("vars")]
    return "; ".join(p for p in parts if p)


def variants(results):
    letters = naming.letters(results)
    options = {clean(row.get("name")): row for row in results.variants}
    rows, known = [], set(map(clean, letters))
    for name in [*letters, *(n for n in options if n not in known)]:
        records = [r for r in results.records if naming.variant(r) == name]
        found = [of_all(records, lambda r: r["file_system"]["type"]),
                 of_all(records, lambda r: r["file_system"]["options"]),
                 of_all(records, super_block)]
        rows.append((letters.get(name, "-"), name,
                     made_with(options.get(clean(name), {})),
                     "; ".join(f for f in found if f)))
    return table(("", "variant", "made with", "found"), rows)


def unfinished(results):
    """The table of cells that are not ok; "" if all are."""
    names = {row.get("number"): row.get("name") for row in results.variants}
    rows = [(row.get("cell"), names.get(row.get("variant"),
                                        row.get("variant")),
             row.get("repeat"), row.get("status"), row.get("reason"),
             row.get("seconds")) for row in results.cells
            if row.get("status") != "ok"]
    if not rows:
        return ""
    return table(("cell", "variant", "repeat", "status", "why", "seconds"),
                 rows)


def bare_command(argv):
    """A command line less what only the record is for."""
    words, skip = [], False
    for word in argv:
        if skip:
            skip = False
        elif word in ("--label", "--json", "-q", "--quiet"):
            skip = word in ("--label", "--json")
        elif not re.match(r"--(label|json)=", word):
            words.append(word)
    return shlex.join(words)


def phase_commands(results):
    lines = {}
    for record in results.records:
        argv = record.get("argv")
        if isinstance(argv, list) and all(isinstance(a, str) for a in argv):
            lines.setdefault(naming.phase(record), []).append(
                bare_command(argv))
    return [f"{line}   # {phase}" for phase, some in lines.items()
            for line in naming.unique(some)[:10]]


# --- sections ---------------------------------------------------------------


def section(name, *parts):
    return "\n".join([f"<section>\n<h2>{text(name)}</h2>", *parts,
                      "</section>"])


def which_to_choose(results):
    """The verdict on caches; "" if these are none."""
    found = verdict.Verdict(results)
    if not found:
        return ""
    parts = [table(verdict_table.titles(), verdict_table.rows(found.choices))]
    parts += [f"<h3>{text(heading)}</h3>\n{items(sentences)}"
              for heading, sentences in verdict_words.parts(found)
              if sentences]
    again = verdict_words.again(found)
    if again:
        parts += [paragraph(f"{verdict_words.AGAIN}:"),
                  command_lines([again])]
    return section("Which to choose", *parts)


def in_short(results, figures):
    parts = []
    not_ok = sum(row.get("status") != "ok" for row in results.cells)
    if not_ok:
        parts.append(paragraph(f"{not_ok} of {len(results.cells)} cells did "
                               "not finish; they are listed below."))
    bad = sum(not naming.is_good(r) for r in results.records)
    if bad:
        parts.append(paragraph(
            f"{bad} of {len(results.records)} runs ended early or failed; "
            "they are in no figure."))
    if results.left_out:
        parts.append(paragraph(f"{results.left_out} lines of the records "
                               "could not be used."))
    if results.lab.get("vm", "no") not in ("", "no", "kvm"):
        parts.append(paragraph(
            "The machine was emulated: read ratios, not absolute figures."))
    for phase, sentences in words.conclusion(figures):
        parts.append(f"<h3>{text(phase)}</h3>\n{items(sentences)}")
    journals = words.on_journals(results, figures)
    if journals:
        parts.append(f"<h3>Journal</h3>\n{items(journals)}")
    caution = words.caution(figures)
    if caution:
        parts.append(paragraph(caution, "quiet"))
    if not figures:
        parts.append(paragraph("No run came to its end, so there are no "
                               "figures."))
    return section("In short", *parts)


def data_uri(path):
    """The picture at path.png, or else path.svg."""
    kind, ending = (("png", ".png") if os.path.exists(path + ".png") else
                    ("svg+xml", ".svg"))
    with open(path + ending, "rb") as f:
        data = base64.b64encode(f.read()).decode()
    return f"data:image/{kind};base64,{data}"


def figure(picture, directory):
    drawing = picture.drawing
    source = data_uri(os.path.join(directory, picture.name))
    return (f'<figure>\n<img src="{source}" width="800" '
            f'height="{drawing.height}" alt="{text(drawing.title)}. '
            f'{text(picture.about)}">\n'
            f"<figcaption>{text(picture.about)}</figcaption>\n</figure>")


def compare_tables(records):
    """The content of compare's page, its headings a level lower."""
    page = compared.tables(records)
    main = page.partition("<main>")[2].partition("</main>")[0]
    main = re.sub(r"(</?)h([12])>", lambda m: f"{m[1]}h{int(m[2]) + 1}>",
                  main)
    main = main.replace("<h2>", "<h3>", 1).replace("</h2>", "</h3>", 1)
    return main.replace("<table>", '<div class="wide">\n<table>').replace(
        "</table>", "</table>\n</div>").strip()


def build(results, figures, pictures, directory, missing):
    """The page. pictures are drawn in the directory; missing: why there are
    none, or None."""
    lab, name = results.lab, title(results)
    parts = [f"<header>\n<h1>{text(name)}</h1>"]
    if lab.get("models"):
        parts.append(paragraph(f"Models {lab['models']}", "quiet"))
    parts += ["</header>", which_to_choose(results),
              in_short(results, figures)]
    drawn = [figure(p, directory) for p in pictures]
    if missing:
        drawn.append(paragraph(f"There are no pictures: {missing}."))
    parts.append(section("Variants", variants(results)))
    if drawn:
        parts.append(section("Pictures", *drawn))
    if figures:
        parts.append(section("Tables", compare_tables(results.records)))
    not_ok = unfinished(results)
    if not_ok:
        parts.append(section("Cells that did not finish", not_ok))
    parts.append(section("Environment", environment(results)))
    repeat = []
    if lab.get("command"):
        repeat += [paragraph("The whole lab, from the root of the sources:"),
                   command_lines([lab["command"]])]
    lines = phase_commands(results)
    if lines:
        repeat += [paragraph("The phases, as they were run:"),
                   command_lines(lines)]
    if repeat:
        parts.append(section("To repeat it", *repeat))
    body = "\n".join(parts)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n'
            f'<meta charset="utf-8">\n<meta name="viewport" '
            f'content="width=device-width, initial-scale=1">\n'
            f"<title>{text(name)}</title>\n<style>{STYLE}</style>\n</head>\n"
            f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n")
