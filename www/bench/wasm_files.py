"""Chunks and arrays for wasm.mjs: `wasm_files.py FOLDER`. All data are seeded."""
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import h5py
import hdf5plugin
import numcodecs
import numpy as np

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(1)
SIZE = 4 << 20
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["none", "shuffle", "bitshuffle"]


def field(dtype):
    """Waves with noise, of as many items as make up the size."""
    count = SIZE // np.dtype(dtype).itemsize
    wave = np.sin(np.arange(count) / 500) + np.sin(np.arange(count) / 7919)
    if np.dtype(dtype).kind == "f":
        return np.round(wave + random.normal(0, 0.01, count), 4).astype(dtype)
    top = min(np.iinfo(dtype).max, 60000) / 5
    return (top * (wave + 2.1) + random.normal(0, top / 400, count)).astype(dtype)


DATA = {"u1": field("u1"), "u2": field("u2"), "f4": field("f4"), "f8": field("f8"), "c16": field("f8")[: SIZE // 8].view("c16")}
DATA["steps4"] = (np.arange(SIZE // 4) // 5000).astype("i4")
cases = []
for name, data in DATA.items():
    for cname in CODECS:
        for number, shuffle in enumerate(SHUFFLES):
            case = f"{cname}-{shuffle}-{name}"
            numcodecs.blosc.set_nthreads(1)
            chunk = numcodecs.blosc.compress(data, cname.encode(), 5, number)
            (folder / f"{case}.chunk").write_bytes(chunk)
            cases.append({"name": case, "nbytes": data.nbytes, "cbytes": len(chunk)})
stored = numcodecs.blosc.compress(DATA["f4"], b"lz4", 0, 0)
(folder / "stored.chunk").write_bytes(stored)
cases.append({"name": "stored", "nbytes": SIZE, "cbytes": len(stored)})

hdf5 = []
with h5py.File(folder / "blosc2.h5", "w") as file:
    for name in ("u2", "f4", "f8"):
        for cname in ("lz4", "zstd"):
            data, case = DATA[name], f"{cname}-{name}"
            options = hdf5plugin.Blosc2(cname=cname, clevel=5, filters=1)
            dataset = file.create_dataset(case, data=data, chunks=data.shape, **options)
            _, frame = dataset.id.read_direct_chunk((0,))
            (folder / f"{case}.frame").write_bytes(frame)
            hdf5.append({"name": case, "nbytes": data.nbytes})

side = 256
z, y, x = np.meshgrid(*[np.linspace(0, 9, side)] * 3, indexing="ij", sparse=True)
volume = np.round(np.sin(z + x) * np.cos(y - z) + random.normal(0, 0.001, (side,) * 3), 3).astype("f4")
cparams = {"codec": blosc2.Codec.LZ4, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
place = {"urlpath": str(folder / "volume.b2nd"), "mode": "w"}
blosc2.asarray(volume, chunks=(32, side, side), blocks=(1, side // 2, side), cparams=cparams, **place)
(folder / "cases.json").write_text(json.dumps({"chunks": cases, "hdf5": hdf5}))
