"""Writes the arrays in the flash of the firmware, and the output that it must print.

    python make.py

Needs python-blosc2 (the version that `xtask` pins) and NumPy. What is committed was written by this.
"""

import sys
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

HERE = Path(__file__).parent
CODECS = {
    "lz4": blosc2.Codec.LZ4,
    "blosclz": blosc2.Codec.BLOSCLZ,
    "zlib": blosc2.Codec.ZLIB,
    "zstd": blosc2.Codec.ZSTD,
}


def write(name, items, chunks, blocks, codec, filters=(blosc2.Filter.SHUFFLE,), **options):
    path = HERE / f"{name}.b2nd"
    path.unlink(missing_ok=True)
    cparams = blosc2.CParams(
        codec=codec, clevel=9, filters=list(filters), filters_meta=[0] * len(filters), nthreads=1, **options
    )
    meta = {"unit": b"mV"} if name == "calibration" else None
    array = blosc2.asarray(
        items, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=str(path), mode="w", meta=meta
    )
    assert (array[...] == items).all()


def expect(name, lines):
    (HERE / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


def crc(items):
    return f"{zlib.crc32(np.ascontiguousarray(items).tobytes()):08x}"


def table():
    """A quarter of a sine, as int16, looked up at places that a generator gives."""
    items = np.round(32767 * np.sin(np.arange(2048) * np.pi / 4096)).astype("<i2")
    write("table", items, (1024,), (256,), blosc2.Codec.LZ4)
    state, lines = 1, []
    for _ in range(16):
        state = (state * 1664525 + 1013904223) % 2**32
        at = state >> 21
        lines.append(f"{at} {items[at]}")
    expect("table", lines)


def image():
    """64 lines of 96 pixels, as RGB565, cut into blocks of 8 lines: the same in every codec."""
    y, x = np.mgrid[:64, :96]
    disc = (x - 48) ** 2 + (y - 32) ** 2 < 600
    red, green, blue = x // 3, (x + y) * 63 // 158, np.where(disc, 31, y // 3)
    items = (red << 11 | green << 5 | blue).astype("<u2")
    for name, codec in CODECS.items():
        write(f"image-{name}", items, (32, 96), (8, 96), codec)
    write("image-bits", items, (32, 96), (8, 96), blosc2.Codec.LZ4, [blosc2.Filter.BITSHUFFLE])
    expect("image", [f"{line} {crc(row)}" for line, row in enumerate(items)])


def calibration():
    """Temperatures by voltages by channels, as float32; some slices of it."""
    t, v, c = np.mgrid[:6, :16, :20]
    items = (25 + 10 * t + 0.125 * v - 0.5 * c + (t * v * c % 7) / 64).astype("<f4")
    write("calibration", items, (3, 16, 20), (1, 8, 10), blosc2.Codec.LZ4)
    slices = [np.s_[2], np.s_[:, 5, ::3], np.s_[::-2, 4:12, -1], np.s_[5, 15, 19:], np.s_[1:5, ::5, ::5]]
    expect("calibration", ["unit mV", *(f"{items[s].nbytes} {crc(items[s])}" for s in slices)])


def small():
    """The smallest, for damage: no less than a few blocks, in two chunks."""
    write("small", (np.arange(256) // 5 + 250).astype("<u2"), (128,), (64,), blosc2.Codec.LZ4)


def log():
    """Arrays without rows: what is logged is like them."""
    write("log", np.zeros((0, 3), "<i2"), (64, 3), (64, 3), blosc2.Codec.LZ4)
    for name in ["lz4", "blosclz"]:
        write(f"log-{name}", np.zeros((0, 96), "<u2"), (8, 96), (8, 96), CODECS[name])


table()
image()
log()
calibration()
small()
