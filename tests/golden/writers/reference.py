"""Functions for the writers of the current python-blosc2."""

import sys

import explicit  # noqa: F401
import blosc2
import numpy as np

from files import fresh
from record import Recorder, as_items

CODECS = {"blosclz": 0, "lz4": 1, "lz4hc": 2, "zlib": 4, "zstd": 5}
SPLITS = {mode.value: mode for mode in blosc2.SplitMode}
NOTHING, SHUFFLE, BITSHUFFLE, DELTA, TRUNC = 0, 1, 2, 3, 4
NDCELL, NDMEAN, BYTEDELTA_OLD, BYTEDELTA, INT_TRUNC = 32, 33, 34, 35, 36


def recorder(slices=3):
    version = blosc2.__version__
    return Recorder(sys.argv[1], "blosc2-" + version, "python-blosc2 " + version, slices)


def params(codec="zstd", filters=(SHUFFLE,), metas=None, typesize=8, clevel=5, split=3, **more):
    """Compression parameters; `filters` are slots from 0 on."""
    return dict(
        codec=blosc2.Codec(CODECS[codec]) if codec in CODECS else codec,
        filters=list(filters),
        filters_meta=list(metas or [0] * len(filters)),
        typesize=typesize,
        clevel=clevel,
        splitmode=SPLITS[split],
        nthreads=1,
        **more
    )


def read_schunk(path, offset=0):
    """Every chunk decoded whole by one thread."""
    schunk = blosc2.open(path, mode="r", offset=offset, dparams={"nthreads": 1})
    return whole(getattr(schunk, "schunk", schunk))


def whole(schunk):
    return b"".join(schunk.decompress_chunk(i) for i in range(schunk.nchunks))


def read_array(path, offset=0):
    """The cropped array from chunks decoded whole by one thread; sidesteps partial reads."""
    array = blosc2.open(path, mode="r", offset=offset, dparams={"nthreads": 1})
    return whole_array(array)


def whole_array(array):
    shape, chunks, blocks = array.shape, array.chunks, array.blocks
    size = array.schunk.typesize
    out = np.zeros(shape, np.dtype((np.void, size)))
    if out.size == 0 or len(shape) == 0:
        return out if out.size == 0 else as_items(array.schunk.decompress_chunk(0), (), size)
    grid = [-(-n // c) for n, c in zip(shape, chunks)]
    inner = [-(-c // b) for c, b in zip(chunks, blocks)]
    for number, where in enumerate(np.ndindex(*grid)):
        raw = as_items(array.schunk.decompress_chunk(number), tuple(inner) + tuple(blocks), size)
        n = len(shape)
        order = [axis for i in range(n) for axis in (i, n + i)]
        chunk = raw.transpose(order).reshape([i * b for i, b in zip(inner, blocks)])
        chunk = chunk[tuple(slice(0, min(c, s - w * c)) for c, s, w in zip(chunks, shape, where))]
        out[tuple(slice(w * c, w * c + e) for w, c, e in zip(where, chunks, chunk.shape))] = chunk
    return out
