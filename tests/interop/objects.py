"""Random sequences of objects by the reference: what they hold goes to `objects.jsonl`.

    objects.py OUT_DIR --count N [--others] [--arrow]
"""

import argparse
import hashlib
import json
import math
import os
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import explicit  # noqa: F401
import blosc2
import numpy as np
from blosc2.msgpack_utils import msgpack_packb

from choices import Draw

TEXTS = ["", "a", "last", "héllo", "日本", "x" * 40, 'quo"te,\n']


def plain(value):
    """A value as the tool prints it in JSON."""
    if isinstance(value, (bool, np.bool_)) or value is None:
        return value if value is None else bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        value = float(value)
        if math.isfinite(value):
            return value
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, np.bytes_)):
        return {"bin": value.hex()}
    if isinstance(value, (complex, np.complexfloating)):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value] if value.ndim else plain(value[()])
    if isinstance(value, blosc2.NDArray):
        return plain(value[()])
    raise TypeError(repr(value))


def scalar(draw):
    return draw.pick(
        [
            None,
            draw.chance(50),
            draw.between(-40, 300),
            draw.pick([2**63, 2**64 - 1, -(2**63), 65536, -129]),
            draw.below(1000) / 7,
            draw.pick([math.nan, math.inf, -math.inf, -0.0]),
            draw.pick(TEXTS),
            bytes(range(draw.below(6))),
            complex(draw.below(9), -draw.below(9)),
        ]
    )


def value(draw, depth=0):
    kind = draw.below(14) if depth < 3 else 0
    if kind < 7:
        return scalar(draw)
    items = [value(draw, depth + 1) for _ in range(draw.below(5))]
    if kind < 9:
        return items
    if kind < 10:
        return tuple(items)
    if kind < 12:
        return {draw.pick(["k", "long key", "é", "z%d" % n]): item for n, item in enumerate(items)}
    if kind < 13:
        dtype = draw.pick(["<f8", "|b1", ">i2", "<c8", [("a", "<i4"), ("b", "<f4", (2,))]])
        if isinstance(dtype, list):
            return np.ones(2, dtype)["a"]
        return draw.rng.randint(0, 2, (draw.below(3), 2)).astype(dtype)
    if kind < 14 and depth < 2 and draw.chance(40):
        return blosc2.asarray(np.arange(6), chunks=(4,), blocks=(2,))
    return set(range(draw.below(3)))


def cparams(draw):
    codec = draw.pick([blosc2.Codec.ZSTD, blosc2.Codec.LZ4, blosc2.Codec.BLOSCLZ, blosc2.Codec.ZLIB])
    more = {"use_dict": True} if codec == blosc2.Codec.ZSTD and draw.chance(50) else {}
    return {"codec": codec, "clevel": draw.pick([0, 1, 5, 5]), "nthreads": 1, "blocksize": 0, "typesize": 1, **more}


def write(folder, number, draw):
    """Writes a sequence and returns what it holds."""
    kind = draw.pick(["objects", "batches", "batches", "lists", "lists", "lists vl"])
    path = folder / ("%03d.b2b" % number)
    path.unlink(missing_ok=True)
    storage = {"urlpath": str(path), "mode": "w", "contiguous": True, "cparams": cparams(draw)}
    if kind == "objects":
        values = [value(draw) for _ in range(draw.below(20))]
        blosc2.ObjectArray(**storage).extend(values)
    elif kind == "batches":
        array = blosc2.BatchArray(items_per_block=draw.pick([1, 2, 3, 7, 1000]), **storage)
        values = []
        for _ in range(draw.below(6)):
            batch = [value(draw) for _ in range(draw.between(1, 30))]
            array.append(batch)
            values += batch
    else:
        item, spec = draw.pick(
            [
                (lambda: draw.between(-9, 9), blosc2.int64(nullable=True)),
                (lambda: draw.pick(TEXTS), blosc2.string(max_length=50, nullable=True)),
                (lambda: [1, 2][: draw.below(3)], blosc2.list(blosc2.int32())),
                (lambda: {"x": draw.below(9)}, blosc2.struct({"x": blosc2.int32()})),
            ]
        )
        layout = {"storage": "vl"} if kind == "lists vl" else {"batch_rows": draw.pick([1, 3, 8]), "items_per_block": draw.pick([None, 1, 3])}
        array = blosc2.ListArray(item_spec=spec, nullable=True, **layout, **storage)
        values = [None if draw.chance(20) else [item() for _ in range(draw.below(5))] for _ in range(draw.below(40))]
        array.extend(values)
        array.flush()
    digest = hashlib.sha256(b"".join(msgpack_packb(value) for value in values)).hexdigest()
    return {
        "path": path.name,
        "kind": kind.split()[0],
        "sha256": digest,
        "values": [plain(value) for value in values],
    }


