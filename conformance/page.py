#!/usr/bin/env python3
"""Writes the tables of `docs/implementations.md` from `results/`; with --check only says whether they are up to date."""

import collections
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs/implementations.md"
LEVELS = ["chunks", "frames", "arrays", "stores", "tables"]
# The order of the rows: our own first, then by the format.
ORDER = ["b2nd", "python-blosc2", "blosc2-pure-rs", "blusc", "caterva", "numcodecs", "numcodecs.js", "hdf5plugin"]


def results():
    found = [json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "results").glob("*.json")]
    newest = sorted(found, key=lambda result: version(result["name"]), reverse=True)
    return sorted(newest, key=lambda result: ORDER.index(result["name"].split()[0]))


def version(name):
    """The numbers of the last word."""
    return [int(part) for part in name.split()[-1].split(".") if part.isdecimal()]


def share(counts):
    """How many are right."""
    whole = sum(counts.values())
    right = counts.get("right", 0)
    return f"{right}/{whole}" if whole else "–"


def sums(parts, verdicts):
    return sum(counts.get(verdict, 0) for part in parts for counts in part.values() for verdict in verdicts)


def levels(found):
    yield ["implementation", *LEVELS, "refusals", "wrong", "crashed", "date"]
    for result in found:
        values, refusals = result["values"], result["refusals"]
        refused = collections.Counter()
        for counts in refusals.values():
            refused.update(counts)
        failed = [sums([values, refusals], verdicts) for verdicts in (["wrong"], ["crashed", "timeout"])]
        cells = [share(values.get(level, {})) for level in LEVELS]
        yield [result["name"], *cells, share(refused), *map(str, failed), result["date"]]


def features(found):
    """A row for each feature of the first three levels that not everybody has."""
    yield ["feature", *(result["name"] for result in found)]
    names = {key.split("/")[1] for result in found for key in result["features"] if key.split("/")[0] in LEVELS[:3]}
    for name in sorted(names):
        cells = [share(total(result, name)) for result in found]
        if any(cell != "–" and len(set(cell.split("/"))) > 1 for cell in cells):
            yield [f"`{name}`", *cells]


def total(result, name):
    counts = collections.Counter()
    for level in LEVELS[:3]:
        counts.update(result["features"].get(f"{level}/{name}", {}))
    return counts


def table(rows):
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def replaced(text, name, content):
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(start)
    return before + start + "\n" + content + "\n" + end + rest.split(end, 1)[1]


def main():
    text = PAGE.read_text(encoding="utf-8")
    found = results()
    page = replaced(replaced(text, "levels", table(levels(found))), "features", table(features(found)))
    if "--check" in sys.argv[1:]:
        sys.exit(page != text and "the tables of docs/implementations.md are not up to date: run conformance/page.py")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
