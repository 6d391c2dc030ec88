"""Reads frames whose chunks zarrs encoded, or writes frames whose chunks zarrs decodes, beside the raw items."""

import random
import sys
from pathlib import Path

import blosc2
import numpy as np


def read(folder):
    paths = sorted(folder.glob("[0-9]*.b2nd"))
    for path in paths:
        found = blosc2.open(str(path), mode="r")[...]
        assert found.tobytes() == path.with_suffix(".raw").read_bytes(), path
    print(len(paths), "arrays read")


def write(folder):
    rng, values = random.Random(27), np.random.default_rng(27)
    for number in range(60):
        ndim = rng.randint(1, 5)
        shape = [rng.randint(1, [4000, 70, 20, 9, 7][ndim - 1]) for _ in range(ndim)]
        chunks = [rng.randint(1, n) for n in shape]
        blocks = [rng.randint(1, n) for n in chunks]
        items = values.integers(0, 5, shape).astype(rng.choice(["|u1", "<i2", "<u2", "<i4", "<f4", "<f8"]))
        codec = rng.choice([blosc2.Codec.BLOSCLZ, blosc2.Codec.LZ4, blosc2.Codec.ZLIB, blosc2.Codec.ZSTD])
        filters = rng.choice([[], [blosc2.Filter.SHUFFLE], [blosc2.Filter.BITSHUFFLE], [blosc2.Filter.DELTA]])
        cparams = {"codec": codec, "clevel": rng.randint(0, 9), "filters": filters, "use_dict": False}
        path = folder / f"python-{number}.b2nd"
        blosc2.asarray(items, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=str(path), mode="w")
        (folder / f"python-{number}.raw").write_bytes(items.tobytes())


{"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
