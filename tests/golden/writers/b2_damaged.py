"""Invalid files `x-*`, made from valid ones by changing bytes. Readers must refuse them."""

import os
import struct

import blosc2

import patterns
from reference import *


def main():
    rec = recorder()
    rec.folder = "damaged"
    os.makedirs(rec.path(""), exist_ok=True)
    chunks(rec)
    frames(rec)
    rec.done("b2_damaged.json")


def changed(good, at, new):
    return good[:at] + new + good[at + len(new) :]


def put(rec, kind, name, raw, error, note):
    with open(fresh(rec.path(name)), "wb") as out:
        out.write(raw)
    rec.error(kind, name, error, note=note)


def i32(value):
    return struct.pack("<i", value)


def chunks(rec):
    raw = patterns.items("walk", 600, 4)
    good = blosc2.compress2(raw, **params("lz4", [SHUFFLE], None, 4, blocksize=600))
    flags = good[2]
    first = struct.unpack_from("<i", good, 32)[0]
    user = bytes([flags & 31 | 6 << 5])

    def case(name, bad, error="format", note=None):
        put(rec, "chunk", "x-%s.chunk" % name, bad, error, note)

    for codec in (38, 36, 100, 160, 255):
        case(
            "codec-%d" % codec,
            changed(changed(good, 2, user), 0x16, bytes([codec])),
            "unsupported",
            "codec id %d" % codec,
        )
    case("codec-lizard", changed(good, 2, bytes([flags & 31 | 5 << 5])), "unsupported", "codec format 5")
    for filter in (5, 31, 37, 160, 255):
        case("filter-%d" % filter, changed(good, 16, bytes([filter])), "unsupported", "filter id %d" % filter)
    case(
        "flags2-unknown",
        changed(changed(good, 0, b"\7"), 0x1E, b"\x02"),
        "unsupported",
        "unknown bit in the second flags of a later version",
    )
    case("empty", b"")
    case("header-only", good[:32])
    case("half-header", good[:20])
    case("truncated", good[:-5])
    case("typesize-0", changed(good, 3, b"\0"))
    case("nbytes-negative", changed(good, 4, i32(-4)))
    case("nbytes-huge", changed(good, 4, i32(0x7FFFFFFF)))
    case("blocksize-0", changed(good, 8, i32(0)))
    case("blocksize-negative", changed(good, 8, i32(-600)))
    case("cbytes-small", changed(good, 12, i32(31)))
    case("cbytes-beyond", changed(good, 12, i32(len(good) + 1)))
    case("start-in-header", changed(good, 32, i32(8)))
    case("start-negative", changed(good, 32, i32(-1)))
    case("start-beyond", changed(good, 36, i32(len(good) + 100)))
    case("stream-too-long", changed(good, first, i32(len(good))))
    case("stream-most-negative", changed(good, first, i32(-(2**31))))
    case("run-token-even", changed(changed(good, first, i32(-5)), first + 4, b"\2"))
    case("special-5", changed(good, 0x1F, b"\x50"))
    case(
        "stored-short",
        changed(good, 2, bytes([flags | 2])),
        note="flagged as stored, yet neither that nor one block",
    )
    for codec in CODECS:
        case(codec + "-garbage", _garbled(codec))
    with_dict = blosc2.compress2(
        patterns.items("ramp", 3000, 4), **params("zstd", [SHUFFLE], None, 4, blocksize=1200, use_dict=True)
    )
    at = 32 + 4 * 10
    case("dict-size-0", changed(with_dict, at, i32(0)))
    case("dict-size-huge", changed(with_dict, at, i32(0x7FFFFFF0)))
    case("dict-size-negative", changed(with_dict, at, i32(-100)))
    value = blosc2.SChunk(chunksize=350, cparams=params(typesize=7))
    value.fill_special(50, blosc2.SpecialValue.VALUE, b"seven b")
    case("value-truncated", value.get_chunk(0)[:36])


def _garbled(codec):
    raw = patterns.items("few", 600, 4)
    good = blosc2.compress2(raw, **params(codec, [], None, 4, split=2, blocksize=600))
    first = struct.unpack_from("<i", good, 32)[0]
    assert struct.unpack_from("<i", good, first)[0] < 600
    return changed(good, first + 4, b"\xff" * 40)


def frames(rec):
    data = patterns.values("<i4", (30, 20))
    good = blosc2.asarray(
        data, chunks=(10, 12), blocks=(5, 6), cparams=params("lz4", typesize=4), meta={"m": 1}
    ).to_cframe()
    header = struct.unpack_from(">i", good, 11)[0]
    b2nd = good.index(b"\x97\x00\x02")

    def case(name, bad, error="format", note=None, kind="array"):
        put(rec, kind, "x-%s.b2nd" % name, bad, error, note)

    case("frame-empty", b"")
    case("frame-header-cut", good[:60])
    case("frame-trailer-cut", good[:-10])
    case("frame-half", good[: len(good) // 2])
    case("frame-magic", changed(good, 2, b"b3frame"))
    case("frame-marker", changed(good, 0, b"\x9f"))
    case("frame-version-9", changed(good, 25, bytes([good[25] & 0xF0 | 9])), "unsupported", "frame version 9")
    case("frame-header-length-small", changed(good, 11, struct.pack(">i", 20)))
    case("frame-header-length-huge", changed(good, 11, struct.pack(">i", 2**30)))
    case("frame-length-huge", changed(good, 16, struct.pack(">Q", 2**62)))
    case("frame-length-small", changed(good, 16, struct.pack(">Q", 100)))
    case("frame-cbytes-huge", changed(good, 39, struct.pack(">q", 2**40)))
    case("frame-nbytes-negative", changed(good, 30, struct.pack(">q", -1)))
    case("frame-typesize-0", changed(good, 48, struct.pack(">i", 0)))
    case("frame-trailer-length-0", changed(good, len(good) - 22, struct.pack(">I", 0)))
    case("frame-trailer-length-huge", changed(good, len(good) - 22, struct.pack(">I", 2**31)))
    case("frame-index-blocksize", changed(good, header + struct.unpack_from(">q", good, 39)[0] + 8, i32(-1)))
    case("frame-metalayer-offset", changed(good, good.index(b"\xa4b2nd") + 6, struct.pack(">i", 2**30)))
    case(
        "frame-first-chunk",
        changed(good, header + 8, i32(-1)),
        note="the first chunk is damaged, the rest reads well",
    )
    case("b2nd-17-dimensions", changed(good, b2nd + 2, b"\x11"))
    case("b2nd-shape-huge", changed(good, b2nd + 5, struct.pack(">q", 2**62)))
    case("b2nd-shape-negative", changed(good, b2nd + 5, struct.pack(">q", -30)))
    case("b2nd-chunk-0", changed(good, b2nd + 24, struct.pack(">i", 0)))
    case("b2nd-block-0", changed(good, b2nd + 35, struct.pack(">i", 0)))
    case(
        "b2nd-more-rows",
        changed(good, b2nd + 5, struct.pack(">q", 41)),
        note="the shape needs more chunks than there are",
    )
    user = blosc2.asarray(data, chunks=(10, 12), blocks=(5, 6), cparams=params("lz4", typesize=4)).to_cframe()
    at = struct.unpack_from(">i", user, 11)[0]
    bad = changed(changed(user, at + 2, bytes([user[at + 2] & 31 | 6 << 5])), at + 0x16, b"\xa0")
    case("frame-user-codec", bad, "unsupported", "the first chunk has codec id 160")


main()
