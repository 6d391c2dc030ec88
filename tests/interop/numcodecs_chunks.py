"""Writes random chunks of Blosc1 with numcodecs, or reads those that tests/numcodecs.rs wrote with numcodecs and python-blosc2."""

import random
import struct
import sys
from pathlib import Path

import explicit  # noqa: F401

import blosc2
import numpy as np
from numcodecs import blosc

COUNT = 2000
TYPESIZES = [1, 2, 2, 3, 4, 4, 4, 5, 7, 8, 8, 12, 16, 17, 24, 100, 255]


def plain(choose, nitems, typesize):
    """Items of one of five kinds: equal, counting, walking, repeated, noise."""
    numbers = np.random.default_rng(choose.getrandbits(32))
    kind = choose.randrange(5)
    words = nitems * typesize // 4 + 1
    if kind == 0:
        items = np.full(words, choose.getrandbits(31), "i4")
    elif kind == 1:
        items = np.arange(words, dtype="i4") * choose.randrange(1, 99)
    elif kind == 2:
        items = np.cumsum(numbers.integers(-9, 10, words)).astype("i4")
    elif kind == 3:
        items = np.resize(numbers.integers(0, 5, 1 + choose.randrange(300), "i4"), words)
    else:
        items = numbers.integers(-(2**31), 2**31, words).astype("i4")
    return items.tobytes()[: nitems * typesize]


def write(folder):
    choose = random.Random(27)
    with open(folder / "theirs.bin", "wb") as file:
        for _ in range(COUNT):
            typesize = choose.choice(TYPESIZES)
            nbytes = int(2 ** choose.uniform(0, 18.5))
            bytes_ = plain(choose, max(nbytes // typesize, 1), typesize)
            cname = choose.choice(blosc.list_compressors())
            blocksize = choose.choice([0, 0, int(2 ** choose.uniform(4, 18))])
            chunk = blosc.compress(
                bytes_, cname.encode(), choose.randrange(10), choose.choice([0, 1, 2]), blocksize, typesize
            )
            file.write(struct.pack("<II", len(bytes_), len(chunk)) + bytes_ + chunk)


def read(folder):
    data = (folder / "ours.bin").read_bytes()
    at, count, compressed, wrong, known = 0, 0, 0, [], blosc.list_compressors()
    while at < len(data):
        nbytes, cbytes, snappy = struct.unpack_from("<III", data, at)
        bytes_, chunk = data[at + 12 :][:nbytes], data[at + 12 + nbytes :][:cbytes]
        at += 12 + nbytes + cbytes
        if not snappy or "snappy" in known:
            wrong += [count] if blosc.decompress(chunk) != bytes_ else []
        if not snappy:
            wrong += [count] if blosc2.decompress(chunk) != bytes_ else []
        compressed += cbytes < nbytes
        count += 1
    print("%d chunks, %d compressed, wrong: %s" % (count, compressed, wrong))
    sys.exit(1 if wrong or count != COUNT or compressed < COUNT // 4 else 0)


{"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
