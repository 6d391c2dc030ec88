"""Writes chunks of the HDF5 filters Blosc and Blosc2, and their values: `hdf5_files.py FOLDER`."""
import json
import os
import sys
from pathlib import Path

# Read by both filters of hdf5plugin. Several threads put blocks in the order in which they finish.
os.environ["BLOSC_NTHREADS"] = "1"
import h5py
import hdf5plugin
import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
ARRAYS = {
    "line": (np.arange(2500, dtype="<f8") // 25, (1000,)),
    "plane": ((np.arange(60 * 70, dtype="<i4") // 9).reshape(60, 70), (32, 40)),
    "cube": ((np.arange(20 * 30 * 40, dtype="<u2") // 9).reshape(20, 30, 40), (8, 30, 17)),
}
SHUFFLES = [0, 1, 2]
cases = []
with h5py.File(folder / "all.h5", "w") as file:
    for name, (array, chunks) in ARRAYS.items():
        for filter in (hdf5plugin.Blosc, hdf5plugin.Blosc2):
            for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
                for shuffle in SHUFFLES:
                    key = "filters" if filter is hdf5plugin.Blosc2 else "shuffle"
                    options = filter(cname=cname, clevel=5, **{key: shuffle})
                    case = f"{name}-{filter.__name__}-{cname}-{shuffle}".lower()
                    dataset = file.create_dataset(case, data=array, chunks=chunks, **options)
                    mask, stored = dataset.id.read_direct_chunk((0,) * array.ndim)
                    assert mask == 0, case
                    plain = array[tuple(slice(0, length) for length in chunks)]
                    assert plain.shape == chunks
                    (folder / f"{case}.stored").write_bytes(stored)
                    (folder / f"{case}.plain").write_bytes(plain.tobytes())
                    cases.append({"name": case, "filter": filter.filter_id})
(folder / "cases.json").write_text(json.dumps(cases))
