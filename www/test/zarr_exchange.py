"""Exchanges arrays in the codecs of Blosc between zarr-python and another program, zarrita or zarrs: `zarr_exchange.py FOLDER` writes
arrays of Zarr 2 and 3, some in shards, with their items beside them, in little-endian and C order. `zarr_exchange.py FOLDER read` compares
what the other wrote with its items, and prints which arrays differ. Where the package `b2nd` is installed, arrays in the codecs `blosc2`
and `b2nd` are among them."""
import importlib.util
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
DTYPES = ["u1", "i2", "u4", "f4", "f8", "i8", "i1", "u2", "i4", "u8", "c8"]
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]


FILTERS = [(), ("shuffle",), ("bitshuffle",), ("delta",), ("shuffle", "bytedelta")]
# The codec of each array.
KINDS = ["blosc"] * 120 + (["blosc2", "b2nd"] * 50 if importlib.util.find_spec("b2nd") else [])


def items_of(random, dtype, shape):
    count = int(np.prod(shape))
    if dtype.kind == "u":
        items = random.integers(0, 50, count).cumsum()
    elif dtype.kind == "c":
        items = np.exp(1j * np.arange(count) / 40)
    else:
        items = np.sin(np.arange(count) / 40) * 100
    return items.astype(dtype.newbyteorder("<")).reshape(shape)


def codecs_of(kind, version, random, dtype, chunks):
    cname, clevel = CODECS[random.integers(5)], int(random.integers(1, 10))
    shuffle, blocksize = int(random.integers(3)), int(random.choice([0, 256, 4096]))
    if version == 2:
        return {"compressors": numcodecs.Blosc(cname, clevel=clevel, shuffle=shuffle, blocksize=blocksize)}
    options = {"cname": cname, "clevel": clevel, "shuffle": SHUFFLES[shuffle], "typesize": dtype.itemsize, "blocksize": blocksize}
    if kind == "blosc":
        return {"compressors": BloscCodec(**options)}
    import b2nd.zarr

    if kind == "blosc2":
        return {"compressors": b2nd.zarr.Blosc2(**options)}
    blocks = [int(random.integers(1, length, endpoint=True)) for length in chunks]
    filters = FILTERS[random.integers(5)]
    codec = b2nd.zarr.B2nd(blocks, endian=["little", "big"][shuffle % 2], cname=cname, clevel=clevel, filters=filters)
    return {"serializer": codec, "compressors": None}


def create(seed, kind):
    random = np.random.default_rng(seed)
    ndim = int(random.integers(1, 4))
    shape = [int(random.integers(1, [4000, 90, 25][ndim - 1])) for _ in range(ndim)]
    chunks = [int(random.integers((length + 3) // 4, length + 3)) for length in shape]
    version = 2 + seed % 2 if kind == "blosc" else 3
    name, order = DTYPES[seed % len(DTYPES)], "C"
    dtype = np.dtype((">" if seed % 5 == 0 else "<") + name)
    items = items_of(random, dtype, shape)
    options = {"shape": shape, "chunks": chunks, "dtype": dtype, "zarr_format": version}
    options |= codecs_of(kind, version, random, dtype, chunks)
    if version == 2:
        order = options["order"] = "CF"[seed % 4 == 0]
    elif seed % 3 == 0:
        options["shards"] = [2 * length for length in chunks]
    array = zarr.create_array(folder / f"{seed}", **options)
    array[:] = items.astype(dtype)
    (folder / f"{seed}.items").write_bytes(items.tobytes())
    return {"name": f"{seed}", "dtype": name, "codec": kind, "order": order, "sharded": "shards" in options}


def differs(name):
    items = zarr.open_array(folder / name, mode="r")[:]
    return items.astype(items.dtype.newbyteorder("<")).tobytes() != (folder / f"{name}.items").read_bytes()


if len(sys.argv) > 2:
    names = json.loads((folder / "written.json").read_text())
    print(json.dumps({"wrong": [name for name in names if differs(name)], "count": len(names)}))
else:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cases.json").write_text(json.dumps([create(seed, kind) for seed, kind in enumerate(KINDS)]))
