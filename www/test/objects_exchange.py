"""Reads and writes sequences of objects with the reference: `objects_exchange.py read CASES` prints what it reads of each frame, and
`objects_exchange.py write FOLDER SEED COUNT` writes files with random ones and prints them.

Values are told as JSON in which all but null, booleans and strings are `[NAME, …]`. Of sets and maps the order does not count."""

import base64
import json
import math
import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/golden"))

import explicit  # noqa: F401

import blosc2
import numpy as np


def told(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return ["int", str(value)]
    if isinstance(value, float):
        return ["float", "nan" if math.isnan(value) else struct.pack(">d", value).hex()]
    if isinstance(value, complex):
        return ["complex", told(value.real), told(value.imag)]
    if isinstance(value, bytes):
        return ["bytes", base64.b64encode(value).decode()]
    if isinstance(value, list):
        return ["list", *map(told, value)]
    if isinstance(value, tuple):
        return ["tuple", *map(told, value)]
    if isinstance(value, (set, frozenset)):
        return ["set", *map(told, value)]
    if isinstance(value, dict):
        return ["map", *([told(key), told(each)] for key, each in value.items())]
    if isinstance(value, np.ndarray):
        return ["array", value.dtype.str, list(value.shape), base64.b64encode(value.tobytes()).decode()]
    raise TypeError(type(value))


def read(cases):
    """Reads a file, or a member of a store: `[PATH, KEY]`."""
    for path, key in cases:
        if key is None:
            sequence = blosc2.open(path, mode="r")
        else:
            sequence = blosc2.TreeStore(path, mode="r")[key]
        batches = [list(batch) for batch in sequence] if isinstance(sequence, blosc2.BatchArray) else [list(sequence)]
        values = [told(value) for batch in batches for value in batch]
        yield {"type": type(sequence).__name__, "lengths": list(map(len, batches)), "values": values, "attrs": dict(sequence.vlmeta[:])}


def value_of(rng, depth):
    kinds = 13 if depth < 4 else 9
    match rng.randrange(kinds):
        case 0:
            return None
        case 1:
            return rng.random() < 0.5
        case 2:
            return rng.randrange(-300, 300)
        case 3:
            return rng.choice([2**53, -(2**53) - 1, 2**64 - 1, -(2**63), 2**63])
        case 4:
            return rng.choice([rng.gauss(0, 1e9), 0.5, math.inf, -0.0, math.nan, 5e-324])
        case 5 | 6:
            return "".join(rng.choice("aé€𝄞\0\"x") for _ in range(rng.randrange(40)))
        case 7:
            return rng.randbytes(rng.randrange(40))
        case 8:
            return rng.choice([complex(0.5, -2.25), {1, 2, "x"}, np.arange(rng.randrange(5), dtype=rng.choice(["<i2", ">f8"]))])
        case 9:
            return tuple(value_of(rng, depth + 1) for _ in range(rng.randrange(3)))
        case 10 | 11:
            return [value_of(rng, depth + 1) for _ in range(rng.randrange(5))]
        case _:
            return {f"key {k}": value_of(rng, depth + 1) for k in range(rng.randrange(4))}


def write(folder, seed, count):
    rng = random.Random(seed)
    for number in range(count):
        path = str(Path(folder) / f"reference{number}.b2b")
        values = [value_of(rng, 0) for _ in range(rng.randrange(30))]
        if number % 2:
            sequence = blosc2.ObjectArray(urlpath=path, mode="w")
            sequence.extend(values)
        else:
            sequence = blosc2.BatchArray(urlpath=path, mode="w", items_per_block=3)
            for at in range(0, len(values), 7):
                sequence.append(values[at : at + 7])
        yield {"path": path, "values": list(map(told, values))}


if sys.argv[1] == "read":
    print(json.dumps(list(read(json.loads(sys.argv[2])))))
else:
    print(json.dumps(list(write(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))))
