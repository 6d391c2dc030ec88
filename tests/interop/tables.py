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

from choices import Draw
from objects import TEXTS, plain, value

NAMES = ["a", "x y", "é", "nested.x", "nested.y", "other.deep.z", r"dot\.ted", "50%", "id", "name", "last"]
NUMBERS = {
    "int8": int, "int16": int, "int32": int, "int64": int, "uint8": int, "uint16": int, "uint32": int, "uint64": int,
    "float32": float, "float64": float, "complex64": complex, "complex128": complex, "bool": bool,
}
SENTINELS = {"int8": -128, "int32": -(2**31), "uint16": 65535, "float32": float("nan"), "float64": -1.5}
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
    parser.add_argument("--count", type=int, default=200)
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
    if args.nested:
        nested(args.out / "nested.b2z")
        members(args.out / "members.b2e")
    if args.arrow:
        arrow(args.out / "arrow.b2z")


if __name__ == "__main__":
    main()
