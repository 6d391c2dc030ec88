"""Writes arrays with zarr-python and numcodecs into a folder, or reads those that zarrs wrote there."""

import itertools
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BloscShuffle

NAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
ITEMS = (np.arange(300 * 211) ** 2 // 700 % 1000).reshape(300, 211)


def write(folder):
    for cname, shuffle, dtype in itertools.product(NAMES, [0, 1, 2], ["u1", "i2", "f4", "f8"]):
        items = ITEMS.astype(dtype)
        for version in [2, 3]:
            if version == 2:
                codec = {"compressors": numcodecs.Blosc(cname, 5, shuffle)}
            else:
                mode = list(BloscShuffle)[[s.value for s in BloscShuffle].index(["noshuffle", "shuffle", "bitshuffle"][shuffle])]
                codec = {"compressors": BloscCodec(cname=cname, clevel=5, shuffle=mode, typesize=items.itemsize)}
            path = folder / f"{version}-{cname}-{shuffle}-{dtype}"
            array = zarr.create_array(path, shape=items.shape, chunks=(100, 211), dtype=dtype, zarr_format=version, **codec)
            array[:] = items


def read(folder):
    paths = sorted(folder.glob("written-*"))
    for path in paths:
        array = zarr.open_array(path, mode="r")
        assert np.array_equal(array[:], ITEMS.astype(array.dtype)), path
    print(len(paths), "arrays read")


{"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
