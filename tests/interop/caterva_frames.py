"""Reads the frames of tests/library/frames.rs that have the metalayer of Caterva, under Python 3.9 with the package caterva 0.7.3:
`python caterva_frames.py FOLDER`, where FOLDER is `target/interop-written` after `cargo xtask test --only interop`."""

import json
import sys
from pathlib import Path

import caterva

DELTA, BYTEDELTA, LONG, MAX_DIM = 3, 35, 255, 8


def is_known(case):
    """Whether Caterva reads its values: there were no BYTEDELTA, no long items and no more dimensions; B4 is in all releases."""
    if case["kind"] != "caterva" or not case["has_values"] or 0 in case["shape"]:
        return False
    return not {DELTA, BYTEDELTA} & set(case["filters"]) and case["itemsize"] <= LONG and case["ndim"] <= MAX_DIM


folder = Path(sys.argv[1]) / "frames"
cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
cases = [case for case in cases if is_known(case)]
failures = 0
for case in cases:
    array = caterva.open(str(folder / f"{case['name']}.b2nd"))
    plain = (folder / f"{case['name']}.plain").read_bytes()
    if tuple(array.shape) != tuple(case["shape"]) or bytes(array.to_buffer()) != plain:
        failures += 1
        print(case)
sys.exit(f"{failures} of {len(cases)} arrays differ" if failures or not cases else 0)
