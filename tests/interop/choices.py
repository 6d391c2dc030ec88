"""Random parameters with which the reference writes valid files."""

import numpy as np

import patterns
from record import rng_for
from reference import BITSHUFFLE, BYTEDELTA, CODECS, DELTA, INT_TRUNC, NDCELL, SHUFFLE, TRUNC, params

SIZES = [1, 1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8, 8, 8, 10, 12, 16, 16, 17, 24, 31, 32, 33, 64, 100, 255]
DTYPES = [
    "|b1",
    "|i1",
    "|u1",
    "<i2",
    "<u2",
    "<i4",
    "<u4",
    "<i8",
    "<u8",
    "<f2",
    "<f4",
    "<f8",
    "<c8",
    "<c16",
    ">i4",
    ">f8",
    "|S5",
    "|S1",
    "|S300",
    "<U4",
    "|V3",
    "|V16",
    "<M8[s]",
    "<m8[ms]",
    [("a", "<i4"), ("b", "<f8")],
    [("a", "|u1"), ("p", "<i2", (3,)), ("s", "|S4")],
]


class Draw:
    """Random choices for one file."""

    def __init__(self, seed, number):
        self.rng = rng_for("%d %d" % (seed, number))

    def below(self, n):
        return int(self.rng.randint(n))

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, options):
        return options[self.below(len(options))]

    def chance(self, percent):
        return self.below(100) < percent


def pipeline(draw, size, kind=None, blocks=()):
    """Filters in slots, their metas, and whether they keep the values. At most two filters (see above)."""
    choices = [
        ([], []),
        ([SHUFFLE], [0]),
        ([SHUFFLE], [0]),
        ([BITSHUFFLE], [0]),
        ([SHUFFLE, BYTEDELTA], [0, size]),
        ([BYTEDELTA], [size]),
    ]
    if size in (1, 2, 4, 8, 16, 24, 32, 64):
        choices += [
            ([DELTA], [0]),
            ([DELTA, SHUFFLE], [0, 0]),
            ([DELTA, BITSHUFFLE], [0, 0]),
            ([SHUFFLE, DELTA], [0, 0]),
        ]
    if size > 3:
        choices.append(([SHUFFLE], [2]))
    if size > 127:  # Python cannot pass greater metas
        choices = [one for one in choices if BYTEDELTA not in one[0]]
    exact = True
    if draw.chance(8) and size in (1, 2, 4, 8):
        exact = False
        choices = [
            ([INT_TRUNC], [draw.between(1, 8 * size - 1)]),
            ([INT_TRUNC, SHUFFLE], [draw.between(1, 8 * size - 1), 0]),
        ]
        if kind == "f" and size in (4, 8):
            choices += [([TRUNC], [draw.between(1, 22)]), ([TRUNC, SHUFFLE], [draw.between(1, 22), 0])] * 2
    if draw.chance(8) and 0 < len(blocks) <= 8 and min(blocks) > 1 and exact:
        cell = draw.between(2, min(min(blocks), 16))
        choices = [([NDCELL], [cell]), ([NDCELL, SHUFFLE], [cell, 0])]
    slots, metas = draw.pick(choices)
    slots, metas = list(slots), list(metas)
    while len(slots) < 6 and draw.chance(30):  # empty slots anywhere
        at = draw.below(len(slots) + 1)
        slots.insert(at, 0)
        metas.insert(at, 0)
    return slots, metas, exact


def compression(draw, size, kind=None, blocks=()):
    slots, metas, exact = (
        pipeline(draw, min(size, 255), kind, blocks)
        if size <= 255
        else (draw.pick([[], [SHUFFLE], [BITSHUFFLE]]), None, True)
    )
    codec = draw.pick(list(CODECS))
    more = {"use_dict": True} if codec in ("zstd", "lz4", "lz4hc") and draw.chance(15) else {}
    level = draw.pick([0, 1, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9])
    if codec == "zstd" and level == 9 and draw.chance(90):
        level = 6  # slow
    return params(codec, slots, metas, size, level, draw.between(1, 4), **more), exact


def limits(shape, draw):
    """Chunk and block shapes for an array, none a divisor of the next by rule."""
    chunks = tuple(
        (
            min(draw.between(1, n + 2), draw.between(1, n + 2))
            if draw.chance(30)
            else draw.between((n + 3) // 3, n + 1)
        )
        for n in shape
    )
    blocks = tuple(draw.between((c + 2) // 3, c) for c in chunks)
    return chunks, blocks


def random_shape(draw, size):
    ndim = draw.pick([0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
    budget = draw.pick([100, 1000, 5000, 20000, 80000]) // size + 1
    shape = []
    for axis in range(ndim):
        top = max(int(budget ** (1 / (ndim - axis))) * 2, 1)
        shape.append(draw.between(1, max(min(top, budget), 1)))
        budget = max(budget // shape[-1], 1)
    if ndim and draw.chance(2):
        shape[draw.below(ndim)] = 0
    return tuple(shape)


def layers(draw):
    return (
        {"m%d" % i: draw.pick([None, 1, "text", [1, 2], {"a": b"b"}]) for i in range(draw.below(4))}
        if draw.chance(25)
        else None
    )


def attributes(draw, schunk):
    for i in range(draw.below(4) if draw.chance(25) else 0):
        schunk.vlmeta["v%d" % i] = draw.pick([None, 2.5, "text" * 50, list(range(30)), {"k": {"l": [1]}}])


def array_data(draw, dtype, shape):
    count = int(np.prod(shape, dtype=np.int64))
    kind = draw.pick(patterns.KINDS + ["values"] * 5)
    if kind == "values":
        return patterns.values(dtype, shape, str(draw.below(10**6)))
    raw = patterns.items(kind, count, dtype.itemsize, str(draw.below(10**6)))
    if dtype.kind == "b":
        raw = bytes(np.frombuffer(raw, np.uint8) & 1)
    return np.frombuffer(raw, dtype).reshape(shape)
