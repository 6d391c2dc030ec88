"""Arrays of many geometries: 0 to 16 dimensions, edges, resizing, filters that need the geometry."""

import blosc2
import numpy as np

import patterns
from reference import *

# shape, chunks, blocks
GEOMETRIES = [
    ((1,), (1,), (1,)),
    ((7,), (7,), (7,)),
    ((7,), (10,), (4,)),
    ((100,), (17,), (5,)),
    ((1000,), (1000,), (999,)),
    ((5, 1), (2, 1), (1, 1)),
    ((13, 17), (5, 4), (3, 3)),
    ((13, 17), (13, 17), (13, 17)),
    ((3, 50), (7, 60), (2, 9)),
    ((4, 5, 6), (3, 3, 3), (2, 2, 2)),
    ((1, 1, 9), (1, 1, 4), (1, 1, 3)),
    ((7, 2, 5), (4, 2, 5), (4, 1, 5)),
    ((3, 4, 5, 6), (2, 3, 2, 4), (2, 2, 2, 3)),
    ((2, 3, 2, 3, 2), (2, 2, 1, 3, 2), (1, 2, 1, 2, 2)),
    ((2, 3, 2, 3, 2, 2), (1, 2, 2, 2, 2, 1), (1, 2, 1, 2, 1, 1)),
    ((2, 1, 3, 2, 1, 2, 2), (2, 1, 2, 2, 1, 1, 2), (1, 1, 2, 1, 1, 1, 2)),
    ((2, 2, 1, 2, 3, 1, 2, 2), (1, 2, 1, 2, 2, 1, 2, 1), (1, 1, 1, 2, 2, 1, 1, 1)),
    ((1, 2, 1, 2, 2, 1, 2, 1, 3), (1, 2, 1, 1, 2, 1, 2, 1, 2), (1, 1, 1, 1, 2, 1, 2, 1, 2)),
    ((2, 1) * 6 + (3,), (1, 1) * 6 + (2,), (1, 1) * 6 + (2,)),
    ((2, 1, 1) * 5, (2, 1, 1) * 5, (1, 1, 1) * 5),
    ((2, 1, 1, 2) * 4, (1, 1, 1, 2) * 4, (1, 1, 1, 2) * 4),
]
EMPTY = [
    ((0,), None, None),
    ((0, 5), None, None),
    ((5, 0), None, None),
    ((3, 0, 2), None, None),
    ((0, 0), None, None),
]


def main():
    rec = recorder(slices=4)
    for number, (shape, chunks, blocks) in enumerate(GEOMETRIES):
        dtype = ["<i4", "<f8", "|u1", "<i2"][number % 4]
        save(
            rec,
            "shape-%02d-%dd-%s.b2nd" % (number, len(shape), "x".join(map(str, shape))),
            dtype,
            shape,
            chunks,
            blocks,
            number,
        )
    for number, (shape, chunks, blocks) in enumerate(EMPTY):
        save(rec, "shape-empty-%s.b2nd" % "x".join(map(str, shape)), "<i4", shape, chunks, blocks, number)
    for dtype in ("<f8", "|S3", "<i2", "<c16"):
        save(rec, "shape-0d-%s.b2nd" % dtype[1:], dtype, (), (), (), 4)
    resizes(rec)
    cells(rec)
    delta_nd(rec)
    rec.done("b2_shapes.json")


def save(
    rec, file, dtype, shape, chunks, blocks, number, slots=None, metas=None, data=None, exact=True, codec=None
):
    if data is None:
        data = patterns.values(dtype, shape, file)
    slots = [[SHUFFLE], [BITSHUFFLE], [SHUFFLE], []][number % 4] if slots is None else slots
    cparams = params(codec or list(CODECS)[number % 5], slots, metas, data.dtype.itemsize, 5, 1 + number % 4)
    where = dict(urlpath=fresh(rec.path(file)), mode="w")
    blosc2.asarray(data.copy(), chunks=chunks, blocks=blocks, cparams=cparams, **where)
    got = read_array(rec.path(file)).tobytes()
    if exact:
        assert got == data.tobytes(), file
    rec.array_bytes(
        file,
        got,
        data.shape,
        data.dtype.itemsize,
        note=None if exact else "lossy: values as the reference decodes them",
    )


