"""Special values, dictionaries, compression levels, and uncompressed chunks."""

import blosc2
import numpy as np

import patterns
from reference import *


def main():
    rec = recorder()
    arrays(rec)
    schunks(rec)
    dictionaries(rec)
    levels(rec)
    rec.done("b2_specials.json")


def arrays(rec):
    shape, more = (25, 14), dict(chunks=(10, 6), blocks=(4, 3))
    for dtype in ("<i4", "<f8", "|u1", "|S3", "<c16", "|S300"):
        name = "special-zeros-%s.b2nd" % dtype[1:]
        blosc2.zeros(shape, dtype, urlpath=fresh(rec.path(name)), mode="w", **more)
        rec.array(name, np.zeros(shape, dtype))
        name = "special-uninit-%s.b2nd" % dtype[1:]
        blosc2.uninit(shape, dtype, urlpath=fresh(rec.path(name)), mode="w", **more)
        rec.array(name, np.zeros(shape, dtype), note="uninitialised: zeros by rule")
    for dtype in ("<f4", "<f8"):
        name = "special-nan-%s.b2nd" % dtype[1:]
        blosc2.nans(shape, dtype, urlpath=fresh(rec.path(name)), mode="w", **more)
        rec.array_bytes(name, read_array(rec.path(name)).tobytes(), shape, np.dtype(dtype).itemsize)
    fulls = [
        ("|u1", 7),
        ("<i2", -2),
        ("<i4", 123456789),
        ("<i8", -1),
        ("<f2", 1.5),
        ("<f4", np.pi),
        ("<f8", -0.0),
        ("<c16", 1 - 2j),
        ("|S3", b"abc"),
        ("|S17", b"seventeen bytes!!"),
        ("|S255", b"x" * 255),
        ("|S256", b"y" * 256),
        ("|S300", b"wide" * 75),
        ("<U5", "h\u00e9llo"),
        ("|b1", True),
        (">i4", 5),
        ("<M8[s]", 10**9),
    ]
    for dtype, value in fulls:
        name = "special-full-%s.b2nd" % dtype.strip("|<").replace(">", "be-").replace("[", "-").replace(
            "]", ""
        )
        fill = np.array(value, dtype)
        want = np.full(shape, fill, dtype)
        try:
            array = blosc2.full(
                shape,
                fill if fill.dtype.kind not in "SU" else fill.item() if fill.dtype.kind == "S" else fill,
                dtype=fill.dtype,
                urlpath=fresh(rec.path(name)),
                mode="w",
                **more
            )
        except Exception as failure:
            rec.failures.append("%s: %s" % (name, failure))
            fresh(rec.path(name))
            continue
        if read_array(rec.path(name)).tobytes() != want.tobytes():
            rec.failures.append("%s: the reference filled something else" % name)
            fresh(rec.path(name))
            continue
        rec.array(name, want)
    name = "special-full-grown.b2nd"
    array = blosc2.full(
        (7, 5), 77, dtype="<i4", chunks=(4, 4), blocks=(3, 2), urlpath=fresh(rec.path(name)), mode="w"
    )
    array.resize((9, 10))
    rec.array(
        name, array[...], note="the padding of the first chunks was filled too, so growing shows the value"
    )
    mixed(rec)


def mixed(rec):
    """Arrays where only some chunks are special."""
    array = np.zeros((40, 20), "<f4")
    array[10:20] = patterns.values("<f4", (10, 20))
    array[20:30] = 2.5
    array[30:] = np.nan
    for contiguous in (True, False):
        name = "special-mixed-%s.b2nd" % ("frame" if contiguous else "sparse")
        blosc2.asarray(
            array.copy(),
            chunks=(10, 10),
            blocks=(5, 5),
            cparams=params("lz4", typesize=4),
            urlpath=fresh(rec.path(name)),
            mode="w",
            contiguous=contiguous,
        )
        rec.array(name, array)
    name = "special-uninit-partly-written.b2nd"
    array = blosc2.uninit(
        (40, 20), "<i4", chunks=(10, 10), blocks=(5, 5), urlpath=fresh(rec.path(name)), mode="w"
    )
    want = np.zeros((40, 20), "<i4")
    want[10:30] = array[10:30] = patterns.values("<i4", (20, 20))
    rec.array(name, want, note="uninitialised: zeros by rule")


