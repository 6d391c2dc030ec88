"""Exchanges chunks with the C-Blosc in numcodecs: peers.py LIBRARY."""

import ctypes
import os
import sys

import numpy as np
from numcodecs import blosc

NAMES = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
LENGTHS = [0, 1, 100, 127, 128, 1000, 4099, 65536, 300_000, 2_000_000]
library = ctypes.CDLL(sys.argv[1])
SIZE = ctypes.c_size_t


def compress(data, name, clevel, shuffle, typesize, room=None, blocksize=0, nthreads=1):
    room = len(data) + 16 if room is None else room
    out = ctypes.create_string_buffer(room)
    length = library.blosc_compress_ctx(
        clevel, shuffle, SIZE(typesize), SIZE(len(data)), data, out, SIZE(room), name.encode(), SIZE(blocksize), nthreads
    )
    return out.raw[:length] if length > 0 else length


def decompress(chunk, nbytes, nthreads=1):
    out = ctypes.create_string_buffer(nbytes)
    length = library.blosc_decompress_ctx(chunk, out, SIZE(nbytes), nthreads)
    return out.raw[:length] if length >= 0 else length


def usual(data, clevel=5, shuffle=1, typesize=4):
    """blosc_compress, which regards the environment."""
    out = ctypes.create_string_buffer(len(data) + 16)
    length = library.blosc_compress(clevel, shuffle, SIZE(typesize), SIZE(len(data)), data, out, SIZE(len(data) + 16))
    return out.raw[:length] if length > 0 else length


def exchanged():
    random = np.random.default_rng(3)
    count = 0
    for name in NAMES:
        for length in LENGTHS:
            for typesize in [1, 2, 4, 8, 12, 17, 255]:
                if (count := count + 1) % 2 and length > 100_000:
                    continue
                clevel, shuffle = int(random.integers(0, 10)), int(random.integers(0, 3))
                if name in ["zlib", "zstd", "lz4hc"] and length > 1_000_000:
                    clevel = min(clevel, 5)
                noise = random.integers(0, 4 + 252 * (count % 5 == 0), length).astype("u1")
                data = (np.arange(length, dtype="u4") // 9 * noise.astype("u4")).astype("u1").tobytes()
                what = (name, length, typesize, clevel, shuffle)
                ours = compress(data, name, clevel, shuffle, typesize, nthreads=1 + count % 2)
                assert not isinstance(ours, int), (what, ours)
                if length:
                    assert bytes(blosc.decompress(ours)) == data, what
                    view = np.frombuffer(data, f"V{typesize}") if length % typesize == 0 else np.frombuffer(data, "u1")
                    theirs = bytes(blosc.compress(view, name.encode(), clevel, shuffle))
                    assert decompress(theirs, length, 1 + count % 2) == data, what
                    same_header(ours, theirs, what, view.itemsize == typesize)
                assert decompress(ours, length) == data, what
    print(f"{count} chunks")


def same_header(ours, theirs, what, same_typesize):
    """Sizes, filters and codec agree, except for the block size of what is shorter than an item and the flags of what is copied."""
    if not same_typesize:
        return
    assert ours[4:8] == theirs[4:8] and ours[3] == theirs[3], what
    if not (ours[2] | theirs[2]) & 2:
        assert ours[:12] == theirs[:12], (what, ours[:16].hex(), theirs[:16].hex())


def settings():
    data = bytes(range(256)) * 4000
    for variables, check in [
        ({"BLOSC_CLEVEL": "0"}, lambda chunk: chunk[2] & 2),
        ({"BLOSC_SHUFFLE": "BITSHUFFLE"}, lambda chunk: chunk[2] & 7 == 4),
        ({"BLOSC_SHUFFLE": "NOSHUFFLE"}, lambda chunk: chunk[2] & 7 == 0),
        ({"BLOSC_TYPESIZE": "8"}, lambda chunk: chunk[3] == 8),
        ({"BLOSC_SPLITMODE": "NEVER"}, lambda chunk: chunk[2] & 16),
        ({"BLOSC_SPLITMODE": "FORWARD_COMPAT"}, lambda chunk: not chunk[2] & 16),
        ({"BLOSC_SPLITMODE": "SOMETIMES"}, lambda chunk: chunk == -1),
        ({"BLOSC_COMPRESSOR": "zstd"}, lambda chunk: chunk[2] >> 5 == 4),
        ({"BLOSC_COMPRESSOR": "lz5"}, lambda chunk: chunk == -1),
        ({"BLOSC_COMPRESSOR": "blosclz", "BLOSC_NTHREADS": "2"}, lambda chunk: library.blosc_get_nthreads() == 2),
        ({"BLOSC_BLOCKSIZE": "16384", "BLOSC_NOLOCK": "1"}, lambda chunk: library.blosc_get_blocksize() == 16384),
    ]:
        os.environ.update(variables)
        chunk = usual(data)
        assert check(chunk), variables
        for name in variables:
            del os.environ[name]
        assert isinstance(chunk, int) or bytes(blosc.decompress(chunk)) == data, variables


def blocks():
    """Block sizes that the caller chooses become those that C-Blosc makes of them."""
    data = np.arange(500_000, dtype="u4")
    count = 0
    for name in NAMES:
        for blocksize in [1, 128, 1000, 4096, 100_000, 1 << 20, 1 << 22]:
            ours = compress(data.tobytes(), name, 5, 1, 4, blocksize=blocksize)
            theirs = bytes(blosc.compress(data, name.encode(), 5, 1, blocksize))
            assert ours[:12] == theirs[:12], (name, blocksize, ours[:16].hex(), theirs[:16].hex())
            assert bytes(blosc.decompress(ours)) == data.tobytes()
            count += 1
    print(f"{count} block sizes")


exchanged()
blocks()
settings()
print("passed")
