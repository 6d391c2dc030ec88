"""Random files by the reference, for interoperability tests.

    random_files.py OUT_DIR --seed S --count N --zfp M

Runs in an environment with blosc2==4.14.1. Writes N files, M arrays with ZFP and `cases.jsonl`: a line per file in the form of
tests/golden/manifest.jsonl, with three slices each. What a file must decode to comes from the original data;
for lossy filters from the reference's decoding of whole chunks by one thread. Combinations for which the reference
writes wrong data (three or more filters, truncation before delta, delta with odd units) are not generated.
"""

import argparse
import json
import os
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import blosc2
import numpy as np

import patterns
from choices import DTYPES, SIZES, Draw, array_data, attributes, compression, layers, limits, random_shape
from facts import file_facts
from floats import zfp
from record import Recorder
from reference import BYTEDELTA, DELTA, fresh, params, whole, whole_array


def write_array(rec, draw, number):
    dtype = np.dtype(draw.pick(DTYPES))
    shape = random_shape(draw, dtype.itemsize)
    name = "%05d.b2nd" % number
    where = dict(urlpath=fresh(rec.path(name)), mode="w", contiguous=not draw.chance(15), meta=layers(draw))
    several = shape and 0 not in shape and not draw.chance(5)
    chunks, blocks = limits(shape, draw) if several else (shape, shape)
    where.update(chunks=chunks, blocks=blocks)
    cparams, exact = compression(draw, dtype.itemsize, dtype.kind, blocks if several else ())
    special = draw.below(40)
    if np.prod(chunks) * dtype.itemsize < 64:
        cparams["use_dict"] = False  # short chunks come out damaged
    note = None
    if special < 4 and dtype.kind != "V":
        make = [
            blosc2.zeros,
            blosc2.uninit,
            blosc2.nans if dtype.str in ("<f4", "<f8") else blosc2.zeros,
            blosc2.full,
        ][special]
        if make is blosc2.full and dtype.kind not in "iufb":
            make = blosc2.zeros
        data = np.zeros(shape, dtype)
        if make is blosc2.full:
            data[...] = 1 if dtype.kind == "b" else 77
            array = blosc2.full(
                shape,
                data.dtype.type(77) if dtype.kind != "b" else True,
                dtype=dtype,
                cparams=cparams,
                **where
            )
        else:
            array = make(shape, dtype=dtype, cparams=cparams, **where)
            data = np.full(shape, np.nan, dtype) if make is blosc2.nans else data
            note = "uninitialised: zeros by rule" if make is blosc2.uninit else None
    else:
        data = array_data(draw, dtype, shape)
        array = blosc2.asarray(
            np.frombuffer(bytearray(data.tobytes()), dtype).reshape(shape), cparams=cparams, **where
        )
        if not exact:
            data = whole_array(array)
    if draw.chance(6) and shape and 0 not in shape and exact and special > 3 and several:
        grown = tuple(n + draw.below(5) for n in shape)
        array.resize(grown)
        bigger = np.zeros(grown, dtype)
        bigger[tuple(slice(0, n) for n in shape)] = data
        data = bigger
    attributes(draw, array.schunk)
    rec.array(name, data, note=note)


