"""Writes chunks of the HDF5 filters Blosc and Blosc2, and frames and chunks that they read: `hdf5_files.py FOLDER`.

`cases.json` has the SHA-256 of their values. With `--golden` there are fewer.
"""
import hashlib
import json
import os
import sys
from pathlib import Path

# Read by both filters of hdf5plugin. Several threads put blocks in the order in which they finish.
os.environ["BLOSC_NTHREADS"] = "1"
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/golden"))

import explicit  # noqa: F401
import blosc2
import h5py
import hdf5plugin
import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
is_golden = "--golden" in sys.argv
ARRAYS = {
    "line": (np.arange(2500, dtype="<f8") // 25, (1000,)),
    "plane": ((np.arange(60 * 70, dtype="<i4") // 9).reshape(60, 70), (32, 40)),
    "cube": ((np.arange(20 * 30 * 40, dtype="<u2") // 9).reshape(20, 30, 40), (8, 30, 17)),
}
CODECS = ["zstd"] if is_golden else ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = [1] if is_golden else [0, 1, 2]
CPARAMS = {"codec": blosc2.Codec.LZ4, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
cases = []


def write(name, filter, stored, plain):
    (folder / f"{name}.stored").write_bytes(stored)
    items = plain.tobytes()
    cases.append({"name": name, "filter": filter, "nbytes": len(items), "sha256": hashlib.sha256(items).hexdigest()})


def forms(plain):
    """What else the filter Blosc2 reads: chunks of its first versions, and frames with several chunks."""
    cparams = dict(CPARAMS, typesize=plain.itemsize)
    yield "chunk", blosc2.compress2(plain.tobytes(), blocksize=2048, **cparams)
    items = blosc2.SChunk(chunksize=3000 * plain.itemsize // 8, data=plain, cparams=dict(cparams, blocksize=512))
    yield "items", items.to_cframe()
    chunks = tuple(length * 2 // 3 for length in plain.shape)
    blocks = tuple(max(length // 2, 1) for length in chunks)
    yield "array", blosc2.asarray(plain, chunks=chunks, blocks=blocks, cparams=CPARAMS).to_cframe()


with h5py.File(folder / "all.h5", "w") as file:
    for name, (array, chunks) in ARRAYS.items():
        plain = np.ascontiguousarray(array[tuple(slice(0, length) for length in chunks)])
        assert plain.shape == chunks
        for filter in (hdf5plugin.Blosc, hdf5plugin.Blosc2):
            for cname in CODECS:
                for shuffle in SHUFFLES:
                    key = "filters" if filter is hdf5plugin.Blosc2 else "shuffle"
                    options = filter(cname=cname, clevel=5, **{key: shuffle})
                    case = f"{name}-{filter.__name__}-{cname}-{shuffle}".lower()
                    dataset = file.create_dataset(case, data=array, chunks=chunks, **options)
                    mask, stored = dataset.id.read_direct_chunk((0,) * array.ndim)
                    assert mask == 0, case
                    write(case, filter.filter_id, stored, plain)
        for form, stored in forms(plain):
            write(f"{name}-{form}", 32026, stored, plain)
(folder / "all.h5").unlink()
(folder / "cases.json").write_text("[\n%s\n]\n" % ",\n".join(map(json.dumps, cases)))
