"""Writes the files for the groups `slice` and `open`, the same on every machine.

    files.py DIRECTORY

Needs python-blosc2. `cargo xtask bench` calls it if the files do not exist.
"""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for name, items, chunks, blocks, codec, filters, *meta in arrays():
        cparams = {"codec": codec, "clevel": 5, "filters": filters, "nthreads": 1}
        if meta:
            cparams.update(codec_meta=meta[0], splitmode=blosc2.SplitMode.NEVER_SPLIT)
        path = os.path.join(out, name + ".b2nd")
        blosc2.asarray(items, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=path, mode="w")
    for count in (1, 1_000, 1_000_000):
        zeros(count, os.path.join(out, "zeros-%d.b2frame" % count))
    # The reference takes 0.3 ms to append a chunk. A million would take five minutes.
    for count in (1, 100, 10_000):
        with open(os.path.join(out, "small-%d.b2frame" % count), "wb") as file:
            file.write(small(count).to_cframe())


def arrays():
    """Arrays of two to five dimensions, 64 to 128 MiB each, some with shapes that are not multiples of the chunks."""
    rng = np.random.default_rng(20)
    shuffle, bitshuffle = [blosc2.Filter.SHUFFLE], [blosc2.Filter.BITSHUFFLE]

    y, x = np.mgrid[0:3900, 0:4000]
    values = 20 + 5 * np.sin(x * 0.011) * np.cos(y * 0.007) + rng.normal(0, 0.5, x.shape)
    yield "2d zstd", values.round(2), (1000, 1000), (100, 125), blosc2.Codec.ZSTD, shuffle

    z, y, x = np.mgrid[0:120, 0:500, 0:1000]
    light = 3000 * (1.05 + np.sin(x * 0.021 + z * 0.05) * np.cos(y * 0.017)) + rng.normal(80, 20, x.shape)
    yield "3d lz4", light.clip(0).astype("u2"), (16, 256, 512), (4, 64, 128), blosc2.Codec.LZ4, bitshuffle

    t, z, y, x = np.mgrid[0:16, 0:64, 0:128, 0:128]
    field = np.sin(x * 0.05 + t * 0.1) * np.cos(y * 0.04) * np.cos(z * 0.03) + rng.normal(0, 0.001, x.shape)
    yield "4d lz4", field.astype("f4"), (4, 32, 64, 64), (2, 8, 32, 32), blosc2.Codec.LZ4, shuffle

    # An error of at most 0.001, 30 bit planes, and a quarter of the bits.
    yield "3d zfp acc", field[0], (32, 64, 128), (16, 32, 32), blosc2.Codec.ZFP_ACC, [], 253
    yield "2d zfp prec", values[:1000, :2000], (500, 500), (100, 125), blosc2.Codec.ZFP_PREC, [], 23
    yield "4d zfp rate", field[:8].astype("f4"), (4, 32, 64, 64), (4, 8, 32, 32), blosc2.Codec.ZFP_RATE, [], 25

    labels = np.arange(16 * 12 * 24 * 20 * 16).reshape(16, 12, 24, 20, 16) % 500
    labels = np.repeat(np.repeat(labels, 4, axis=4), 3, axis=3).astype("i4")
    yield "5d blosclz", labels, (4, 6, 12, 30, 32), (2, 3, 6, 15, 16), blosc2.Codec.BLOSCLZ, shuffle


def zeros(count, path):
    """Chunks that consist only of an entry of the index."""
    cparams = {"typesize": 4, "codec": blosc2.Codec.ZSTD, "clevel": 5, "nthreads": 1}
    schunk = blosc2.SChunk(chunksize=4096, cparams=cparams, urlpath=path, contiguous=True, mode="w")
    schunk.fill_special(count * 1024, blosc2.SpecialValue.ZERO)


def small(count):
    """Chunks of 128 bytes, compressed."""
    shuffle = [blosc2.Filter.SHUFFLE]
    cparams = {"typesize": 4, "codec": blosc2.Codec.LZ4, "clevel": 5, "filters": shuffle, "nthreads": 1}
    schunk = blosc2.SChunk(chunksize=128, contiguous=False, cparams=cparams)
    items = np.random.default_rng(20).integers(0, 7, (1000, 32), dtype="i4")
    for number in range(count):
        schunk.append_data(items[number % 1000])
    return schunk


if __name__ == "__main__":
    main()