def write_schunk(rec, draw, number):
    size = draw.pick(SIZES)
    name = "%05d.b2frame" % number
    count = draw.between(1, draw.pick([20, 300, 3000, 30000]) // size + 2) + 8
    cparams, exact = compression(draw, size)
    if size in (1, 2, 4, 8, 16, 24, 32, 64):
        count = -(-count // 8) * 8
    per_chunk = -(-draw.between(count // 4 + 1, count + 1) // 8) * 8
    if draw.chance(40):
        cparams["blocksize"] = max(draw.between(1, 40) * 8 * size, 32)
    if size < 8:
        cparams["use_dict"] = False  # short chunks come out damaged
    variable = exact and draw.chance(15)  # a chunk of zeros cannot be stored there
    take = min(count, per_chunk)
    schunk = blosc2.SChunk(
        chunksize=(take if variable else per_chunk) * size,
        cparams=cparams,
        dparams={"nthreads": 1},
        urlpath=fresh(rec.path(name)),
        mode="w",
        contiguous=not draw.chance(20),
        meta=layers(draw),
    )
    pieces = []
    while count > 0:
        pieces.append(
            patterns.items(
                draw.pick(patterns.KINDS[:6] + ([] if variable else ["zeros"])),
                take,
                size,
                str(draw.below(10**6)),
            )
        )
        schunk.append_data(bytearray(pieces[-1]))
        count -= take
        take = min(count, 8 * draw.between(1, per_chunk // 8) if variable else per_chunk)
    if not variable and len(pieces) > 2 and exact:
        edit(draw, schunk, pieces)
    attributes(draw, schunk)
    rec.items("schunk", name, b"".join(pieces) if exact else whole(schunk), size)


def edit(draw, schunk, pieces):
    """Deletes, reorders or replaces whole chunks."""
    full = len(pieces) - 1
    if draw.chance(15):
        order = list(draw.rng.permutation(full)) + [full]
        schunk.reorder_offsets(np.array(order))
        pieces[:] = [pieces[i] for i in order]
    if draw.chance(10):
        at = draw.below(full)
        schunk.delete_chunk(at)
        del pieces[at]
    elif draw.chance(10):
        at = draw.below(full)
        pieces[at] = pieces[draw.below(full)]
        schunk.update_data(at, bytearray(pieces[at]), True)


def write_zfp(rec, draw, number):
    data, chunks, blocks, codec, meta = zfp(draw)
    name = "zfp-%05d.b2nd" % number
    cparams = params("lz4", [], [], data.dtype.itemsize, 5, 1)
    cparams.update(codec=blosc2.Codec(codec), codec_meta=meta, splitmode=blosc2.SplitMode.NEVER_SPLIT)
    where = dict(urlpath=fresh(rec.path(name)), mode="w", chunks=chunks, blocks=blocks)
    rec.array(name, whole_array(blosc2.asarray(data, cparams=cparams, **where)))


def write_chunk(rec, draw, number):
    size = draw.pick(SIZES)
    name = "%05d.chunk" % number
    count = draw.between(0, draw.pick([5, 50, 1000, 20000]) // size + 1)
    cparams, exact = compression(draw, size)
    if {DELTA, BYTEDELTA} & set(cparams["filters"]):
        count = -(-count // 8) * 8
    if draw.chance(40):
        cparams["blocksize"] = max(draw.between(1, 40) * 8 * size, 32)
    cparams.pop("use_dict", None)
    raw = patterns.items(draw.pick(patterns.KINDS), count, size, str(draw.below(10**6)))
    chunk = blosc2.compress2(bytearray(raw), **cparams) if raw else blosc2.compress2(b"", **cparams)
    if not exact:
        raw = blosc2.decompress2(chunk, nthreads=1)
    fresh(rec.path(name))
    with open(rec.path(name), "wb") as file:
        file.write(chunk)
    rec.items("chunk", name, raw, size)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--zfp", type=int, default=0)
    args = parser.parse_args()
    rec = Recorder(args.out, "", "python-blosc2 " + blosc2.__version__, seed=args.seed)
    for number in range(args.count):
        draw = Draw(args.seed, number)
        write = draw.pick([write_array] * 6 + [write_schunk] * 3 + [write_chunk] * 2)
        write(rec, draw, number)
    for number in range(args.zfp):
        write_zfp(rec, Draw(args.seed, number), number)
    with open(os.path.join(args.out, "cases.jsonl"), "w") as out:
        for line in rec.lines:
            facts = file_facts(rec.path(line["file"]), line["kind"], 0, blosc2.decompress2)
            if line["kind"] == "array":
                facts.setdefault("dtype", None)
            facts.update(line)
            out.write(json.dumps(facts) + "\n")


main()
