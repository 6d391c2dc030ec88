"""Reads the facts of a file that the manifest lists, such as codec and filters, from its frame and chunks."""

import os
import struct

CODECS = {
    0: "blosclz",
    1: "lz4",
    2: "lz4hc",
    3: "snappy",
    4: "zlib",
    5: "zstd",
    32: "ndlz",
    33: "zfp-accuracy",
    34: "zfp-precision",
    35: "zfp-rate",
    38: "openzl",
}
FORMATS = {0: "blosclz", 1: "lz4", 2: "snappy", 3: "zlib", 4: "zstd"}


def codec_name(code):
    return CODECS.get(code, "user-%d" % code)


def chunk_facts(raw):
    extended = raw[2] & 5 == 5
    form = raw[2] >> 5
    if extended:
        codec = (
            codec_name(raw[0x16])
            if form == 6 or (form == 1 and raw[0x16] == 2)
            else FORMATS.get(form, str(form))
        )
        filters = [[raw[16 + i], raw[24 + i]] for i in range(6)]
    else:
        codec = FORMATS.get(form, str(form))
        filters = [[1 if raw[2] & 1 else 2 if raw[2] & 4 else 0, 0]]
    return {"typesize": raw[3], "chunk_version": raw[0], "codec": codec, "filters": filters}


def frame_facts(raw, decompress):
    """Frame versions 2 and 3. `decompress` turns a Blosc2 chunk into its bytes."""
    length = struct.unpack(">Q", raw[16:24])[0]
    raw = raw[:length]
    code = raw[27] & 15
    out = {
        "frame_version": raw[25] & 15,
        "typesize": struct.unpack(">i", raw[48:52])[0],
        "codec": codec_name(raw[77] if code == 6 else code),
        "filters": [[raw[71 + i], raw[79 + i]] for i in range(6)],
        "metalayers": {name: body.hex() for name, body in _layers(raw, 91, 0)},
    }
    trailer = length - struct.unpack(">I", raw[-22:-18])[0]
    vlmeta = {name: bytes(decompress(body)) for name, body in _layers(raw, trailer + 6, trailer)}
    out["vlmetalayers"] = {name: body.hex() for name, body in vlmeta.items()}
    if "b2nd" in out["metalayers"]:
        out["dtype"] = b2nd_dtype(bytes.fromhex(out["metalayers"]["b2nd"]))
    return out


def b2nd_dtype(meta):
    rest = meta[6 + 19 * meta[2] :]  # positional, for the sake of 16 dimensions
    return rest[6:].decode() if rest else None


def _layers(raw, at, base):
    """Name and content of each entry of the map at `at`; its offsets count from `base`."""
    count = struct.unpack(">H", raw[at + 1 : at + 3])[0]
    at += 3
    for _ in range(count):
        size = raw[at] & 31
        name = raw[at + 1 : at + 1 + size].decode()
        offset = base + struct.unpack(">i", raw[at + 2 + size : at + 6 + size])[0]
        at += 6 + size
        length = struct.unpack(">I", raw[offset + 1 : offset + 5])[0]
        yield name, raw[offset + 5 : offset + 5 + length]


def file_facts(path, kind, offset, decompress):
    if os.path.isdir(path):
        path = os.path.join(path, "chunks.b2frame")
    with open(path, "rb") as file:
        raw = file.read()[offset:]
    return chunk_facts(raw) if kind == "chunk" else frame_facts(raw, decompress)