def schunks(rec):
    special = blosc2.SpecialValue
    cases = [
        ("zeros", special.ZERO, None, 4, 0),
        ("nan4", special.NAN, None, 4, None),
        ("nan8", special.NAN, None, 8, None),
        ("uninit", special.UNINIT, None, 5, 0),
        ("value4", special.VALUE, b"\1\2\3\4", 4, None),
        ("value1", special.VALUE, b"\xee", 1, None),
        ("value7", special.VALUE, b"1234567", 7, None),
        ("value255", special.VALUE, bytes(range(255)), 255, None),
    ]
    for name, kind, value, size, _ in cases:
        for count in (100, 103):
            file = "fill-%s-%d.b2frame" % (name, count)
            schunk = blosc2.SChunk(
                chunksize=20 * size,
                cparams=params("zstd", typesize=size),
                dparams={"nthreads": 1},
                urlpath=fresh(rec.path(file)),
                mode="w",
            )
            try:
                schunk.fill_special(count, kind, value)
            except Exception as failure:
                rec.failures.append("%s: %s" % (file, failure))
                fresh(rec.path(file))
                continue
            raw = whole(schunk)
            if kind == special.VALUE and raw != value * count:
                rec.failures.append("%s: the reference filled something else" % file)
                fresh(rec.path(file))
                continue
            note = None
            if kind == special.UNINIT:
                raw, note = bytes(count * size), "uninitialised: zeros by rule"
            rec.items("schunk", file, raw, size, note=note)


def readable(path, raw):
    """None, or a note that the reference cannot read what it wrote."""
    try:
        assert read_schunk(path) == raw
    except RuntimeError:
        return "the reference cannot read this: a stored chunk with the dictionary flag"


def dictionaries(rec):
    words = [b"alpha", b"beta", b"gamma-ray", b"delta-v", b"epsilon"]
    rng = np.random.RandomState(5)
    text = b" ".join(words[rng.randint(5)] + b"-%d" % rng.randint(50) for _ in range(2200))
    for codec in ("zstd", "lz4", "lz4hc"):
        for size, slots in ((1, []), (4, [SHUFFLE]), (8, [BITSHUFFLE]), (2, [DELTA])):
            raw = text[:16384] if size == 1 else patterns.items("ramp", 16384 // size, size, codec)
            for level in (1, 9):
                file = "dict-%s-t%d-l%d.b2frame" % (codec, size, level)
                cparams = params(codec, slots, None, size, level, 1 + size % 3, blocksize=1024, use_dict=True)
                blosc2.SChunk(
                    chunksize=10000 // size * size,
                    data=raw,
                    cparams=cparams,
                    urlpath=fresh(rec.path(file)),
                    mode="w",
                )
                rec.items("schunk", file, raw, size, note=readable(rec.path(file), raw))
    data = patterns.values("<i4", (90, 80))
    for codec in ("zstd", "lz4"):
        file = "dict-%s-2d.b2nd" % codec
        blosc2.asarray(
            data.copy(),
            chunks=(50, 50),
            blocks=(10, 25),
            cparams=params(codec, [SHUFFLE], None, 4, use_dict=True),
            urlpath=fresh(rec.path(file)),
            mode="w",
        )
        rec.array(file, data)


def levels(rec):
    """Each codec at each level on the same data; level 0 and noise are stored plainly."""
    for number, codec in enumerate(CODECS):
        for level in range(10):
            if level not in (0, 9) and (level + number) % 3:
                continue
            raw = patterns.items("walk", 700, 4, codec)
            save(
                rec,
                "level-%s-%d.b2frame" % (codec, level),
                raw,
                4,
                params(codec, [SHUFFLE], None, 4, level, blocksize=1024),
            )
        for size in (1, 8):
            raw = patterns.items("random", 640 // size, size, codec)
            save(rec, "noise-%s-t%d.b2frame" % (codec, size), raw, size, params(codec, [SHUFFLE], None, size))
        raw = (
            patterns.items("random", 128, 4)
            + patterns.items("zeros", 128, 4)
            + patterns.items("walk", 128, 4)
            + patterns.items("random", 64, 4)
        )
        save(
            rec, "patchwork-%s.b2frame" % codec, raw, 4, params(codec, [SHUFFLE], None, 4, blocksize=256), 256
        )
    for count in (1, 2, 7, 31):
        save(rec, "short-%d.b2frame" % count, bytes(range(count)), 1, params("lz4", [SHUFFLE], None, 1))


def save(rec, file, raw, size, cparams, items=400):
    blosc2.SChunk(chunksize=items * size, data=raw, cparams=cparams, urlpath=fresh(rec.path(file)), mode="w")
    assert read_schunk(rec.path(file)) == raw, file
    rec.items("schunk", file, raw, size)


main()
