"""Writes large files to a folder: many chunks, large chunks, chunks that are not stored."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(1)


def cparams(items, **other):
    return dict(
        codec=blosc2.Codec.LZ4, clevel=5, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1,
        typesize=items.dtype.itemsize, **other,
    )


def write(name, items, chunks, blocks):
    path = str(folder / name)
    blosc2.asarray(items, chunks=chunks, blocks=blocks, urlpath=path, mode="w", cparams=cparams(items))


def zeros(name, shape, chunks, blocks, dtype):
    path = str(folder / name)
    items = np.zeros(1, dtype)
    blosc2.zeros(shape, dtype, chunks=chunks, blocks=blocks, urlpath=path, mode="w", cparams=cparams(items))


# 20 000 chunks of 400 bytes.
write("small.b2nd", (np.arange(2_000_000) // 7 + rng.integers(0, 4, 2_000_000)).astype("<i4"), (100,), (100,))
# 105 chunks of 400 bytes, cut at both edges; one is zeros.
tiles = (np.arange(50)[:, None] * 7 + np.arange(203) * 3 + 1).astype("<i4")
tiles[10:20, 50:60] = 0
write("tiles.b2nd", tiles, (10, 10), (10, 10))
# A chunk of 48 MiB in blocks of 64 KiB, along one axis and along three.
write("row.b2nd", np.arange(12 << 20, dtype="<i4"), (12 << 20,), (16 << 10,))
cube = np.arange(12 << 20, dtype="<i4").reshape(192, 256, 256)
write("cube.b2nd", cube, (192, 256, 256), (16, 32, 32))
# 2²⁷ chunks in 200 bytes, and six GiB.
zeros("claims.b2nd", (2**27,), (1,), (1,), "u1")
zeros("numbers.b2nd", (3 << 20,), (1 << 18,), (1 << 14,), "<i8")
zeros("long.b2nd", (6 << 30,), (64 << 20,), (1 << 20,), "u1")
# For estimates: noise below ramps, cut in several ways.
z, y, x = np.ogrid[:120, :130, :140]
volume = ((z * 3 + y * 5 + x * 7) + rng.integers(0, 64, (120, 130, 140))).astype("<i2")
for k, (chunks, blocks) in enumerate([((64, 64, 64), (16, 16, 16)), ((120, 130, 140), (1, 10, 140)),
                                      ((16, 130, 140), (4, 32, 32)), ((40, 40, 140), (40, 8, 20))]):
    write(f"volume{k}.b2nd", volume, chunks, blocks)
line = np.cumsum(rng.integers(-3, 4, 3_000_000)).astype("<i4")
write("line.b2nd", line, (500_000,), (5_000,))
