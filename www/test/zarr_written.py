"""Creates empty arrays of Zarr 2 and 3 with each codec of Blosc: `zarr_written.py FOLDER`. With `read`, it compares what was
written to them with the bytes of the items, and decodes chunks of Blosc1 by numcodecs: `zarr_written.py FOLDER read`."""
import json
import shutil
import sys
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec

folder = Path(sys.argv[1])
CODECS = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"]


def create():
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cases = []
    for dtype in ["<i4", "<f8", "|u1"]:
        for cname in CODECS:
            for number, shuffle in enumerate(SHUFFLES):
                for version in (2, 3):
                    blosc = (
                        numcodecs.Blosc(cname, clevel=5, shuffle=number)
                        if version == 2
                        else BloscCodec(cname=cname, clevel=5, shuffle=shuffle, typesize=np.dtype(dtype).itemsize)
                    )
                    name = f"v{version}-{cname}-{shuffle}-{dtype[1:]}"
                    zarr.create_array(
                        folder / name, shape=(50, 37), chunks=(20, 16), dtype=dtype, compressors=blosc, zarr_format=version
                    )
                    cases.append({"name": name, "dtype": dtype})
    (folder / "cases.json").write_text(json.dumps(cases))


def read():
    wrong = []
    for case in json.loads((folder / "cases.json").read_text()):
        items = zarr.open_array(folder / case["name"], mode="r")[:]
        if items.tobytes() != (folder / f"{case['dtype'][1:]}.bytes").read_bytes():
            wrong.append(case["name"])
    chunks = sorted(folder.glob("*.chunk"))
    for chunk in chunks:
        if numcodecs.Blosc().decode(chunk.read_bytes()) != chunk.with_suffix(".plain").read_bytes():
            wrong.append(chunk.name)
    print(json.dumps({"wrong": wrong, "chunks": len(chunks)}))


if len(sys.argv) > 2:
    read()
else:
    create()
