"""Frames: sparse ones, metalayers, moved chunks, chunks of different sizes, frames at an offset in a file."""

import blosc2
import numpy as np

import patterns
from reference import *


def main():
    rec = recorder(slices=4)
    sparse(rec)
    metalayers(rec)
    edits(rec)
    variable(rec)
    containers(rec)
    offsets(rec)
    rec.done("b2_frames.json")


def schunk(rec, file, raw, size=4, items=200, codec="lz4", contiguous=True, meta=None, blocksize=0):
    return blosc2.SChunk(
        chunksize=items * size,
        data=raw,
        cparams=params(codec, [SHUFFLE], None, size, blocksize=blocksize),
        dparams={"nthreads": 1},
        urlpath=fresh(rec.path(file)),
        mode="w",
        contiguous=contiguous,
        meta=meta,
    )


def sparse(rec):
    for number, codec in enumerate(CODECS):
        size = [1, 2, 4, 8, 12][number]
        file = "sparse-%s.b2frame" % codec
        raw = patterns.items("walk", 1000, size)
        chunks = schunk(rec, file, raw, size, 300, codec, False, {"note": number})
        chunks.vlmeta["kind"] = "sparse"
        rec.items("schunk", file, raw, size)
    file = "sparse-2d.b2nd"
    data = patterns.values("<f8", (33, 21))
    blosc2.asarray(
        data.copy(),
        chunks=(10, 10),
        blocks=(4, 6),
        urlpath=fresh(rec.path(file)),
        mode="w",
        contiguous=False,
        cparams=params("zstd", [BITSHUFFLE]),
    )
    rec.array(file, data)
    file = "sparse-empty.b2nd"
    blosc2.zeros((0, 3), "<i4", urlpath=fresh(rec.path(file)), mode="w", contiguous=False)
    rec.array(file, np.zeros((0, 3), "<i4"))
    file = "sparse-edited.b2frame"
    raw = patterns.items("ramp", 1000, 4)
    chunks = schunk(rec, file, raw, 4, 200, "lz4", False)
    chunks.delete_chunk(1)
    chunks.update_data(2, raw[:800][::-1], copy=True)
    chunks.append_data(raw[:800])
    rec.items("schunk", file, whole(chunks), 4)


