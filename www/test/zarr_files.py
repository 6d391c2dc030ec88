"""Writes arrays of Zarr 2 and 3 with each codec of Blosc, by zarr-python: `zarr_files.py FOLDER`."""
import json
import shutil
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec

# Several put blocks in the order in which they finish.
numcodecs.blosc.set_nthreads(1)
folder = Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]
ARRAYS = {
    "<i4": np.arange(50 * 37, dtype="<i4").reshape(50, 37) // 3,
    "<f8": np.sin(np.arange(50 * 37, dtype="<f8") // 11).reshape(50, 37),
    "|u1": (np.arange(50 * 37) // 40 % 251).astype("|u1").reshape(50, 37),
}
cases = []
for dtype, array in ARRAYS.items():
    for cname in CODECS:
        for number, shuffle in enumerate(SHUFFLES):
            for version in (2, 3):
                blosc = (
                    numcodecs.Blosc(cname, clevel=5, shuffle=number)
                    if version == 2
                    else BloscCodec(cname=cname, clevel=5, shuffle=shuffle, typesize=array.itemsize)
                )
                name = f"v{version}-{cname}-{shuffle}-{dtype[1:]}"
                stored = zarr.create_array(
                    folder / name, shape=array.shape, chunks=(20, 16), dtype=dtype, compressors=blosc, zarr_format=version
                )
                stored[:] = array
                cases.append({"name": name, "dtype": dtype})
for dtype, array in ARRAYS.items():
    (folder / f"{dtype[1:]}.bytes").write_bytes(array.tobytes())
(folder / "cases.json").write_text(json.dumps(cases))
