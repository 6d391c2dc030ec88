"""The files of the tests of references, by python-blosc2. As a program, `reference_files.py FOLDER`, it writes them there, their items
beside them as native numbers, and `cases.json`."""

import json
import sys
from pathlib import Path

import blosc2
import numpy as np

# Ragged, since no length is a multiple of a chunk's.
SHAPES = [((1000,), (300,), (70,)), ((90, 41), (40, 20), (15, 6)), ((17, 18, 19), (8, 7, 10), (3, 7, 4)),
          ((7, 8, 9, 10), (4, 5, 6, 7), (2, 2, 4, 3)), ((5, 4, 6, 3, 7), (3, 3, 4, 2, 5), (2, 2, 3, 2, 2))]
DTYPES = ["|u1", "<i2", ">i4", ">f8", "<c16", "<f4", "<M8[s]", [("a", ">i4"), ("b", ">f8")], [("a", "<u2"), ("s", "S3")], "S5", "<U4"]


def frame(path, number):
    """Write a frame: of every third all items are equal, but in one chunk those of others are."""
    (shape, chunks, blocks), dtype = SHAPES[number % 5], np.dtype(DTYPES[number % 11])
    items = np.random.default_rng(number).integers(0, 100, shape).astype(dtype if dtype.names is None else "u1").astype(dtype)
    if number % 3 == 0:
        items[...] = number % 2
    else:
        items[tuple(slice(length) for length in chunks)] = 7
    if number % 3 == 0 and dtype.kind in "iuf":
        # Chunks of NaN are only entries of the index. The reference's have the byte order of the machine.
        special = dtype == np.dtype("<f4")
        items[...] = np.nan if special else 2
        make = (blosc2.nans, shape) if special else (blosc2.full, shape, 2)
        make[0](*make[1:], dtype=dtype, chunks=chunks, blocks=blocks, urlpath=str(path))
    else:
        blosc2.asarray(items, chunks=chunks, blocks=blocks, urlpath=str(path))
    return items


def files(folder):
    """Write 33 arrays, of which three are in a store; return file, member and items of each."""
    written = {}
    for number in range(30):
        file = f"a{number}.b2nd"
        written[f"a{number}"] = (file, None, frame(folder / file, number))
    with blosc2.TreeStore(str(folder / "s.b2z"), mode="w") as store:
        for number in range(3):
            items = np.random.default_rng(number).random((50, 40))
            store[f"/group/s{number}"] = blosc2.asarray(items, chunks=(20, 20), blocks=(10, 7))
            written[f"s{number}"] = ("s.b2z", f"group/s{number}", items)
    return written


def main(folder):
    cases = []
    for name, (file, member, items) in files(folder).items():
        (folder / f"{name}.items").write_bytes(items.astype(items.dtype.newbyteorder("=")).tobytes())
        cases.append({"name": name, "file": file, "member": member, "dtype": items.dtype.str[1:]})
    (folder / "cases.json").write_text(json.dumps(cases))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
