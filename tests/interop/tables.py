"""Random tables by the reference: what they hold goes to `tables.jsonl`.

    tables.py OUT_DIR --count N [--nested] [--arrow]
"""

import argparse
import dataclasses
import json
import shutil
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import explicit
import blosc2
import blosc2.ctable
import numpy as np
from blosc2.schema import NDArraySpec

from choices import Draw
from objects import TEXTS, plain, value

NAMES = ["a", "x y", "é", "nested.x", "nested.y", "other.deep.z", r"dot\.ted", "50%", "id", "name", "last"]
NUMBERS = {
    "int8": int, "int16": int, "int32": int, "int64": int, "uint8": int, "uint16": int, "uint32": int, "uint64": int,
    "float32": float, "float64": float, "complex64": complex, "complex128": complex, "bool": bool,
}
SENTINELS = {"int8": -128, "int32": -(2**31), "uint16": 65535, "float32": float("nan"), "float64": -1.5}
WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
UNITS = ["s", "ms", "us", "ns"]


def chosen(draw):
    """Chunks and blocks of new arrays, in place of those by the processor's caches."""

    def shapes(shape, chunks=None, blocks=None, dtype=np.uint8, **more):
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        chunks = chunks or tuple(max(1, min(n, draw)) for n in shape[:1]) + tuple(max(1, n) for n in shape[1:])
        blocks = blocks or tuple(max(1, (n + 1) // 2) for n in chunks)
        return tuple(chunks), tuple(blocks)

    return shapes


def number(draw, kind):
    if kind == "bool":
        return draw.chance(50)
    if kind.startswith("complex"):
        return complex(draw.below(9), draw.below(9) - 4)
    if kind.startswith("float"):
        return draw.pick([0.0, -0.5, draw.below(1000) / 8, float("nan"), float("inf")])
    return draw.below(100) - (0 if kind.startswith("u") else 50)


def column(draw):
    """The annotation of a column, its spec, and a function that draws a value."""
    kind = draw.pick(list(NUMBERS) + ["string", "bytes", "utf8", "vlstring", "vlbytes", "timestamp", "dictionary", "list", "struct", "object", "ndarray"])
    null = {"nullable": True} if draw.chance(50) else {}
    if kind in SENTINELS and draw.chance(40):
        null = {"null_value": SENTINELS[kind]}
    elif null and kind == "bool" and draw.chance(30):
        null = {"null_value": 255}
    if kind in NUMBERS:
        return NUMBERS[kind], getattr(blosc2, kind)(**null), null, lambda: number(draw, kind)
    if kind == "string":
        null = {"null_value": "<NA>"} if null and draw.chance(50) else null
        return str, blosc2.string(max_length=40, **null), null, lambda: draw.pick(TEXTS)
    if kind == "bytes":
        null = {"null_value": b"\xff\x01"} if null and draw.chance(50) else null
        return bytes, blosc2.bytes(max_length=6, **null), null, lambda: bytes(range(65, 65 + draw.below(6)))
    if kind == "utf8":
        null = {"null_value": "<NA>"} if null and draw.chance(50) else null
        return str, blosc2.utf8(**null), null, lambda: draw.pick(TEXTS)
    if kind in ("vlstring", "vlbytes"):
        spec = getattr(blosc2, kind)(batch_rows=draw.pick([2, 50]), **null)
        text = lambda: draw.pick(TEXTS)
        return (str, spec, null, text) if kind == "vlstring" else (bytes, spec, null, lambda: text().encode())
    if kind == "timestamp":
        unit = draw.pick(UNITS)
        moment = lambda: np.datetime64(draw.rng.randint(-(10**9), 10**9), unit)
        return np.datetime64, blosc2.timestamp(unit=unit, **null), null, moment
    if kind == "dictionary":
        return str, blosc2.dictionary(nullable=bool(null)), null, lambda: draw.pick(TEXTS)
    if kind == "list":
        spec = blosc2.list(blosc2.int64(), nullable=bool(null), batch_rows=draw.pick([3, 50]), storage=draw.pick(["batch", "vl"]))
        return list[int], spec, null, lambda: [draw.below(9) for _ in range(draw.below(4))]
    if kind == "struct":
        spec = blosc2.struct({"x": blosc2.int32(), "y": blosc2.string(max_length=40)})
        return dict, spec, {}, lambda: {"x": draw.below(9), "y": draw.pick(TEXTS)}
    if kind == "object":
        return object, blosc2.object(nullable=True), {"nullable": True}, lambda: value(draw, 2)
    shape = draw.pick([(2,), (2, 3)])
    return np.ndarray, blosc2.ndarray(shape, dtype=np.dtype("<f4")), {}, lambda: draw.rng.randint(0, 9, shape).astype("<f4")


def cells(table, name, kind):
    """The values of a column as the tool prints them in JSON."""
    stored = table[name]
    nulls = stored.is_null() if len(table) else []
    values = stored[:] if len(table) else []
    # Booleans beside a value that stands for null come as bytes.
    as_read = bool if kind == "bool" else cell
    return [None if null else as_read(one) for null, one in zip(nulls, values, strict=True)]


def cell(one):
    if isinstance(one, np.datetime64):
        return None if np.isnat(one) else str(one)
    if isinstance(one, (bytes, np.bytes_)) and not isinstance(one, str):
        return one.decode("latin-1") if isinstance(one, np.bytes_) else plain(one)
    return plain(one)


def write(folder, number, draw):
    """Writes a table and returns what it holds."""
    blosc2.ctable.compute_chunks_blocks = chosen(draw.pick([5, 16, 1000]))
    names = [name for name in NAMES if draw.chance(35)] or ["only"]
    drawn = {name: column(draw) for name in names}
    fields = [("f%d" % n, annotation, blosc2.field(spec)) for n, (annotation, spec, _, _) in enumerate(drawn.values())]
    row = dataclasses.make_dataclass("Row", fields)
    path = folder / ("%03d%s" % (number, draw.pick([".b2d", ".b2z", ".b2z"])))
    shutil.rmtree(path, ignore_errors=True)
    path.unlink(missing_ok=True)
    table = blosc2.CTable(row, urlpath=str(path), mode="w", expected_size=draw.pick([4, 64]))
    for _ in range(draw.pick([0, 1, 5, 30, 60])):
        table.append(tuple(null.get("null_value") if null and draw.chance(25) else make() for _, _, null, make in drawn.values()))
    for n, (name, (_, spec, _, _)) in enumerate(drawn.items()):
        # The reference cannot rename the others.
        if getattr(spec, "dtype", None) is not None and draw.chance(50):
            table.rename_column("f%d" % n, name)
    if len(table) and draw.chance(60):
        table.delete(sorted({draw.below(len(table)) for _ in range(draw.between(1, len(table)))}))
    if draw.chance(30):
        table.vlmeta["note"] = "of table %d" % number
    table.close()
    return facts(path)


def facts(path):
    """What a table holds."""
    table = blosc2.open(str(path))
    kinds = {name: table._schema.columns_by_name[name].spec.to_metadata_dict()["kind"] for name in table.col_names}
    columns = [{"name": name, "kind": kind, "cells": cells(table, name, kind)} for name, kind in kinds.items()]
    return {"path": path.name, "rows": len(table), "columns": columns}


def nested(path):
    """A table in a group, beside an array."""

    @dataclasses.dataclass
    class Row:
        number: int = blosc2.field(blosc2.int32())
        text: str = blosc2.field(blosc2.utf8(nullable=True))

    path.unlink(missing_ok=True)
    table = blosc2.CTable(Row, expected_size=4)
    for row in [(1, "one"), (2, None), (3, "three " * 1000)]:
        table.append(row)
    with blosc2.TreeStore(str(path), mode="w") as store:
        store["/group/table"] = table
        store["/array"] = blosc2.asarray(np.arange(5), chunks=(5,), blocks=(5,))


def described(path):
    """A table whose schema says more of its columns than their kinds."""

    @dataclasses.dataclass
    class Row:
        id: int = blosc2.field(blosc2.int64())
        moment: np.datetime64 = blosc2.field(blosc2.timestamp(unit="ms", timezone="+02:00", nullable=True))
        city: np.datetime64 = blosc2.field(blosc2.timestamp(unit="s", timezone="Europe/Berlin"))
        word: str = blosc2.field(blosc2.dictionary())
        numbers: list[int] = blosc2.field(blosc2.list(blosc2.int64(), nullable=True))
        matrix: np.ndarray = blosc2.field(blosc2.ndarray((2, 3), dtype=np.dtype("<f4")))
        place: dict = blosc2.field(blosc2.struct({"x": blosc2.int32(), "y": blosc2.string(max_length=4)}))

    path.unlink(missing_ok=True)
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", expected_size=4)
    for n in range(2):
        moment = np.datetime64(n * 1500, "ms")
        table.append((n, moment, moment.astype("M8[s]"), "word", [n], np.full((2, 3), n, "f4"), {"x": n, "y": "y"}))
    table.create_index("id")
    table.close()


def embedded(path, table):
    """Writes a table as one frame, and returns what it holds."""
    path.write_bytes(blosc2.open(str(table)).to_cframe())
    return {**facts(table), "path": path.name}


def members(path):
    """A frame of frames, of which one is a table with columns that are computed and generated."""

    @dataclasses.dataclass
    class Row:
        a: int = blosc2.field(blosc2.int32())
        b: float = blosc2.field(blosc2.float64())

    table = blosc2.CTable(Row, expected_size=4)
    for row in [(1, 0.5), (2, 1.5), (3, 2.5)]:
        table.append(row)
    table.add_computed_column("sum", lambda columns: columns["a"] * 2 + columns["b"])
    table.add_generated_column("double", values="a * 2")
    path.unlink(missing_ok=True)
    store = blosc2.EmbedStore(str(path), mode="w")
    store["/group/table"] = table
    store["/array"] = blosc2.asarray(np.arange(5), chunks=(5,), blocks=(5,))


def arrow(path):
    """A column of lists that are stored as Arrow, which needs pyarrow."""

    @dataclasses.dataclass
    class Row:
        number: int = blosc2.field(blosc2.int32())
        words: list[str] = blosc2.field(
            blosc2.list(blosc2.string(max_length=9), nullable=True, batch_rows=2, serializer="arrow")
        )

    path.unlink(missing_ok=True)
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", expected_size=4)
    for row in [(1, ["a", "b"]), (2, None), (3, []), (4, ["é"])]:
        table.append(row)
    table.delete([2])
    table.close()


def indexed(path):
    """A table in no order, with full indexes: of integers, of floats with NaN, and of integers with nulls."""

    @dataclasses.dataclass
    class Row:
        x: int = blosc2.field(blosc2.int32(), chunks=(2048,), blocks=(128,))
        y: float = blosc2.field(blosc2.float32(), chunks=(2048,), blocks=(128,))
        z: int = blosc2.field(blosc2.int32(nullable=True), chunks=(2048,), blocks=(128,))

    rng = np.random.default_rng(28)
    x, z = rng.permutation(6_000).astype("i4"), rng.permutation(6_000).astype("i4") // 10
    y = (x % 100 / 4).astype("f4")
    y[rng.random(len(y)) < 0.01] = np.nan
    path.unlink(missing_ok=True)
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", expected_size=len(x))
    table.extend({"x": x, "y": y, "z": [None if z % 50 == 0 else int(z) for z in z]})
    for name in "xyz":
        table.create_index(name, kind=blosc2.IndexKind.FULL)
    table.delete([5, 4000])
    table.close()


def sentinel(draw):
    """The annotation of a column, its spec with a value that stands for null, and the other values of its cells."""
    kind = draw.pick(WHOLE + ["float32", "float64", "bool", "string", "bytes", "utf8", "dictionary", "ndarray", "ndarray"])
    own = draw.chance(60)
    stored = {"nullable": True, "null_storage": "sentinel"}
    if kind in WHOLE or kind.startswith("float"):
        null, others = nulls_of(draw, kind)
        return NUMBERS[kind], getattr(blosc2, kind)(**({"null_value": null} if own else stored)), others
    if kind == "bool":
        return bool, blosc2.bool(**stored), [True, False]
    if kind == "dictionary":
        return str, blosc2.dictionary(nullable=True), TEXTS
    if kind == "bytes":
        null = {"null_value": draw.pick([b"", b"\xff\x01", b"A"])} if own else stored
        return bytes, blosc2.bytes(max_length=20, **null), [b"A", b"", b"\xff", b"\xff\x01\x02"]
    if kind != "ndarray":
        null = {"null_value": draw.pick(["", "<NA>", "é"])} if own else stored
        spec = getattr(blosc2, kind)(**null, **({"max_length": 40} if kind == "string" else {}))
        return str, spec, TEXTS
    dtype = draw.pick(WHOLE + ["float16", "float32", "float64"])
    null, others = nulls_of(draw, dtype)
    spec = blosc2.ndarray((2,), dtype=np.dtype(dtype), **({"null_value": null} if own else stored))
    return np.ndarray, spec, [np.array([draw.pick(others + [null]), other], dtype) for other in others]


def nulls_of(draw, kind):
    """A value that stands for null, and others, some of them close to it."""
    if kind.startswith("float"):
        null = draw.pick([float("nan"), float("inf"), -999.1, 0.0, 0.1, 1.5])
        return null, [-999.125, -999.0, 0.125, 1.5, -0.0, 0.0, float("-inf"), float("nan")]
    bounds = np.iinfo(kind)
    inside = [n for n in [2**53 + 1, 2**60 + 1, -(2**60) - 1, 2**63 + 1, 0, 7] if bounds.min <= n <= bounds.max]
    null = draw.pick([int(bounds.min), int(bounds.max)] + inside)
    near = [null - 1, null + 1, 0, 1, int(bounds.min), int(bounds.max)]
    return null, [n for n in near if bounds.min <= n <= bounds.max and n != null]


def rounded():
    """Columns whose values for null a double does not hold, or that are rounded to the dtype."""
    stored = {"nullable": True, "null_storage": "sentinel"}
    near = [2**53, 2**60, 2**60 + 1, 2**60 + 2]
    halves = [np.array(row, "f2") for row in [[-999.0, 1.0], [np.nan, -999.0], [np.nan, 0.5]]]
    return [
        (int, blosc2.uint64(**stored), [0, 5, 2**64 - 2]),
        (int, blosc2.int64(null_value=2**60 + 1), near),
        (int, blosc2.uint64(null_value=2**53 + 1), near),
        (float, blosc2.float32(null_value=-999.1), [-999.125, -999.0, 0.5]),
        (float, blosc2.float64(null_value=0.0), [-0.0, 0.5, float("nan")]),
        (np.ndarray, blosc2.ndarray((2,), dtype=np.dtype("f2"), null_value=-999.1), halves),
        (np.ndarray, blosc2.ndarray((2,), dtype=np.dtype("f2"), null_value=float("nan")), halves),
    ]


def sentinels(path, draw, drawn):
    """A table in which values stand for null, and returns what it holds."""
    columns = len(drawn)
    fields = [("f%d" % n, annotation, blosc2.field(spec)) for n, (annotation, spec, _) in enumerate(drawn)]
    path.unlink(missing_ok=True)
    table = blosc2.CTable(dataclasses.make_dataclass("Row", fields), urlpath=str(path), mode="w", expected_size=16)
    nulls = [getattr(table._schema.columns_by_name["f%d" % n].spec, "null_value", None) for n in range(columns)]
    for _ in range(draw.between(5, 20)):
        table.append(tuple(whole(spec, null) if draw.chance(30) else draw.pick(others) for null, (_, spec, others) in zip(nulls, drawn)))
    table.close()
    return facts(path)


def whole(spec, null):
    """A null cell."""
    return np.full(spec.item_shape, null, spec.dtype) if isinstance(spec, NDArraySpec) else null


def stale(path):
    """Generated columns, of which two are stale: an input of theirs was changed afterwards."""

    @dataclasses.dataclass
    class Row:
        a: int = blosc2.field(blosc2.int32())
        b: float = blosc2.field(blosc2.float64())

    path.unlink(missing_ok=True)
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", expected_size=4)
    for row in [(1, 0.5), (2, 1.5), (3, 2.5)]:
        table.append(row)
    table.add_generated_column("double", values="a * 2")
    table.add_generated_column("four", values="double * 2")
    table.add_generated_column("half", values="b / 2")
    table["a"][0] = 100
    table.close()


def times(path):
    """Times in all units, and returns what they are."""
    fields = [(unit, np.datetime64, blosc2.field(blosc2.timestamp(unit=unit, nullable=True))) for unit in UNITS]
    path.unlink(missing_ok=True)
    table = blosc2.CTable(dataclasses.make_dataclass("Row", fields), urlpath=str(path), mode="w", expected_size=4)
    for moment in ["2024-05-06T07:08:09.123456789", "1969-12-31T23:59:59.999999999", "1970-01-01", "1700-02-28T01:02:03.000000004"]:
        table.append(tuple(np.datetime64(moment, unit) for unit in UNITS))
    table.append((None,) * len(UNITS))
    table.delete([2])
    table.close()
    return facts(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--nested", action="store_true")
    parser.add_argument("--arrow", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    explicit.module.compute_chunks_blocks = chosen(100)
    with open(args.out / "tables.jsonl", "w") as out:
        for number in range(args.count):
            written = write(args.out, number, Draw(29, number))
            out.write(json.dumps(written, ensure_ascii=False) + "\n")
            if number % 4 == 1:
                told = embedded(args.out / ("%03d.b2e" % number), args.out / written["path"])
                out.write(json.dumps(told, ensure_ascii=False) + "\n")
        if args.nested:
            out.write(json.dumps(times(args.out / "times.b2z")) + "\n")
            draw = Draw(30, 0)
            out.write(json.dumps(sentinels(args.out / "nulls.b2z", draw, rounded() + [sentinel(draw) for _ in range(15)]), ensure_ascii=False) + "\n")
        for number in range(0 if args.nested else args.count // 2):
            draw = Draw(30, number)
            told = sentinels(args.out / ("nulls-%03d.b2z" % number), draw, [sentinel(draw) for _ in range(5)])
            out.write(json.dumps(told, ensure_ascii=False) + "\n")
    if args.nested:
        stale(args.out / "stale.b2z")
        nested(args.out / "nested.b2z")
        described(args.out / "described.b2z")
        indexed(args.out / "indexed.b2z")
        members(args.out / "members.b2e")
    if args.arrow:
        arrow(args.out / "arrow.b2z")


if __name__ == "__main__":
    main()
