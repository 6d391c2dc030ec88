"""`exchange.py write FOLDER COUNT` encodes random chunks by numcodecs, with their bytes beside them. `exchange.py read FOLDER COUNT` decodes
those that zarrs encoded of the same bytes: by numcodecs, which is C-Blosc 1, and by python-blosc2, which is C-Blosc2."""

import json
import random
import sys
from pathlib import Path

import blosc2
import numcodecs
import numpy as np

NAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]


def plain(rng, values, typesize):
    """Items in one of several kinds, from one to some megabytes: numcodecs does not decode what it encodes of none."""
    count = int(10 ** rng.uniform(0, 5 if rng.random() < 0.98 else 6.3)) // typesize + 1
    kind = rng.choice(["noise", "small", "walk", "runs", "equal", "text"])
    if kind == "noise":
        items = values.integers(0, 256, count * typesize)
    elif kind == "small":
        items = values.integers(0, rng.choice([2, 5, 60]), count * typesize)
    elif kind == "walk":
        walk = values.integers(-4, 5, count).cumsum().astype("<i8").view("u1").reshape(count, 8)
        items = np.resize(walk, (count, typesize)) if typesize > 8 else walk[:, :typesize]
    elif kind == "runs":
        items = np.repeat(values.integers(0, 256, count * typesize // 50 + 1), 50)[: count * typesize]
    elif kind == "equal":
        items = np.full(count * typesize, rng.randint(0, 255))
    else:
        items = values.choice(np.frombuffer(b"the quick brown fox, jumps. ", "u1"), count * typesize)
    return items.astype("u1").tobytes()


def write(folder, count):
    rng, values = random.Random(27), np.random.default_rng(27)
    with open(folder / "cases.jsonl", "w") as cases:
        for number in range(count):
            typesize = rng.choice([1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 64, 255, rng.randint(1, 255)])
            shuffle = rng.randint(0, 2)
            codec = {
                "cname": NAMES[number % 5],
                "clevel": rng.randint(0, 9),
                "shuffle": ["noshuffle", "shuffle", "bitshuffle"][shuffle],
                "typesize": typesize,
                "blocksize": rng.choice([0, 0, 128, 1000, 4096, 65536, rng.randint(1, 300_000)]),
            }
            items = plain(rng, values, typesize)
            encoder = numcodecs.Blosc(codec["cname"], codec["clevel"], shuffle, codec["blocksize"])
            chunk = encoder.encode(np.frombuffer(items, f"V{typesize}"))
            assert encoder.decode(chunk) == items, codec
            (folder / f"{number}.chunk").write_bytes(chunk)
            (folder / f"{number}.plain").write_bytes(items)
            print(json.dumps(codec), file=cases)


def read(folder, count):
    for number in range(count):
        items = (folder / f"{number}.plain").read_bytes()
        chunk = (folder / f"{number}.blosc").read_bytes()
        assert numcodecs.Blosc().decode(chunk) == items, f"C-Blosc 1 on {number}"
        assert blosc2.decompress(chunk) == items, f"C-Blosc2 on {number}, of Blosc1"
        chunk = (folder / f"{number}.blosc2").read_bytes()
        assert blosc2.decompress(chunk) == items, f"C-Blosc2 on {number}"
    print(count, "chunks decoded by C-Blosc 1 and, in both formats, by C-Blosc2")


{"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]))
