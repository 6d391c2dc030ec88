"""Writes a hundred arrays with each of the codecs blosc, blosc2 and b2nd through zarr-python, beside their raw items, or reads those that zarrs wrote."""

import random
import sys
from pathlib import Path

import numpy as np
import zarr
from b2nd.zarr import B2nd, Blosc2
from zarr.codecs import BloscCodec

COUNT = 100
NAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
DTYPES = ["|b1", "|u1", "<i2", "<u2", "<i4", "<f4", "<f8", "<i8", "<c16"]


def codecs(codec, rng, itemsize, chunks):
    """The arguments of create_array for a codec with random parameters."""
    cname, clevel = rng.choice(NAMES), rng.randint(0, 9)
    shuffle = rng.choice(["noshuffle", "shuffle", "bitshuffle"])
    if codec == "b2nd":
        filters = rng.choice([(), ("shuffle",), ("bitshuffle",), ("shuffle", "bytedelta")])
        blocks = tuple(rng.randint(1, n) for n in chunks)
        return {"serializer": B2nd(block_shape=blocks, cname=cname, clevel=clevel, filters=filters), "compressors": None}
    make = BloscCodec if codec == "blosc" else Blosc2
    compressor = make(cname=cname, clevel=clevel, shuffle=shuffle, typesize=itemsize, blocksize=rng.choice([0, 0, 512, 4096]))
    return {"compressors": compressor}


def write(folder):
    rng, values = random.Random(27), np.random.default_rng(27)
    for codec in ["blosc", "blosc2", "b2nd"]:
        for number in range(COUNT):
            ndim = rng.randint(1, 4)
            shape = tuple(rng.randint(1, [20000, 150, 28, 12][ndim - 1]) for _ in range(ndim))
            chunks = tuple(rng.randint(1 + n // 3, n) for n in shape)
            dtype = np.dtype(rng.choice(DTYPES))
            items = values.integers(0, rng.choice([2, 5, 200]), shape).astype(dtype)
            parameters = codecs(codec, rng, dtype.itemsize, chunks)
            array = zarr.create_array(folder / f"{codec}-{number}", shape=shape, chunks=chunks, dtype=dtype, **parameters)
            array[...] = items
            (folder / f"{codec}-{number}.raw").write_bytes(items.tobytes())


def read(folder):
    paths = sorted(folder.glob("written-*"))
    for path in paths:
        found = zarr.open_array(path, mode="r")[...]
        raw = (folder / path.name.removeprefix("written-")).with_suffix(".raw")
        assert found.tobytes() == raw.read_bytes(), path
    assert len(paths) == 3 * COUNT, len(paths)


{"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
