"""Arrays of every kind of dtype."""

import blosc2
import numpy as np

import patterns
from reference import *

PLAIN = [
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
    "<f16",
    "<c32",
    ">i2",
    ">u4",
    ">i8",
    ">f4",
    ">f8",
    ">c16",
    ">f2",
    "|S1",
    "|S7",
    "|S300",
    "<U1",
    "<U5",
    ">U3",
    "<U70",
    "|V3",
    "|V16",
    "|V257",
    "<M8[ns]",
    "<M8[D]",
    "<M8[us]",
    ">M8[s]",
    "<M8[Y]",
    "<M8[25s]",
    "<m8[ms]",
    "<m8[h]",
    "<m8",
    "<M8",
]

STRUCTS = {
    "struct": [("a", "<i4"), ("b", "<f8")],
    "struct-mixed": [("flag", "?"), ("name", "S5"), ("when", "<M8[s]"), ("value", "<f4"), ("text", "<U3")],
    "struct-big-endian": [("x", ">i2"), ("y", ">f8")],
    "struct-subarray": [("x", "<i4", (2, 3)), ("n", "u1")],
    "struct-sub1": [("x", "<f4", (3,))],
    "struct-nested": [("id", "<u2"), ("pos", [("x", "<f4"), ("y", "<f4")]), ("c", "<c8")],
    "struct-nested-sub": [("a", [("p", "<i2", (2,)), ("q", "u1")], (2,)), ("z", "<f8")],
    "struct-wide": [("blob", "S290"), ("n", "<i4")],
    "struct-unicode-names": [("gr\u00f6\u00dfe", "<i4"), ("it's", "<i2"), ('qu"ote', "u1")],
    "struct-titles": [(("long title", "t"), "<i4"), ("u", "<i4")],
    "struct-aligned": np.dtype([("a", "u1"), ("b", "<i8"), ("c", "<i2")], align=True),
    "struct-padded": np.dtype(
        {"names": ["a", "b"], "formats": ["<i2", "<f4"], "offsets": [2, 6], "itemsize": 16}
    ),
    "struct-overlap": np.dtype(
        {"names": ["all", "low"], "formats": ["<u4", "<u2"], "offsets": [0, 0], "itemsize": 4}
    ),
    "struct-swapped": np.dtype(
        {"names": ["b", "a"], "formats": ["<f4", "<i4"], "offsets": [4, 0], "itemsize": 8}
    ),
    "struct-void": [("pad", "V3"), ("n", "<i4")],
    "struct-one": [("only", "<f2")],
}


def main():
    rec = recorder()
    for number, text in enumerate(PLAIN):
        clean = (
            text.replace("<", "le-").replace(">", "be-").replace("|", "").replace("[", "-").replace("]", "")
        )
        save(rec, "dtype-%s.b2nd" % clean, np.dtype(text), number)
    for number, (name, spec) in enumerate(STRUCTS.items()):
        save(rec, "dtype-%s.b2nd" % name, np.dtype(spec), number)
    ucs4(rec)
    rec.done("b2_dtypes.json")


def save(rec, file, dtype, number):
    shape = [(37,), (11, 9), (5, 4, 6), (20, 3)][number % 4]
    chunks = [(16,), (4, 5), (2, 4, 4), (7, 2)][number % 4]
    blocks = [(6,), (3, 2), (2, 3, 2), (3, 2)][number % 4]
    data = patterns.values(dtype, shape)
    codec = list(CODECS)[number % 5]
    slots = [[SHUFFLE], [BITSHUFFLE], [], [0, 0, 0, 0, 0, SHUFFLE]][number // 5 % 4]
    cparams = params(codec, slots, None, dtype.itemsize, 1 + number % 9, 1 + number % 4)
    copy = np.frombuffer(bytearray(data.tobytes()), dtype).reshape(shape)  # `copy()` may lose padding
    blosc2.asarray(
        copy, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=fresh(rec.path(file)), mode="w"
    )
    assert read_array(rec.path(file)).tobytes() == data.tobytes(), file
    rec.array(file, data)


def ucs4(rec):
    """The library's own choice for text: shuffle over four bytes, whatever the item size."""
    data = patterns.values("<U9", (40,))
    file = "dtype-text-default.b2nd"
    blosc2.asarray(data, chunks=(24,), blocks=(8,), urlpath=fresh(rec.path(file)), mode="w")
    assert read_array(rec.path(file)).tobytes() == data.tobytes()
    rec.array(file, data)


main()
