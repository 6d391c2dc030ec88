"""Exchanges arrays in the codecs of Blosc between zarr-python and zarrita: `zarr_exchange.py FOLDER` writes arrays of Zarr 2 and 3,
some in shards, with their items beside them. `zarr_exchange.py FOLDER read` compares what zarrita wrote with its items, and prints
which arrays differ."""
import json
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec

# Several threads put blocks in the order in which they finish.
numcodecs.blosc.set_nthreads(1)
folder = Path(sys.argv[1])
DTYPES = ["u1", "i2", "u4", "f4", "f8", "i8"]
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]


def create(seed):
    random = np.random.default_rng(seed)
    ndim = int(random.integers(1, 4))
    shape = [int(random.integers(1, [4000, 90, 25][ndim - 1])) for _ in range(ndim)]
    chunks = [int(random.integers((length + 3) // 4, length + 3)) for length in shape]
    version = 2 + seed % 2
    order = ">" if seed % 5 == 0 else "<"
    dtype = np.dtype(order + DTYPES[seed % len(DTYPES)])
    cname, shuffle, clevel = CODECS[seed % 5], int(random.integers(3)), int(random.integers(1, 10))
    blocksize = int(random.choice([0, 256, 4096]))
    items = (np.sin(np.arange(np.prod(shape)) / 40) * 100).astype(dtype.newbyteorder("<")) if dtype.kind != "u" else None
    if items is None:
        items = random.integers(0, 50, np.prod(shape)).cumsum().astype(dtype.newbyteorder("<"))
    items = items.reshape(shape)
    name = f"{seed}"
    options = {"shape": shape, "chunks": chunks, "dtype": dtype, "zarr_format": version}
    if version == 2:
        options["compressors"] = numcodecs.Blosc(cname, clevel=clevel, shuffle=shuffle, blocksize=blocksize)
        options["order"] = "CF"[seed % 4 == 0]
    else:
        options["compressors"] = BloscCodec(
            cname=cname, clevel=clevel, shuffle=SHUFFLES[shuffle], typesize=dtype.itemsize, blocksize=blocksize
        )
        if seed % 3 == 0:
            options["shards"] = [2 * length for length in chunks]
    array = zarr.create_array(folder / name, **options)
    array[:] = items.astype(dtype)
    (folder / f"{name}.items").write_bytes(items.tobytes())
    return {"name": name, "dtype": DTYPES[seed % len(DTYPES)], "sharded": "shards" in options}


def differs(name):
    items = zarr.open_array(folder / name, mode="r")[:]
    return items.astype(items.dtype.newbyteorder("<")).tobytes() != (folder / f"{name}.items").read_bytes()


if len(sys.argv) > 2:
    names = json.loads((folder / "written.json").read_text())
    print(json.dumps({"wrong": [name for name in names if differs(name)], "count": len(names)}))
else:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cases.json").write_text(json.dumps([create(seed) for seed in range(120)]))
