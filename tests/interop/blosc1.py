"""Reads the chunks of Blosc1 that tests/library/written.rs wrote with C-Blosc itself, the filter of HDF5: C-Blosc2 has no snappy."""

import io
import json
import sys
from pathlib import Path

import h5py
import hdf5plugin


def decoded(chunk, nbytes):
    """The bytes of a chunk, which becomes the only one of a dataset."""
    with h5py.File(io.BytesIO(), "w") as file:
        dataset = file.create_dataset("x", (nbytes,), "u1", chunks=(nbytes,), **hdf5plugin.Blosc())
        dataset.id.write_direct_chunk((0,), chunk)
        return dataset[:].tobytes()


def main(folder):
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    cases = [case for case in cases if case["blosc1"]]
    wrong, shrunk = [], 0
    for case in cases:
        chunk = (folder / f"{case['name']}.chunk").read_bytes()
        plain = (folder / f"{case['name']}.plain").read_bytes()
        if plain and decoded(chunk, len(plain)) != plain:
            wrong.append(case)
        shrunk += case["codec"] == "snappy" and len(chunk) < len(plain)
    print("%d chunks read by C-Blosc, %d of snappy shrunk, wrong: %s" % (len(cases), shrunk, wrong))
    sys.exit(1 if wrong or shrunk < 10 else 0)


main(Path(sys.argv[1]))