def resizes(rec):
    """Grown arrays have zeros, shrunk ones keep the padding behind the edge."""
    start = np.arange(1, 101, dtype="<i4").reshape(10, 10)
    plans = {
        "grow": [(13, 10)],
        "grow-both": [(14, 15)],
        "shrink": [(5, 5)],
        "shrink-grow": [(5, 5), (10, 10)],
        "grow-shrink": [(20, 20), (9, 11)],
        "to-empty": [(0, 10)],
        "empty-grow": [(0, 10), (6, 10)],
    }
    for name, steps in plans.items():
        file = "resize-%s.b2nd" % name
        array = blosc2.asarray(
            start.copy(),
            chunks=(4, 4),
            blocks=(2, 2),
            cparams=params("lz4", typesize=4),
            urlpath=fresh(rec.path(file)),
            mode="w",
        )
        for step in steps:
            array.resize(step)
        note = "old values come back behind the former edge" if name == "shrink-grow" else None
        rec.array(file, read_array(rec.path(file)).view("<i4").reshape(array.shape), note=note)
    file = "resize-3d-append.b2nd"
    array = blosc2.zeros(
        (2, 3, 4), "<f4", chunks=(2, 2, 3), blocks=(1, 2, 2), urlpath=fresh(rec.path(file)), mode="w"
    )
    array[...] = patterns.values("<f4", (2, 3, 4))
    array.resize((5, 3, 4))
    array[2:4] = np.float32(7.5)
    rec.array(file, array[...])
    file = "set-slices.b2nd"
    array = blosc2.full(
        (30, 20), 3, dtype="<i2", chunks=(8, 8), blocks=(4, 4), urlpath=fresh(rec.path(file)), mode="w"
    )
    want = np.full((30, 20), 3, "<i2")
    for sel in (np.s_[3:9, 2:4], np.s_[16:24, 8:16], np.s_[29, :], np.s_[:, 19]):
        want[sel] = array[sel] = want[sel] * 5 + 1
    rec.array(file, want)


def cells(rec):
    """ndcell and ndmean."""
    shapes = [
        ((24,), (16,), (8,)),
        ((17, 13), (8, 8), (6, 5)),
        ((9, 8, 7), (5, 6, 7), (4, 4, 4)),
        ((4, 4, 6, 5), (4, 4, 4, 4), (4, 4, 4, 4)),
    ]
    for number, (shape, chunks, blocks) in enumerate(shapes):
        for cell in (2, 3, 4):
            file = "ndcell-%dd-c%d.b2nd" % (len(shape), cell)
            dtype = ["<i4", "<f8", "<i2"][(number + cell) % 3]
            slots, metas = ([NDCELL, SHUFFLE], [cell, 0]) if cell != 3 else ([NDCELL], [cell])
            save(rec, file, dtype, shape, chunks, blocks, number, slots, metas)
        for cell, dtype in ((2, "<f4"), (4, "<f8")):
            file = "ndmean-%dd-c%d.b2nd" % (len(shape), cell)
            save(rec, file, dtype, shape, chunks, blocks, number, [NDMEAN, SHUFFLE], [cell, 0], exact=False)


def delta_nd(rec):
    """Blocks that need the first block of their chunk."""
    for dtype, slots in (
        ("<i4", [DELTA]),
        ("<i8", [DELTA, SHUFFLE]),
        ("<i2", [DELTA, BITSHUFFLE]),
        ("|u1", [0, DELTA]),
        ("<f8", [SHUFFLE, DELTA]),
    ):
        file = "delta-%s-%s.b2nd" % (dtype[1:], "-".join(map(str, slots)))
        save(rec, file, dtype, (19, 14), (10, 7), (4, 4), 4, slots, [0] * len(slots))


main()
