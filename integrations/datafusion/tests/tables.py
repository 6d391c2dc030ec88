"""Tables by the reference, and the rows that conditions leave by it.

    tables.py OUT_DIR

Writes 20 small tables and `cases.jsonl`: a condition in SQL on a table, and the ids of its rows. Then `large.b2z`, of 1 000 000 rows.
"""

import dataclasses
import json
import random
import sys
from pathlib import Path

import blosc2
import numpy as np

WORDS = ["", "a", "b", "Berlin", "it's", 'say "x"', "back\\slash", "é", "zebra", "zz"]
TESTS = {"=": "==", "<>": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def column(rng):
    """The kind of a column, its annotation, its spec, and a function that draws a value."""
    kind = rng.choice(INTS + ["float32", "float64", "bool", "string", "utf8", "vlstring", "timestamp", "dictionary", "list", "struct"])
    null = {"nullable": True} if kind != "struct" and rng.random() < 0.5 else {}
    word = lambda: rng.choice(WORDS)
    if kind in INTS:
        low = 0 if kind.startswith("u") else -60
        return kind, int, getattr(blosc2, kind)(**null), lambda: rng.randint(low, 60)
    if kind.startswith("float"):
        return kind, float, getattr(blosc2, kind)(**null), lambda: rng.randint(-100, 100) / 8
    if kind == "bool":
        return kind, bool, blosc2.bool(**null), lambda: rng.random() < 0.5
    if kind == "string":
        return kind, str, blosc2.string(max_length=12, **null), word
    if kind in ("utf8", "vlstring", "dictionary"):
        return kind, str, getattr(blosc2, kind)(**null), word
    if kind == "timestamp":
        unit = rng.choice(["s", "ms", "us", "ns"])
        zone = rng.choice([None, "UTC", "Europe/Berlin"])
        return kind, np.datetime64, blosc2.timestamp(unit=unit, timezone=zone, **null), lambda: np.datetime64(rng.randint(-(10**6), 10**6), unit)
    if kind == "list":
        return kind, list[int], blosc2.list(blosc2.int64(), **null), lambda: [rng.randint(0, 9) for _ in range(rng.randint(0, 3))]
    return kind, dict, blosc2.struct({"x": blosc2.int32(), "y": blosc2.string(max_length=12)}), lambda: {"x": rng.randint(0, 9), "y": word()}


def literal(kind, value):
    if kind in ("string", "utf8", "vlstring", "dictionary"):
        return "'" + str(value).replace("'", "''") + "'"
    if kind == "timestamp":
        unit = np.datetime_data(value.dtype)[0]
        return "arrow_cast(%d, 'Timestamp(%s, Some(\"UTC\"))')" % (value.astype("i8"), {"s": "Second", "ms": "Millisecond", "us": "Microsecond", "ns": "Nanosecond"}[unit])
    return repr(value).lower() if kind == "bool" else repr(value)


def test(rng, kinds, values, nulls):
    """A comparison in SQL, and which rows it is true for, false for, and for which it is unknown."""
    name = rng.choice([name for name, kind in kinds.items() if kind not in ("list", "struct")])
    kind, column, null = kinds[name], values[name], nulls[name]
    if rng.random() < 0.15:
        negated = rng.random() < 0.5
        return "%s IS %sNULL" % (name, "NOT " if negated else ""), null ^ negated, null ^ (not negated)
    known = [one for one, none in zip(column, null) if not none]
    if not known:
        return "%s IS NULL" % name, null, ~null
    pivot = rng.choice(known)
    if rng.random() < 0.15 and kind != "bool" and kind != "timestamp":
        pivots = [rng.choice(known) for _ in range(rng.randint(1, 5))]
        true = np.array([not none and one in pivots for one, none in zip(column, null)])
        return "%s IN (%s)" % (name, ", ".join(literal(kind, one) for one in pivots)), true, ~true & ~null
    sql = rng.choice(list(TESTS))
    compare = {"=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}[sql]
    true = np.array([not none and bool(compare(one, pivot)) for one, none in zip(column, null)])
    return "%s %s %s" % (name, sql, literal(kind, pivot)), true, ~true & ~null


def condition(rng, *table):
    text, true, false = test(rng, *table)
    for _ in range(rng.choice([0, 0, 1, 2])):
        other, also_true, also_false = test(rng, *table)
        if rng.random() < 0.5:
            text, true, false = "(%s) AND (%s)" % (text, other), true & also_true, false | also_false
        else:
            text, true, false = "(%s) OR (%s)" % (text, other), true | also_true, false & also_false
    return ("NOT (%s)" % text, false) if rng.random() < 0.2 else (text, true)


def native(one):
    return one if isinstance(one, np.datetime64) else one.item() if isinstance(one, np.generic) else one


def write(folder, number):
    rng = random.Random(number)
    drawn = {"c%d" % n: column(rng) for n in range(rng.randint(2, 7))}
    drawn["c9"] = ("int32", int, blosc2.int32(), lambda: rng.randint(-50, 50))
    fields = [("id", int, blosc2.field(blosc2.int64()))]
    fields += [(name, annotation, blosc2.field(spec)) for name, (_, annotation, spec, _) in drawn.items()]
    path = folder / ("%02d.b2z" % number)
    path.unlink(missing_ok=True)
    table = blosc2.CTable(dataclasses.make_dataclass("Row", fields), urlpath=str(path), mode="w", expected_size=rng.choice([64, 4000]))
    rows = rng.choice([1, 40, 400, 1500])
    for row in range(rows):
        table.append((row, *(None if getattr(spec, "nullable", False) and rng.random() < 0.2 else make() for _, _, spec, make in drawn.values())))
    if rows > 1 and rng.random() < 0.5:
        table.delete(sorted(rng.sample(range(rows), rows // 3)))
    table.close()
    table = blosc2.CTable.open(str(path), mode="r")
    kinds = {name: kind for name, (kind, *_) in drawn.items()}
    nulls = {name: np.array(table[name].is_null(), dtype=bool) for name in kinds}
    values = {name: [native(one) for one in table[name][:]] for name in kinds}
    ids = np.array(table["id"][:])
    cases = []
    for _ in range(30):
        text, true = condition(rng, kinds, values, nulls)
        cases.append({"table": path.name, "where": text, "ids": ids[true].tolist()})
    # By the reference's own conditions, too.
    for _ in range(10):
        low = rng.randint(-50, 50)
        found = table.where("(c9 > %d) & (id < %d)" % (low, rows // 2))
        cases.append({"table": path.name, "where": "c9 > %d AND id < %d" % (low, rows // 2), "ids": np.array(found["id"][:]).tolist()})
    return cases


def large(path, rows):
    rng = np.random.default_rng(1)
    fields = [
        ("id", int, blosc2.field(blosc2.int64())),
        ("x", float, blosc2.field(blosc2.float64())),
        ("n", int, blosc2.field(blosc2.int32())),
        ("t", np.datetime64, blosc2.field(blosc2.timestamp(unit="ms"))),
        ("name", str, blosc2.field(blosc2.utf8())),
    ]
    path.unlink(missing_ok=True)
    table = blosc2.CTable(dataclasses.make_dataclass("Row", fields), urlpath=str(path), mode="w", expected_size=rows)
    ids = np.arange(rows)
    names = np.array(["name%d" % n for n in range(1000)])
    columns = {"id": ids, "x": rng.normal(size=rows), "n": rng.integers(0, 1000, rows).astype("i4"), "t": (1_700_000_000_000 + 10 * ids).astype("M8[ms]"), "name": names[rng.integers(0, 1000, rows)].tolist()}
    table.extend(columns)
    table.close()


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "cases.jsonl", "w") as file:
        for number in range(20):
            for case in write(folder, number):
                file.write(json.dumps(case) + "\n")
    large(folder / "large.b2z", 1_000_000)


main()
