"""Compares the times of slices with those of readers for Python: python-blosc2, zarr-python and h5py.

    peers.py PROGRAM DIRECTORY [--json]

`cargo xtask bench peers` calls it. PROGRAM is b2nd-bench, which times the same selections of the same file. All use one
thread; files are in the system's cache. Every reader must find what NumPy finds.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import h5py
import hdf5plugin
import numcodecs.blosc
import numpy as np
import zarr

SHAPE, CHUNKS, BLOCKS = (120, 500, 1000), (16, 128, 256), (4, 64, 128)
# Several parts of each kind, so that positions do not matter.
PARTS = {
    "plane across axis 0": ["5", "60", "115"],
    "plane across axis 1": [":, 7", ":, 250", ":, 490"],
    "plane across axis 2": ["..., 3", "..., 500", "..., 990"],
    "cube of 10": ["30:40, 200:210, 500:510", "1:11, 60:70, 125:135", "100:110, 3:13, 900:910"],
    "one item": ["60, 250, 500", "3, 499, 2", "119, 0, 999"],
    "every third in half": ["30:90:3, 100:350:3, 200:700:3"],
    "whole": ["..."],
}
CODECS = {"lz4": (blosc2.Codec.LZ4, "lz4"), "zstd": (blosc2.Codec.ZSTD, "zstd")}
BUDGET, FEWEST = 0.3, 5


def main():
    program, out = sys.argv[1:3]
    os.makedirs(out, exist_ok=True)
    numcodecs.blosc.set_nthreads(1)
    zarr.config.set({"async.concurrency": 1, "threading.max_workers": 1})
    items = array()
    rows = []
    for codec, ids in CODECS.items():
        file = os.path.join(out, "peers-%s.b2nd" % codec)
        readers = write(items, file, os.path.join(out, "peers-" + codec), *ids)
        for name, texts in PARTS.items():
            selections = [selection(text) for text in texts]
            expected = [items[selected] for selected in selections]
            before = ours(program, file, texts, expected)
            row = {"codec": codec, "part": name}
            others = {reader: median(source, selections, expected, reader) for reader, source in readers.items()}
            # b2nd runs before and after the others, so that other load affects all alike.
            row["b2nd"] = (before + ours(program, file, texts, expected)) // 2
            rows.append(row | others)
    print(json.dumps({"versions": versions(), "rows": rows}, indent=2) if "--json" in sys.argv else table(rows))


def ours(program, file, texts, expected):
    """Nanoseconds of one part."""
    [own] = json.loads(subprocess.check_output([program, "time", file, ";".join(texts)]))
    if own["sum"] != sum(int(np.frombuffer(part.tobytes(), "u1").sum()) for part in expected):
        sys.exit("b2nd differs in %s" % texts)
    return own["ns"]


def array():
    """Camera images, as in files.py."""
    rng = np.random.default_rng(20)
    z, y, x = np.mgrid[0:120, 0:500, 0:1000]
    light = 3000 * (1.05 + np.sin(x * 0.021 + z * 0.05) * np.cos(y * 0.017)) + rng.normal(80, 20, x.shape)
    return light.clip(0).astype("u2")


def write(items, file, base, codec, name):
    """Writes the array with each library and the same compression. Returns the opened arrays."""
    cparams = {"codec": codec, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
    blosc2.asarray(items, chunks=CHUNKS, blocks=BLOCKS, cparams=cparams, urlpath=file, mode="w")
    compressor = zarr.codecs.BloscCodec(cname=name, clevel=5, shuffle="shuffle")
    store = base + ".zarr"
    zarr.create_array(store, data=items, chunks=CHUNKS, compressors=[compressor], overwrite=True)
    filters = hdf5plugin.Blosc(cname=name, clevel=5, shuffle=hdf5plugin.Blosc.SHUFFLE)
    with h5py.File(base + ".h5", "w") as h5:
        h5.create_dataset("items", data=items, chunks=CHUNKS, **filters)
    # Without this, HDF5 would cache decompressed chunks between reads.
    return {
        "python-blosc2": blosc2.open(file, mode="r", dparams={"nthreads": 1}),
        "zarr-python": zarr.open_array(store, mode="r"),
        "h5py": h5py.File(base + ".h5", "r", rdcc_nbytes=0)["items"],
    }


def selection(text):
    """The index expression of a selection."""
    return eval("np.s_[%s]" % text)


def median(source, selections, expected, reader):
    """Nanoseconds of one part."""
    for selected, items in zip(selections, expected):
        if not np.array_equal(source[selected], items):
            sys.exit("%s differs" % reader)
    times, end = [], time.perf_counter() + BUDGET
    while len(times) < FEWEST or time.perf_counter() < end:
        start = time.perf_counter_ns()
        for selected in selections:
            source[selected]
        times.append((time.perf_counter_ns() - start) / len(selections))
    return round(statistics.median(times))


def versions():
    return {
        "python-blosc2": blosc2.__version__,
        "zarr-python": zarr.__version__,
        "numcodecs": numcodecs.__version__,
        "h5py": h5py.__version__,
        "HDF5": h5py.version.hdf5_version,
        "hdf5plugin": hdf5plugin.version,
    }


def table(rows):
    """Markdown: the time of b2nd, and times and ratios of the others."""
    readers = ["python-blosc2", "zarr-python", "h5py"]
    lines = [
        "## Comparison with other readers\n",
        "An array of %s `u2` in chunks of %s, shuffled. Medians on one thread, with files in the page" % (SHAPE, CHUNKS),
        "cache and HDF5's chunk cache off. b2nd reads into existing memory (`Reader::get_into`); the others",
        "allocate an array for each read, which matters when they read the whole.",
        "Blocks of b2nd are %s. The other columns are times and, in parentheses, their ratios to b2nd's.\n" % (BLOCKS,),
        ", ".join("%s %s" % version for version in versions().items()) + ".\n",
        "| part | b2nd | %s |" % " | ".join(readers),
        "|---|---:|" + "---:|" * len(readers),
    ]
    for row in rows:
        others = ["%s (%.1f)" % (duration(row[reader]), row[reader] / row["b2nd"]) for reader in readers]
        lines.append("| %s, %s | %s | %s |" % (row["codec"], row["part"], duration(row["b2nd"]), " | ".join(others)))
    return "\n".join(lines)


def duration(ns):
    for unit, scale in (("µs", 1e3), ("ms", 1e6)):
        if ns < 1000 * scale:
            return "%.3g %s" % (ns / scale, unit)
    return "%.3g s" % (ns / 1e9)


if __name__ == "__main__":
    main()
