"""Stand-alone chunks: shapes of the body, odd sizes, special values, what the reference damages, plug-in codecs."""

import os
import struct

import blosc2
import numpy as np

import patterns
from reference import *


def main():
    rec = recorder(slices=2)
    regular(rec)
    plain(rec)
    specials(rec)
    dictionaries(rec)
    variable_blocks(rec)
    moved_blocks(rec)
    short_header(rec)
    plugins(rec)
    rec.done("b2_chunks.json")


def put(rec, name, chunk, raw, size, note=None, check=True):
    file = name + ".chunk"
    with open(fresh(rec.path(file)), "wb") as out:
        out.write(chunk)
    if check and raw:
        assert blosc2.decompress2(chunk, nthreads=1) == raw, file
    rec.items("chunk", file, raw, size, note=note)


def compress(raw, **cparams):
    return blosc2.compress2(bytearray(raw), **cparams)


def regular(rec):
    """Sizes that leave a short last block, in every split mode; noise here and there."""
    sizes = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 24, 31, 33, 255]
    slots = [[SHUFFLE], [BITSHUFFLE], [], [SHUFFLE, BYTEDELTA], [0, 0, BITSHUFFLE, 0, 0, 0], [DELTA, SHUFFLE]]
    for number, size in enumerate(sizes * 2):
        filters = slots[(number * 5 + number // 15) % 6]
        if DELTA in filters and size not in (1, 2, 4, 8, 16, 24) or BYTEDELTA in filters and size in (1, 255):
            filters = [SHUFFLE]
        metas = [size if f == BYTEDELTA else 0 for f in filters]
        codec = list(CODECS)[(number + number // 15) % 5]
        kind = ["runs", "mixed", "walk", "sparse", "few"][number % 5]
        block = max(40 * size, 64)
        count = (40 * 3 + 16) if size < 100 else 70
        raw = patterns.items(kind, count, size, "chunk %d" % number)
        split = 1 + (number * 3) % 4
        put(
            rec,
            "chunk-%s-%s-t%d-%s-split%d" % (codec, "".join(map(str, filters)) or "0", size, kind, split),
            compress(raw, **params(codec, filters, metas, size, 1 + number % 9, split, blocksize=block)),
            raw,
            size,
        )
    raw = patterns.items("walk", 6000, 4)
    for codec in ("lz4", "zstd"):
        put(rec, "automatic-blocks-%s" % codec, compress(raw, **params(codec, [SHUFFLE], None, 4, 1)), raw, 4)
    raw = patterns.items("ramp", 203, 4) + b"odd"
    put(rec, "odd-length", compress(raw, **params("lz4", [SHUFFLE], None, 4, blocksize=256)), raw, 4)
    put(rec, "odd-length-bits", compress(raw, **params("zlib", [BITSHUFFLE], None, 4, blocksize=256)), raw, 4)


def plain(rec):
    for count in (0, 1, 20, 31, 32, 33):
        raw = bytes(range(count))
        put(rec, "length-%d" % count, compress(raw, **params("lz4", [SHUFFLE], None, 1)), raw, 1)
    raw = patterns.items("ramp", 100, 4)
    put(rec, "level-0", compress(raw, **params("zstd", [SHUFFLE], None, 4, 0)), raw, 4)
    raw = patterns.items("random", 100, 4)
    put(rec, "noise", compress(raw, **params("blosclz", [BITSHUFFLE], None, 4)), raw, 4)


def specials(rec):
    for length, size in ((400, 4), (401, 4), (33, 1), (512, 8)):
        raw = bytes(length)
        put(
            rec,
            "zeros-%d-t%d" % (length, size),
            compress(raw, **params("lz4", [SHUFFLE], None, size)),
            raw,
            size,
        )
    kinds = [
        ("nan4", blosc2.SpecialValue.NAN, None, 4),
        ("nan8", blosc2.SpecialValue.NAN, None, 8),
        ("value3", blosc2.SpecialValue.VALUE, b"abc", 3),
        ("value16", blosc2.SpecialValue.VALUE, b"sixteen bytes ok", 16),
        ("zero2", blosc2.SpecialValue.ZERO, None, 2),
    ]
    for name, kind, value, size in kinds:
        schunk = blosc2.SChunk(chunksize=50 * size, cparams=params(typesize=size), dparams={"nthreads": 1})
        schunk.fill_special(50, kind, value)
        put(rec, "special-" + name, schunk.get_chunk(0), schunk.decompress_chunk(0), size)
    array = blosc2.full((10,), b"wide" * 75, dtype="S300", chunks=(10,), blocks=(5,))
    put(rec, "special-value300", array.schunk.get_chunk(0), b"wide" * 750, 1, check=False)
    schunk = blosc2.SChunk(chunksize=200, cparams=params(typesize=4))
    schunk.fill_special(50, blosc2.SpecialValue.UNINIT)
    put(
        rec, "special-uninit", schunk.get_chunk(0), bytes(200), 4, "uninitialised: zeros by rule", check=False
    )


def dictionaries(rec):
    raw = patterns.items("ramp", 3000, 4)
    for codec in ("zstd", "lz4", "lz4hc"):
        put(
            rec,
            "dict-%s" % codec,
            compress(raw, **params(codec, [SHUFFLE], None, 4, blocksize=1200, use_dict=True)),
            raw,
            4,
        )
        noise = patterns.items("random", 800, 4, codec)
        put(
            rec,
            "dict-stored-%s" % codec,
            compress(noise, **params(codec, [SHUFFLE], None, 4, blocksize=800, use_dict=True)),
            noise,
            4,
            "the reference cannot read this: a stored chunk with the dictionary flag",
            check=False,
        )
    for length in (9, 16, 20, 30):
        for codec in ("lz4", "lz4hc"):
            raw = b"a" * length
            chunk = compress(raw, **params(codec, [], None, 1, use_dict=True))
            if len(chunk) != length + 32:
                put(
                    rec,
                    "short-dict-%s-%d" % (codec, length),
                    chunk,
                    raw,
                    1,
                    "the reference cannot read this: flagged as stored, but the body is one compressed block",
                    check=False,
                )


def variable_blocks(rec):
    for per_block in (1, 4):
        store = blosc2.BatchArray(items_per_block=per_block)
        store.append([{"id": i, "text": "golden " * (i % 5)} for i in range(12)])
        put(
            rec,
            "variable-blocks-%d" % per_block,
            store.schunk.get_chunk(0),
            store.schunk.decompress_chunk(0),
            1,
            check=False,
        )


def moved_blocks(rec):
    """The blocks of a chunk in another order and with a gap, as several threads may leave them."""
    raw = patterns.items("walk", 500, 4)
    chunk = compress(raw, **params("lz4", [SHUFFLE], None, 4, blocksize=480))
    count = -(-len(raw) // 480)
    starts = list(struct.unpack_from("<%di" % count, chunk, 32)) + [len(chunk)]
    bodies = [chunk[starts[i] : starts[i + 1]] for i in range(count)]
    out, at = bytearray(chunk[: 32 + 4 * count]), [0] * count
    for i in reversed(range(count)):
        at[i] = len(out)
        out += bodies[i] + b"\xee" * (3 if i == 2 else 0)
    struct.pack_into("<%di" % count, out, 32, *at)
    struct.pack_into("<i", out, 12, len(out))
    put(rec, "moved-blocks", bytes(out), raw, 4, "blocks moved by the script")


def short_header(rec):
    """The compatibility switch: a 16-byte header, yet with version 5."""
    os.environ["BLOSC_BLOSC1_COMPAT"] = "1"
    for filters in ([0, 0, 0, 0, 0, SHUFFLE], [0, 0, 0, 0, 0, BITSHUFFLE]):
        raw = patterns.items("ramp", 300, 8)
        put(rec, "short-header-%d" % filters[5], compress(raw, **params("lz4", filters, None, 8)), raw, 8)
    del os.environ["BLOSC_BLOSC1_COMPAT"]


def plugins(rec):
    """Codecs that the reference has as plug-ins and that need the geometry of an array."""
    image = (np.add.outer(np.arange(40), np.arange(36)) // 5).astype("u1")
    image[10:20, 8:16] = 7
    for meta in (4, 8):
        file = "ndlz-%d.b2nd" % meta
        cparams = dict(
            codec=blosc2.Codec.NDLZ,
            codec_meta=meta,
            filters=[0],
            filters_meta=[0],
            splitmode=blosc2.SplitMode.NEVER_SPLIT,
            nthreads=1,
            typesize=1,
        )
        blosc2.asarray(
            image.copy(),
            chunks=(24, 20),
            blocks=(16, 12),
            cparams=cparams,
            urlpath=fresh(rec.path(file)),
            mode="w",
        )
        assert read_array(rec.path(file)).tobytes() == image.tobytes()
        rec.array(file, image, note="plug-in codec ndlz")
    data = patterns.values("<f4", (20, 14))
    for codec, meta in ((blosc2.Codec.ZFP_ACC, -2), (blosc2.Codec.ZFP_PREC, 12), (blosc2.Codec.ZFP_RATE, 40)):
        file = "%s.b2nd" % codec.name.lower().replace("_", "-")
        cparams = dict(
            codec=codec,
            codec_meta=meta & 255,
            filters=[0],
            filters_meta=[0],
            splitmode=blosc2.SplitMode.NEVER_SPLIT,
            nthreads=1,
            typesize=4,
        )
        array = blosc2.asarray(
            data.copy(),
            chunks=(10, 8),
            blocks=(8, 8),
            cparams=cparams,
            urlpath=fresh(rec.path(file)),
            mode="w",
        )
        rec.array_bytes(
            file,
            whole_array(array).tobytes(),
            data.shape,
            4,
            note="plug-in codec zfp; lossy: values as the reference decodes them",
        )


main()
