"""Random stores by the reference: what each member holds goes to `stores.jsonl`.

    stores.py OUT_DIR --count N
"""

import argparse
import dataclasses
import hashlib
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
from tables import chosen

GROUPS = ["/g0", "/g1", "/g1", "/g2.b2nd", "/g3.b2f"]
DTYPES = ["|u1", "<i4", "<f8", "<c8", "|S5"]
CPARAMS = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}


@dataclasses.dataclass
class Row:
    number: int = blosc2.field(blosc2.int32())
    text: str = blosc2.field(blosc2.utf8(nullable=True))


def table(draw):
    """A table with a few rows."""
    rows = blosc2.CTable(Row, expected_size=4)
    for number in range(draw.below(20)):
        rows.append((number, draw.pick([None, "text", "é" * draw.below(100)])))
    return rows


def value(draw):
    """An array, or the items of a super-chunk."""
    if draw.chance(15):
        data = bytes(draw.rng.randint(0, 9, draw.between(1, 5000), dtype="u1"))
        cparams = dict(CPARAMS, typesize=1)
        return blosc2.SChunk(chunksize=draw.between(100, 3000), data=data, cparams=cparams), data
    shape = tuple(draw.between(1, 40) for _ in range(draw.between(1, 3)))
    items = draw.rng.randint(0, 200, shape).astype(draw.pick(DTYPES))
    chunks = tuple(draw.between(1, n) for n in shape)
    blocks = tuple(draw.between(1, n) for n in chunks)
    return blosc2.asarray(items, chunks=chunks, blocks=blocks, cparams=CPARAMS), items.tobytes()


def fill(draw, store, is_tree):
    """Adds members, tables and attributes, and removes some members again. Returns what is there."""
    members, tables, attributes, groups = {}, {}, {}, [""]
    for number in range(draw.between(1, 12)):
        depth = draw.below(6) if is_tree else draw.below(3)
        # Some groups have the names of files.
        group = "".join(draw.pick(GROUPS) for _ in range(depth))
        key = "%s/m%d" % (group, number)
        stored, members[key] = value(draw)
        store[key] = stored
        groups += ["/".join(group.split("/")[: n + 2]) for n in range(depth)]
    for key in [key for key in members if draw.chance(15)]:
        if len(members) > 1:
            del store[key]
            del members[key]
    for number in range(draw.below(3) if is_tree else 0):
        key = "".join(draw.pick(GROUPS) for _ in range(draw.below(3))) + "/t%d" % number
        rows = table(draw)
        store[key], tables[key] = rows, len(rows)
    groups = [group for group in groups if any(key.startswith(group + "/") for key in members)]
    if is_tree:
        for group in sorted(set(groups)):
            if draw.chance(40):
                layers = store.vlmeta if group == "" else store[group].vlmeta
                layers["note"] = attributes[group] = "of %s %d" % (group, draw.below(99))
    return members, tables, attributes


def write(path, draw):
    kind = draw.pick(["EmbedStore", "DictStore", "TreeStore", "TreeStore"])
    path = path.with_suffix(".b2e" if kind == "EmbedStore" else draw.pick([".b2d", ".b2z"]))
    shutil.rmtree(path, ignore_errors=True)
    if kind == "EmbedStore":
        members, tables, attributes = fill(draw, blosc2.EmbedStore(str(path), mode="w"), False)
    else:
        with getattr(blosc2, kind)(str(path), mode="w", threshold=draw.pick([0, 300, 3000, 10**9])) as store:
            members, tables, attributes = fill(draw, store, kind == "TreeStore")
    digests = {key: hashlib.sha256(data).hexdigest() for key, data in members.items()}
    return {"path": path.name, "kind": kind, "members": digests, "tables": tables, "attributes": attributes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=300)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    # Those of tables.
    blosc2.ctable.compute_chunks_blocks = explicit.module.compute_chunks_blocks = chosen(100)
    with open(args.out / "stores.jsonl", "w") as out:
        for number in range(args.count):
            out.write(json.dumps(write(args.out / ("%03d" % number), Draw(18, number))) + "\n")


main()