def others(folder):
    """What is not a sequence: a packed tensor, arrays in metalayers, and references."""
    cparams = {"codec": blosc2.Codec.LZ4, "clevel": 5, "nthreads": 1}
    items = np.array([(1, (2.5, 3.0)), (4, (5.0, -1.0))], [("a", "<i4"), ("b", "<f4", (2,))])
    tensor = np.arange(24, dtype="<i2").reshape(2, 3, 4)
    for name, value in [("tensor", tensor), ("records", items)]:
        blosc2.save_tensor(value, str(folder / (name + ".b2f")), mode="w", chunksize=48, cparams=cparams)
    path = str(folder / "attributes.b2nd")
    array = blosc2.asarray(np.arange(6), chunks=(4,), blocks=(2,), cparams=cparams, urlpath=path, mode="w")
    array.schunk.vlmeta["array"] = tensor[0, :2]
    array.schunk.vlmeta["records"] = items
    array.schunk.vlmeta["complex"] = 1 - 2j
    array.schunk.vlmeta["objects"] = np.array([1, "two"], object)
    # The operands of a lazy expression are stored as they were named.
    os.chdir(folder)
    operand = blosc2.open("attributes.b2nd")
    (operand * 2 + 1).save("lazy.b2nd", mode="w")


def arrow(folder):
    """Objects that are stored as Arrow, which needs pyarrow."""
    import pyarrow

    options = {"mode": "w", "contiguous": True, "cparams": {"codec": blosc2.Codec.LZ4, "clevel": 5, "nthreads": 1}}
    array = blosc2.BatchArray(serializer="arrow", items_per_block=3, urlpath=str(folder / "arrow.b2b"), **options)
    array.append(pyarrow.array([1, None, 3, 4]))
    array.append(pyarrow.array([50, 60]))
    lists = blosc2.ListArray(
        item_spec=blosc2.int64(), nullable=True, serializer="arrow", items_per_block=3, urlpath=str(folder / "arrow-lists.b2b"), **options
    )
    lists.extend([[1, 2], None, []])
    lists.flush()
    arrow_lists(folder, options)


def arrow_lists(folder, options):
    """Lists of every type, which `arrow.jsonl` has as JSON."""
    numbers = [*(getattr(blosc2, name)(nullable=True) for name in ["int8", "uint64", "float32"]), blosc2.bool()]
    rows = [[[1, None, -3], [], None], [[2**64 - 1], [0]], [[0.5, None], [-1.5]], [[True, False], None]]
    text, blob = blosc2.string(max_length=50, nullable=True), blosc2.bytes(max_length=9, nullable=True)
    struct = blosc2.struct({"x": blosc2.int32(), "y": blosc2.string(max_length=9, nullable=True)}, nullable=True)
    nested = blosc2.list(blosc2.int64(), nullable=True)
    cases = list(zip(numbers, rows)) + [
        (text, [TEXTS[:3] + [None], TEXTS[3:]]),
        (blob, [[b"", b"\xff\x00"], [None]]),
        (struct, [[{"x": 1, "y": "a"}, None], [{"x": -2, "y": None}]]),
        (nested, [[[1, 2], [], None], [], [[3]]]),
    ]
    with open(folder / "arrow.jsonl", "w") as out:
        for number, (spec, values) in enumerate(cases):
            path = folder / ("arrow-%d.b2b" % number)
            lists = blosc2.ListArray(item_spec=spec, nullable=True, serializer="arrow", batch_rows=2, items_per_block=1, urlpath=str(path), **options)
            lists.extend(values)
            lists.flush()
            digest = hashlib.sha256(b"".join(msgpack_packb(value) for value in values)).hexdigest()
            told = {"path": path.name, "kind": "lists", "sha256": digest, "values": [plain(value) for value in values]}
            out.write(json.dumps(told, ensure_ascii=False) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--arrow", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "objects.jsonl", "w") as out:
        for number in range(args.count):
            out.write(json.dumps(write(args.out, number, Draw(27, number)), ensure_ascii=False) + "\n")
    if args.arrow:
        arrow(args.out)
    if args.others:
        others(args.out)


if __name__ == "__main__":
    main()
