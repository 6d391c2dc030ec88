"""Super-chunks: every codec with every filter pipeline, split mode, item size and kind of data, pairwise."""

import blosc2

import patterns
from reference import *

# name, slots, metas, exact (False: the values are the reference's own decoding)
PIPELINES = [
    ("none", [], [], True),
    ("shuf", [SHUFFLE], [0], True),
    ("shuf-slot5", [0, 0, 0, 0, 0, SHUFFLE], [0] * 6, True),
    ("bits", [BITSHUFFLE], [0], True),
    ("bits-slot3", [0, 0, 0, BITSHUFFLE], [0] * 4, True),
    ("delta", [DELTA], [0], True),
    ("delta-shuf", [DELTA, SHUFFLE], [0, 0], True),
    ("delta-bits-slots", [DELTA, 0, 0, BITSHUFFLE], [0] * 4, True),
    ("shuf-delta", [SHUFFLE, DELTA], [0, 0], True),
    ("bits-delta", [BITSHUFFLE, DELTA], [0, 0], True),
    ("shuf-bdelta", [SHUFFLE, BYTEDELTA], [0, None], True),
    ("bdelta", [BYTEDELTA], [None], True),
    ("shuf-bdelta34", [SHUFFLE, BYTEDELTA_OLD], [0, None], True),
    ("shuf-shuf", [SHUFFLE, 0, SHUFFLE], [0, 0, 0], True),
    ("shuf2", [SHUFFLE], [2], True),
]
SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 31, 33, 255]
KINDS = ["ramp", "walk", "few", "mixed", "runs", "sparse"]


def main():
    rec = recorder()
    number = 0
    for codec in CODECS:
        for name, slots, metas, exact in PIPELINES:
            number += 1
            size = SIZES[(number * 7) % len(SIZES)]
            kind = KINDS[(number * 5) % len(KINDS)]
            if "delta" in name and "bdelta" not in name and size not in (1, 2, 4, 8, 16, 24):
                size = [1, 2, 4, 8, 16, 24][number % 6]
            write(
                rec,
                codec,
                name,
                slots,
                metas,
                size,
                kind,
                split=1 + number % 4,
                clevel=[1, 5, 9, 3, 7][number % 5],
            )
    lossy(rec)
    sizes(rec)
    rec.done("b2_pipelines.json")


def geometry(size, want):
    """Items of a chunk (not a round number of blocks, mostly) and bytes of a block."""
    block = max(want // size, 8) // 8 * 8 * size
    return block * 2 // size + 8 * 3, block


def write(rec, codec, name, slots, metas, size, kind, split, clevel, want=1024):
    items, block = geometry(size, want)
    count = items * 2 + items // 2
    if "delta" in name or "shuf2" in name:  # keep every block a whole number of units
        count = count // 8 * 8
    raw = patterns.items(kind, count, size, codec + name)
    file = "pipe-%s-%s-t%d-%s-split%d.b2frame" % (codec, name, size, kind, split)
    cparams = params(
        codec, slots, [size if m is None else m for m in metas], size, clevel, split, blocksize=block
    )
    blosc2.SChunk(
        chunksize=items * size, data=bytes(raw), cparams=cparams, urlpath=fresh(rec.path(file)), mode="w"
    )
    got = read_schunk(rec.path(file))
    note = None if got == raw else "the reference reads this file differently"
    rec.items("schunk", file, raw, size, note=note)


def lossy(rec):
    cases = [
        ("trunc", [TRUNC], [10], 4),
        ("trunc-neg", [TRUNC], [-30], 8),
        ("trunc-shuf", [TRUNC, SHUFFLE], [7, 0], 4),
        ("trunc-shuf8", [TRUNC, SHUFFLE], [20, 0], 8),
        ("trunc-bits", [TRUNC, 0, BITSHUFFLE], [3, 0, 0], 4),
        ("trunc-shuf-bdelta", [TRUNC, SHUFFLE, BYTEDELTA], [8, 0, 4], 4),
        ("inttrunc1", [INT_TRUNC], [4], 1),
        ("inttrunc2-shuf", [INT_TRUNC, SHUFFLE], [-5, 0], 2),
        ("inttrunc4", [INT_TRUNC], [20], 4),
        ("inttrunc8-bits", [INT_TRUNC, BITSHUFFLE], [-8, 0], 8),
    ]
    for number, (name, slots, metas, size) in enumerate(cases):
        codec = list(CODECS)[number % 5]
        items, block = geometry(size, 1024)
        raw = patterns.items("walk", items * 2 + 7, size, name)
        if name.startswith("trunc"):
            raw = patterns.values("<f%d" % size, [items * 2 + 7], name).tobytes()
        file = "lossy-%s-%s-t%d.b2frame" % (codec, name, size)
        cparams = params(codec, slots, metas, size, blocksize=block)
        schunk = blosc2.SChunk(
            chunksize=items * size,
            data=bytearray(raw),
            cparams=cparams,
            dparams={"nthreads": 1},
            urlpath=fresh(rec.path(file)),
            mode="w",
        )
        rec.items("schunk", file, whole(schunk), size, note="lossy: values as the reference decodes them")


def sizes(rec):
    """Every item size with shuffle and bitshuffle, small blocks with remainders."""
    for number, size in enumerate(SIZES):
        for name, slots in (("shuf", [SHUFFLE]), ("bits", [BITSHUFFLE])):
            count = 331 if size < 30 else 75
            raw = patterns.items("walk", count, size, name)
            file = "size-%s-t%d.b2frame" % (name, size)
            cparams = params(list(CODECS)[number % 5], slots, None, size, split=1 + number % 4)
            blosc2.SChunk(
                chunksize=count * size, data=raw, cparams=cparams, urlpath=fresh(rec.path(file)), mode="w"
            )
            assert read_schunk(rec.path(file)) == raw, file
            rec.items("schunk", file, raw, size)


main()
