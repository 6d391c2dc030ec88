"""Files of an earlier python-blosc2, from 0.1 (chunks only) on.

Uses only functions of that release. Files that the release itself reads back differently are deleted.
"""

import sys

import numpy as np

import blosc2
import patterns
from files import fresh
from old_common import CODECS, attempt, params, pipelines
from record import Recorder


def main():
    version = blosc2.__version__
    rec = Recorder(sys.argv[1], "blosc2-" + version, "python-blosc2 %s" % version, slices=3)
    blosc2.set_nthreads(1)
    plain_chunks(rec)
    if hasattr(blosc2, "SChunk"):
        new_chunks(rec)
        schunks(rec)
        edits(rec)
        packed(rec)
    if hasattr(blosc2, "NDArray"):
        arrays(rec)
    rec.done()


def plain_chunks(rec):
    """The one-shot interface of Blosc1, writing Blosc2 chunks."""
    enum = getattr(blosc2, "Codec", None)
    for number, codec in enumerate(CODECS):
        size = [4, 8, 2, 17, 1][number]
        raw = patterns.items("walk", 1600 // size, size)

        def write(name):
            filter = (
                [blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE]
                if hasattr(blosc2, "Filter")
                else [blosc2.SHUFFLE, blosc2.BITSHUFFLE]
            )
            chosen = getattr(enum, codec) if enum else codec.lower()
            for key in ("codec", "cname"):
                try:
                    chunk = blosc2.compress(raw, size, 5, filter[number % 2], **{key: chosen})
                    break
                except TypeError:
                    continue
            save_chunk(rec, name, chunk, raw, size, blosc2.decompress)

        attempt(rec, "plain-%s-t%d.chunk" % (codec.lower(), size), write)


def save_chunk(rec, name, chunk, raw, size, decompress):
    assert bytes(decompress(chunk)) == raw, "reads back differently"
    with open(fresh(rec.path(name)), "wb") as out:
        out.write(chunk)
    rec.items("chunk", name, raw, size)


def new_chunks(rec):
    number = 0
    for name, filters, metas in pipelines(4):
        number += 1
        raw = patterns.items(patterns.KINDS[number % 5], 400, 4)
        codec = CODECS[(number * 3) % 5]

        def write(file):
            chunk = blosc2.compress2(raw, **params(codec, filters, metas, 4, blocksize=512))
            save_chunk(rec, file, chunk, raw, 4, blosc2.decompress2)

        attempt(rec, "chunk-%s-%s.chunk" % (codec.lower(), name), write)
    cases = [
        ("noise", patterns.items("random", 100, 4), {}),
        ("zeros", bytes(800), {}),
        ("short", b"twenty bytes or less", {}),
        ("level0", patterns.items("ramp", 100, 4), {"level": 0}),
        ("runs", patterns.items("runs", 400, 4), {}),
        ("dict", patterns.items("ramp", 4000, 4), {"use_dict": True, "blocksize": 1024}),
    ]
    for case, raw, more in cases:

        def write(file):
            save_chunk(
                rec,
                file,
                blosc2.compress2(raw, **params("ZSTD", [blosc2.Filter.SHUFFLE], [0], 4, **more)),
                raw,
                4,
                blosc2.decompress2,
            )

        attempt(rec, "chunk-%s.chunk" % case, write)


def make(rec, name, raw, size, cparams, items, **more):
    path = fresh(rec.path(name))
    return blosc2.SChunk(
        chunksize=items * size, data=raw, urlpath=path, cparams=cparams, dparams={"nthreads": 1}, **more
    )


def whole(schunk, count):
    return b"".join(bytes(schunk.decompress_chunk(i)) for i in range(count))


def schunks(rec):
    for number, codec in enumerate(CODECS):
        size = [4, 8, 2, 12, 1][number]
        for turn in range(2):
            kinds = pipelines(size)
            name, filters, metas = kinds[(number + 3 * turn) % len(kinds)]
            if name.startswith("delta") and size == 12:
                name, filters, metas = kinds[0]
            raw = patterns.items(patterns.KINDS[(number + turn) % 5], 2400 // size, size)
            more = dict(contiguous=turn == 0 or number % 2 == 0)

            def write(file):
                schunk = make(
                    rec,
                    file,
                    raw,
                    size,
                    params(codec, filters, metas, size, blocksize=240 * (1 + turn)),
                    1000 // size,
                    **more
                )
                chunks = -(-(2400 // size) // (1000 // size))
                assert whole(schunk, chunks) == raw, "reads back differently"
                schunk.vlmeta["about"] = b"codec " + codec.encode()
                if number == 0:
                    schunk.vlmeta["long"] = b"x" * 300
                rec.items("schunk", file, raw, size)

            attempt(
                rec,
                "%s-%s-t%d-%s.b2frame"
                % (codec.lower(), name, size, "frame" if more["contiguous"] else "sparse"),
                write,
            )


def edits(rec):
    raw = patterns.items("ramp", 600, 4)
    new = patterns.items("few", 200, 4)

    def case(action, want, **more):
        def write(file):
            schunk = make(
                rec,
                file,
                raw,
                4,
                params("LZ4", [blosc2.Filter.SHUFFLE], [0], 4),
                200,
                contiguous=True,
                **more
            )
            action(schunk)
            assert whole(schunk, len(want) // 800) == want, "reads back differently"
            rec.items("schunk", file, want, 4)

        return write

    attempt(rec, "edit-append.b2frame", case(lambda s: s.append_data(new), raw + new))
    attempt(rec, "edit-delete.b2frame", case(lambda s: s.delete_chunk(1), raw[:800] + raw[1600:]))
    attempt(
        rec, "edit-insert.b2frame", case(lambda s: s.insert_data(1, new, True), raw[:800] + new + raw[800:])
    )
    attempt(
        rec,
        "edit-update.b2frame",
        case(lambda s: s.update_data(2, bytes(800), True), raw[:1600] + bytes(800)),
    )
    attempt(rec, "edit-zeros.b2frame", case(lambda s: s.append_data(bytes(800)), raw + bytes(800)))
    attempt(
        rec, "edit-meta.b2frame", case(lambda s: None, raw, meta={"first": b"abc", "second": {"a": [1, 2]}})
    )


def packed(rec):
    data = patterns.values("<f4", (12, 9))

    def tensor(file):
        blosc2.save_tensor(data, fresh(rec.path(file)), mode="w")
        assert (blosc2.load_tensor(rec.path(file)) == data).all()
        rec.items("schunk", file, data.tobytes(), 4)

    if hasattr(blosc2, "save_tensor"):
        attempt(rec, "tensor.b2frame", tensor)


def arrays(rec):
    specs = [
        ("<i4", (13, 11), (5, 4), (3, 2), "LZ4"),
        ("<f8", (40,), (16,), (7,), "ZSTD"),
        ("|u1", (5, 6, 7), (3, 3, 3), (2, 2, 2), "BLOSCLZ"),
        ("<c16", (6, 4), (4, 4), (2, 4), "ZLIB"),
        ("|S9", (17,), (8,), (4,), "LZ4HC"),
        ("<U3", (9, 3), (4, 2), (2, 2), "ZSTD"),
        ([("a", "<i4"), ("b", "<f8")], (20,), (9,), (4,), "ZSTD"),
        ("<i2", (3, 2, 2, 3, 2), (2, 2, 1, 2, 2), (1, 2, 1, 2, 1), "LZ4"),
    ]
    for number, (dtype, shape, chunks, blocks, codec) in enumerate(specs):
        dtype = np.dtype(dtype)
        kinds = [
            k
            for k in pipelines(min(dtype.itemsize, 127))
            if "delta" not in k[0] or dtype.itemsize in (1, 2, 4, 8, 16)
        ]
        name, filters, metas = kinds[number % len(kinds)]
        data = patterns.values(dtype, shape)

        def write(file):
            array = blosc2.asarray(
                data.copy(),
                chunks=chunks,
                blocks=blocks,
                urlpath=fresh(rec.path(file)),
                mode="w",
                cparams=params(codec, filters, metas, dtype.itemsize),
                contiguous=number % 3 != 1,
            )
            array.schunk.vlmeta["note"] = "array %d" % number
            keep(rec, file, array, data)

        attempt(rec, "array-%dd-%s-%s.b2nd" % (len(shape), dtype.kind + str(dtype.itemsize), name), write)

    def fills(file, make, want):
        keep(rec, file, make(urlpath=fresh(rec.path(file)), mode="w", chunks=(4, 5), blocks=(2, 3)), want)

    attempt(
        rec,
        "zeros.b2nd",
        lambda f: fills(f, lambda **k: blosc2.zeros((9, 8), dtype=np.int32, **k), np.zeros((9, 8), "<i4")),
    )
    attempt(
        rec,
        "full.b2nd",
        lambda f: fills(f, lambda **k: blosc2.full((9, 8), 2.5, dtype=np.float64, **k), np.full((9, 8), 2.5)),
    )
    attempt(
        rec,
        "full-text.b2nd",
        lambda f: fills(f, lambda **k: blosc2.full((9, 8), b"abcde", **k), np.full((9, 8), b"abcde")),
    )

    def resized(file):
        array = blosc2.asarray(
            np.arange(1, 43, dtype="<i4").reshape(6, 7),
            urlpath=fresh(rec.path(file)),
            mode="w",
            chunks=(3, 3),
            blocks=(2, 2),
        )
        array.resize((9, 5))
        keep(rec, file, array, array[...])

    attempt(rec, "resized.b2nd", resized)
    attempt(
        rec,
        "empty.b2nd",
        lambda f: keep(
            rec,
            f,
            blosc2.zeros((0, 4), dtype=np.int16, urlpath=fresh(rec.path(f)), mode="w"),
            np.zeros((0, 4), "<i2"),
        ),
    )
    attempt(
        rec,
        "0d.b2nd",
        lambda f: keep(
            rec, f, blosc2.asarray(np.array(7.5), urlpath=fresh(rec.path(f)), mode="w"), np.array(7.5)
        ),
    )


def keep(rec, file, array, data):
    assert np.asarray(array[...]).tobytes() == data.tobytes(), "reads back differently"
    rec.array(file, data)


main()
