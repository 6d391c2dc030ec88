"""Tables for workers to share, and the rows of a query by the reference.

    workers.py OUT_DIR

Writes 20 stores of 1 000 000 rows, and `groups.json`: for each `n`, in order, of the rows with `x > 0.5`, `n`, their number, the sum of
`id`, and the smallest and the largest `x`.
"""

import dataclasses
import json
import sys
from pathlib import Path

import blosc2
import numpy as np

FILES = 20
ROWS = 1_000_000
FIELDS = [
    ("id", int, blosc2.field(blosc2.int64())),
    ("x", float, blosc2.field(blosc2.float64())),
    ("n", int, blosc2.field(blosc2.int32())),
    ("t", np.datetime64, blosc2.field(blosc2.timestamp(unit="ms"))),
]


def write(path, number):
    rng = np.random.default_rng(number)
    table = blosc2.CTable(dataclasses.make_dataclass("Row", FIELDS), urlpath=str(path), mode="w", expected_size=ROWS)
    ids = np.arange(ROWS) + number * ROWS
    times = (1_700_000_000_000 + 10 * ids).astype("M8[ms]")
    table.extend({"id": ids, "x": rng.normal(size=ROWS), "n": rng.integers(0, 1000, ROWS).astype("i4"), "t": times})
    table.close()


def read(path):
    """The columns of the rows that match."""
    table = blosc2.CTable.open(str(path)).where("x > 0.5")
    return [table[name][:] for name in ("n", "id", "x")]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:02}.b2z" for number in range(FILES)]
    for number, path in enumerate(paths):
        write(path, number)
    n, ids, x = (np.concatenate(parts) for parts in zip(*map(read, paths)))
    order = np.argsort(n, kind="stable")
    n, starts, counts = np.unique(n[order], return_index=True, return_counts=True)
    sums = np.add.reduceat(ids[order], starts)
    least, most = (ufunc.reduceat(x[order], starts) for ufunc in (np.minimum, np.maximum))
    rows = [[value.item() for value in row] for row in zip(n, counts, sums, least, most)]
    (folder / "groups.json").write_text(json.dumps(rows))


main()
