"""Arrays of the Python caterva package: two-level chunks under a `caterva` metalayer, no dtype."""

import sys

import caterva
import numpy as np

import patterns
from files import fresh
from record import Recorder

Codec, Filter = caterva.Codec, caterva.Filter  # `sequential` became `contiguous` in 0.7.1

CASES = [  # item size, shape, chunks, blocks, codec, filters, contiguous
    (4, (13, 11), (5, 4), (3, 2), Codec.LZ4, [Filter.SHUFFLE], True),
    (8, (40,), (16,), (7,), Codec.ZSTD, [Filter.BITSHUFFLE], True),
    (1, (5, 6, 7), (3, 3, 3), (2, 2, 2), Codec.BLOSCLZ, [], True),
    (2, (9, 14), (9, 14), (4, 14), Codec.ZLIB, [Filter.DELTA, Filter.SHUFFLE], True),
    (8, (3, 4, 2, 5), (2, 2, 2, 3), (1, 2, 1, 2), Codec.LZ4HC, [Filter.SHUFFLE], False),
    (12, (10, 10), (4, 6), (2, 3), Codec.LZ4, [Filter.SHUFFLE], True),
    (
        4,
        (2, 2, 2, 3, 2, 2, 1, 2),
        (1, 2, 2, 2, 2, 1, 1, 2),
        (1, 1, 2, 2, 1, 1, 1, 2),
        Codec.ZSTD,
        [Filter.SHUFFLE],
        True,
    ),
]

# what lies behind the edges is whatever the memory held
NOTE = "the padding is uninitialised memory" if caterva.__version__ < "0.7.1" else None


def main():
    version = caterva.__version__
    rec = Recorder(sys.argv[1], "caterva-" + version, "caterva %s" % version)
    for size, shape, chunks, blocks, codec, filters, contiguous in CASES:
        file = "%dd-t%d-%s-%s.caterva" % (
            len(shape),
            size,
            codec.name.lower(),
            "frame" if contiguous else "sparse",
        )
        count = int(np.prod(shape))
        raw = patterns.items("walk", count, size, file)
        data = np.frombuffer(raw, np.dtype((np.void, size))).reshape(shape)
        array = caterva.from_buffer(
            raw,
            shape,
            size,
            chunks=chunks,
            blocks=blocks,
            codec=codec,
            filters=filters,
            filtersmeta=[0] * len(filters),
            urlpath=fresh(rec.path(file)),
            contiguous=contiguous,
            sequential=contiguous,
            meta={"author": b"\xa6golden"},
        )
        keep(rec, file, array, data)
    grown(rec)
    rec.done()


def keep(rec, file, array, data):
    del array
    if bytes(caterva.open(rec.path(file)).to_buffer()) != data.tobytes():
        rec.failures.append("%s %s: reads back differently" % (rec.writer, file))
        fresh(rec.path(file))
    else:
        rec.array(file, data, note=NOTE)


def grown(rec):
    """Zeros, one value, resizing and written slices."""
    kinds = dict(chunks=(4, 4), blocks=(2, 3))
    file = "zeros.caterva"
    keep(
        rec,
        file,
        caterva.zeros((9, 7), 4, urlpath=fresh(rec.path(file)), contiguous=True, sequential=True, **kinds),
        np.zeros((9, 7), "<i4"),
    )
    file = "full.caterva"
    array = caterva.full(
        (9, 7), b"\1\2\3\4\5", urlpath=fresh(rec.path(file)), contiguous=True, sequential=True, **kinds
    )
    keep(rec, file, array, np.full((9, 7), b"\1\2\3\4\5", "S5"))
    if hasattr(caterva.NDArray, "resize"):
        file = "resized.caterva"
        array = caterva.zeros(
            (6, 7), 4, urlpath=fresh(rec.path(file)), contiguous=True, sequential=True, **kinds
        )
        want = np.arange(42, dtype="<i4").reshape(6, 7)
        array[...] = want
        array.resize((11, 7))
        keep(rec, file, array, np.concatenate([want, np.zeros((5, 7), "<i4")]))


main()