def metalayers(rec):
    kinds = {
        "nil": None,
        "true": True,
        "false": False,
        "zero": 0,
        "fixint": 127,
        "u8": 200,
        "u16": 60000,
        "u32": 2**31,
        "u64": 2**63,
        "neg": -1,
        "i8": -100,
        "i16": -30000,
        "i32": -(2**31),
        "i64": -(2**62),
        "f64": 3.5,
        "nan": float("nan"),
        "fixstr": "hello",
        "str8": "s" * 40,
        "str16": "\u00fc" * 200,
        "bin8": b"bytes",
        "bin16": b"\0" * 300,
        "array": [1, "two", [3.0, None]],
        "array16": list(range(20)),
        "map": {"a": 1, "b": {"c": [2]}},
        "map16": {str(i): i for i in range(17)},
        "tuple": (1, (2, "x")),
        "complex": 1 - 2.5j,
        "set": {7},
        "ndarray": np.arange(6, dtype="<i2").reshape(2, 3),
        "float32": np.float32(1.5),
        "int16": np.int16(-7),
        "dtype": [("x", "<i4")],
        "empty-map": {},
        "empty-list": [],
        "empty": "",
    }
    raw = patterns.items("ramp", 300, 4)
    names = list(kinds)
    for part in range(0, len(names), 12):
        file = "vlmeta-kinds-%d.b2frame" % (part // 12)
        chunks = schunk(rec, file, raw)
        for name in names[part : part + 12]:
            try:
                chunks.vlmeta[name] = kinds[name]
            except Exception as failure:
                rec.failures.append("vlmeta %s: %s" % (name, failure))
        rec.items("schunk", file, raw, 4)
    for part in range(0, 24, 8):
        file = "meta-kinds-%d.b2frame" % (part // 8)
        chunks = schunk(rec, file, raw, meta={name: kinds[name] for name in names[part : part + 8]})
        rec.items("schunk", file, raw, 4)
    file = "meta-15-and-vlmeta-16.b2nd"
    data = patterns.values("<i4", (9, 7))
    array = blosc2.asarray(
        data,
        chunks=(4, 4),
        blocks=(2, 2),
        urlpath=fresh(rec.path(file)),
        mode="w",
        meta={"layer%02d" % i: {"number": i} for i in range(15)},
    )
    for i in range(16):
        array.schunk.vlmeta["attribute%02d" % i] = list(range(i))
    rec.array(file, data)
    file = "meta-long-name.b2frame"
    chunks = schunk(rec, file, raw, meta={"m" * 31: b"x" * 1000})
    chunks.vlmeta["v" * 31] = "long " * 500
    rec.items("schunk", file, raw, 4)
    file = "vlmeta-changed.b2frame"
    chunks = schunk(rec, file, raw)
    for name, value in (
        ("one", 1),
        ("two", "a" * 100),
        ("three", [3]),
        ("two", "short"),
        ("one", "x" * 5000),
    ):
        chunks.vlmeta[name] = value
    del chunks.vlmeta["three"]
    rec.items("schunk", file, raw, 4)
    file = "vlmeta-no-data.b2frame"
    chunks = blosc2.SChunk(
        chunksize=400, cparams=params(typesize=4), urlpath=fresh(rec.path(file)), mode="w", meta={"m": 1}
    )
    chunks.vlmeta["empty"] = True
    rec.items("schunk", file, b"", 4)


def edits(rec):
    raw = patterns.items("ramp", 1000, 4)
    part = [raw[i : i + 800] for i in range(0, 4000, 800)]
    other = patterns.items("few", 200, 4)
    noise = patterns.items("random", 200, 4)

    def case(name, action, want):
        file = "edit-%s.b2frame" % name
        chunks = schunk(rec, file, raw)
        action(chunks)
        assert whole(chunks) == want, file
        rec.items("schunk", file, want, 4)

    case("delete", lambda s: s.delete_chunk(1), raw[:800] + raw[1600:])
    case("delete-all", lambda s: [s.delete_chunk(0) for _ in range(5)], b"")
    case("insert", lambda s: s.insert_data(2, other, True), raw[:1600] + other + raw[1600:])
    case("insert-first", lambda s: s.insert_data(0, noise, True), noise + raw)
    case("update-smaller", lambda s: s.update_data(3, bytes(800), True), raw[:2400] + bytes(800) + raw[3200:])
    case("update-larger", lambda s: s.update_data(1, noise, True), raw[:800] + noise + raw[1600:])
    case("append", lambda s: s.append_data(other), raw + other)
    case(
        "reorder",
        lambda s: s.reorder_offsets(np.array([4, 2, 0, 1, 3])),
        b"".join(part[i] for i in (4, 2, 0, 1, 3)),
    )
    case(
        "set-slice",
        lambda s: s.__setitem__(slice(150, 450), bytes(1200)),
        raw[:600] + bytes(1200) + raw[1800:],
    )
    case(
        "append-special",
        lambda s: s.append_chunk(blosc2.compress2(bytes(800), **params(typesize=4))),
        raw + bytes(800),
    )

    def many(s):
        s.update_data(0, noise, True), s.insert_data(3, other, True), s.delete_chunk(1), s.update_data(
            2, bytes(800), True
        )
        s.reorder_offsets(np.array([1, 0, 2, 4, 3]))

    now = [part[2], noise, bytes(800), part[4], part[3]]
    case("many", many, b"".join(now))
    for count in (1, 2, 300):
        file = "chunks-%d.b2frame" % count
        data = patterns.items("walk", 8 * count, 2)
        schunk(rec, file, data, 2, 8)
        rec.items("schunk", file, data, 2)


def variable(rec):
    """Chunks of different sizes: frame version 3."""
    for contiguous in (True, False):
        for codec, counts in (
            ("lz4", [50, 10, 200, 3, 77]),
            ("zstd", [1, 2, 3, 4, 500]),
            ("blosclz", [100, 100, 100, 40, 100]),
        ):
            file = "variable-%s-%s.b2frame" % (codec, "frame" if contiguous else "sparse")
            chunks = blosc2.SChunk(
                chunksize=counts[0] * 4,
                cparams=params(codec, [SHUFFLE], None, 4, blocksize=160),
                dparams={"nthreads": 1},
                urlpath=fresh(rec.path(file)),
                mode="w",
                contiguous=contiguous,
            )
            raw = b""
            for number, count in enumerate(counts):
                piece = patterns.items(patterns.KINDS[number], count, 4)
                chunks.append_data(piece)
                raw += piece
            rec.items("schunk", file, raw, 4)


def containers(rec):
    """Python's own containers, as the super-chunks they are."""
    objects = [
        None,
        1,
        "text",
        {"a": [1, 2, (3, 4)]},
        b"bytes" * 40,
        list(range(300)),
        2.5,
        "x" * 2000,
        1j,
        np.arange(5),
    ]
    for contiguous in (True, False):
        file = "objects-%s.b2frame" % ("frame" if contiguous else "sparse")
        store = blosc2.ObjectArray(urlpath=fresh(rec.path(file)), mode="w", contiguous=contiguous)
        store.extend(objects)
        rec.items("schunk", file, whole(store.schunk), 1, note="the MessagePack of each object is a chunk")
    for per_block in (1, 3, 8):
        file = "batches-%d.b2b" % per_block
        store = blosc2.BatchArray(urlpath=fresh(rec.path(file)), mode="w", items_per_block=per_block)
        store.append([{"id": i, "name": "row %d" % i, "tags": ["a"] * i} for i in range(10)])
        store.append(objects[:8])
        store.append(list(range(20)))
        rec.items("schunk", file, whole(store.schunk), 1, note="blocks of different lengths")
    file = "store.b2e"
    store = blosc2.EmbedStore(urlpath=fresh(rec.path(file)), mode="w")
    for name, data in (
        ("/first", np.arange(40, dtype="<i4").reshape(5, 8)),
        ("/group/second", np.linspace(0, 1, 30)),
        ("/gone", np.zeros(50)),
    ):
        store[name] = blosc2.asarray(data, chunks=data.shape, blocks=data.shape)
    del store["/gone"]
    del store
    rec.items(
        "schunk",
        file,
        read_schunk_raw(rec.path(file)),
        1,
        note="the bytes are the members' frames one after another",
    )


def read_schunk_raw(path):
    with open(path, "rb") as file:
        return whole(blosc2.schunk_from_cframe(file.read(), copy=True))


def offsets(rec):
    """A frame that does not start where its file starts."""
    data = patterns.values("<i4", (20, 11))
    frame = blosc2.asarray(data, chunks=(7, 5), blocks=(3, 2), cparams=params("lz4", typesize=4)).to_cframe()
    for offset, after in ((1, 0), (64, 33), (4097, 100)):
        file = "offset-%d.b2nd" % offset
        with open(fresh(rec.path(file)), "wb") as out:
            out.write(patterns.items("random", offset, 1, file) + frame + b"\xa5" * after)
        assert read_array(rec.path(file), offset).tobytes() == data.tobytes()
        rec.array(file, data, offset=offset)
    file = "trailing-bytes.b2nd"
    with open(fresh(rec.path(file)), "wb") as out:
        out.write(frame + b"more bytes follow")
    rec.array(file, data)


main()
