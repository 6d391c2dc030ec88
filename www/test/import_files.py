"""Writes arrays in other formats for the viewer, and what NumPy makes of them: `import_files.py FOLDER`."""

import json
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

folder = Path(sys.argv[1])
expected = {}
RANDOM = np.random.default_rng(17)


def expect(name, array):
    array = np.asarray(array)
    np.save(folder / f"{name}.expected", array)
    expected[name] = {"shape": array.shape, "dtype": array.dtype.str}


def npy(name, array):
    np.save(folder / name, array)
    expect(name, array)


def png(name, array, colour, depth, interlaced=False, palette=None):
    """A PNG whose rows have all kinds of filters."""
    rows = array.reshape(array.shape[0], -1)
    size = max(1, depth // 8 * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour])
    if depth == 16:
        packed = rows.astype(">u2").view(np.uint8)
    elif depth == 8:
        packed = rows
    else:
        bits = np.unpackbits(rows[..., None].astype(np.uint8), axis=-1)[..., 8 - depth :]
        packed = np.packbits(bits.reshape(rows.shape[0], -1), axis=1)
    data, above = b"", np.zeros(packed.shape[1] + size, int)
    for number, line in enumerate(packed.astype(int)):
        row = np.concatenate([np.zeros(size, int), line])
        left, up, corner = row[:-size], above[size:], above[:-size]
        estimate = left + up - corner
        a, b, c = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
        paeth = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
        kind = number % 5
        guess = [0, left, up, (left + up) // 2, paeth][kind]
        data += bytes([kind]) + ((line - guess) % 256).astype(np.uint8).tobytes()
        above = row

    def part(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", array.shape[1], array.shape[0], depth, colour, 0, 0, 0)
    parts = [part(b"IHDR", head)]
    if palette is not None:
        parts.append(part(b"PLTE", palette[:, :3].tobytes()))
        if palette.shape[1] == 4:
            parts.append(part(b"tRNS", palette[:, 3].tobytes()))
    parts += [part(b"IDAT", zlib.compress(data)), part(b"IEND", b"")]
    (folder / name).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    expect(name, array if palette is None else palette[array])


def tiles(plane, size):
    """The tiles of a plane, row by row; without a size, the plane."""
    if size is None:
        return [plane]
    margins = [(0, -length % size) for length in plane.shape[:2]] + [(0, 0)] * (plane.ndim - 2)
    padded = np.pad(plane, margins)
    corners = [(y, x) for y in range(0, padded.shape[0], size) for x in range(0, padded.shape[1], size)]
    return [padded[y : y + size, x : x + size] for y, x in corners]


def tiff(name, pages, order="<", deflated=False, tile=None, planar=False, big=False, text=None, resolution=(1, 1)):
    """A TIFF, or a BigTIFF, of one strip for each page, or of tiles. `planar` stores each channel on its own. `text` is a description."""
    array = np.asarray(pages)
    mark = b"II" if order == "<" else b"MM"
    head = struct.pack(f"{order}2sHHHQ", mark, 43, 8, 0, 0) if big else struct.pack(f"{order}2sHI", mark, 42, 0)
    out, link, room, word = bytearray(head), len(head) - (8 if big else 4), 8 if big else 4, "Q" if big else "I"
    short, long, huge = 3, 4, 16

    def place(data):
        out.extend(b"\0" * (len(out) % 2) + data)
        return len(out) - len(data)

    def entry(tag, type, values):
        data = struct.pack(f"{order}{len(values)}{ {short: 'H', long: 'I', huge: 'Q'}[type] }", *values)
        if len(data) > room:
            data = struct.pack(f"{order}{word}", place(data))
        return struct.pack(f"{order}HH{word}", tag, type, len(values)) + data.ljust(room, b"\0")

    def described(tag, type, count, data):
        return struct.pack(f"{order}HH{word}{word}", tag, type, count, place(data))

    note = text and text.encode() + b"\0"
    ratio = struct.pack(f"{order}II", *resolution)
    for page in array:
        samples = page.shape[2] if page.ndim == 3 else 1
        planes = np.moveaxis(page, 2, 0) if planar else [page]
        parts = [part.astype(page.dtype.newbyteorder(order)).tobytes() for plane in planes for part in tiles(plane, tile)]
        parts = [zlib.compress(part) if deflated else part for part in parts]
        places, lengths = [place(part) for part in parts], [len(part) for part in parts]
        rows = [(273, places), (278, [page.shape[0]]), (279, lengths)]
        squares = [(322, [tile]), (323, [tile]), (324, places), (325, lengths)]
        entries = [
            entry(256, long, [page.shape[1]]),
            entry(257, long, [page.shape[0]]),
            entry(258, short, [page.itemsize * 8] * samples),
            entry(259, short, [8 if deflated else 1]),
            entry(262, short, [1 if samples == 1 else 2]),
            *([described(270, 2, len(note), note)] if text else []),
            *([] if tile else [entry(tag, huge if big else long, values) for tag, values in rows[:1]]),
            entry(277, short, [samples]),
            *([] if tile else [entry(tag, huge if big else long, values) for tag, values in rows[1:]]),
            *([described(282, 5, 1, ratio), described(283, 5, 1, ratio)] if text else []),
            entry(284, short, [2 if planar else 1]),
            *([entry(tag, huge if big else long, values) for tag, values in squares] if tile else []),
            entry(339, short, [{"u": 1, "i": 2, "f": 3}[page.dtype.kind]] * samples),
        ]
        directory = struct.pack(f"{order}{'Q' if big else 'H'}", len(entries)) + b"".join(entries)
        out[link : link + room] = struct.pack(f"{order}{word}", place(directory))
        link = len(out)
        out.extend(b"\0" * room)
    (folder / name).write_bytes(out)
    expect(name, array if len(array) > 1 else array[0])


grid = np.arange(23 * 31, dtype="f4").reshape(23, 31) / 7
npy("floats.npy", grid)
npy("fortran.npy", np.asfortranarray(np.arange(4 * 5 * 6, dtype="<i2").reshape(4, 5, 6)))
npy("big.npy", np.arange(40, dtype=">u4").reshape(8, 5))
npy("half.npy", np.linspace(-2, 2, 42, dtype="f2").reshape(6, 7))
npy("complex.npy", np.exp(1j * np.arange(12)).reshape(3, 4).astype(">c8"))
npy("five.npy", np.asfortranarray(np.arange(720, dtype=">f8").reshape(2, 3, 4, 5, 6)))
npy("words.npy", np.array(["eins", "zwölf", ""]))
npy("point.npy", np.float64(42.125))
npy("empty.npy", np.zeros((0, 3), "i4"))
table = np.zeros(40, dtype=[("when", "<M8[s]"), ("station", "U5"), ("kelvin", "<f4"), ("at", "<i2", (2,))])
table["when"] = np.datetime64("2024-01-01", "s") + np.arange(40)
table["station"] = [f"s{k}" for k in range(40)]
table["kelvin"] = 280 + np.arange(40) / 3
table["at"] = np.arange(80).reshape(40, 2)
npy("table.npy", table)
np.savez(folder / "stored.npz", first=grid, second=np.arange(12).reshape(3, 4))
np.savez_compressed(folder / "packed.npz", first=grid, second=np.arange(12).reshape(3, 4))
np.savez_compressed(folder / "single.npz", grid)
expect("single.npz", grid)
np.save(folder / "objects.npy", np.array([{}, []], dtype=object), allow_pickle=True)
(folder / "cut.npy").write_bytes((folder / "floats.npy").read_bytes()[:1000])
header = b"{'descr': '<f8', 'fortran_order': True, 'shape': (60000, 60000), }".ljust(117) + b"\n"
endless = b"{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000000000, 0), }".ljust(117) + b"\n"
(folder / "endless.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(endless)) + endless)
(folder / "huge.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)

(folder / "matrix.csv").write_text("time,x,\"y, z\"\r\n1,2.5,-3e2\r\n2,nan,4\r\n3,,inf\r\n")
expect("matrix.csv", [[1, 2.5, -300], [2, np.nan, 4], [3, np.nan, np.inf]])
(folder / "whole.tsv").write_text("1\t-2\n9007199254740993\t4\n\n")
expect("whole.tsv", np.array([[1, -2], [9007199254740993, 4]]))
(folder / "people.csv").write_text('name,age,size\n"Bob ""B"" Li",33,1.5\nÉva,41,\n')
expect("people.csv", np.array([('Bob "B" Li', 33, 1.5), ("Éva", 41, np.nan)], dtype=[("name", "U10"), ("age", "<i8"), ("size", "<f8")]))
(folder / "decimal.csv").write_text("zeit;wert\n1;2,5\n2;-3,75e1\n3;\n")
expect("decimal.csv", [[1, 2.5], [2, -37.5], [3, np.nan]])
np.savetxt(folder / "saved.csv", grid[:4, :2], delimiter=",", header="made by NumPy\ntime,x")
expect("saved.csv", np.loadtxt(folder / "saved.csv", delimiter=","))
(folder / "header.csv").write_text("a,b,c\n")
expect("header.csv", np.zeros((0, 3), "<i8"))
(folder / "old.csv").write_bytes("name,size\rMüller,1\rLi,2\r".encode("latin-1"))
expect("old.csv", np.array([("Müller", 1), ("Li", 2)], dtype=[("name", "U6"), ("size", "<i8")]))
(folder / "wide.csv").write_bytes("a\tb\n1\t2\n3\t4\n".encode("utf-16"))
expect("wide.csv", [[1, 2], [3, 4]])
(folder / "ragged.csv").write_text("a,b\n1,2\n3\n")

deep = RANDOM.integers(0, 65536, (17, 21), dtype="u2")
png("grey16.png", deep, 0, 16)
png("colours16.png", RANDOM.integers(0, 65536, (9, 11, 3), dtype="u2"), 2, 16)
png("grey2.png", RANDOM.integers(0, 4, (7, 13), dtype="u1"), 0, 2)
png("alpha.png", RANDOM.integers(0, 256, (8, 6, 4), dtype="u1"), 6, 8)
png("palette.png", RANDOM.integers(0, 5, (9, 7), dtype="u1"), 3, 4, palette=RANDOM.integers(0, 256, (5, 3), dtype="u1"))
clear = RANDOM.integers(0, 256, (5, 4), dtype="u1")
png("clear.png", RANDOM.integers(0, 5, (9, 7), dtype="u1"), 3, 8, palette=clear)
png("grey-alpha.png", RANDOM.integers(0, 65536, (6, 7, 2), dtype="u2"), 4, 16)
wide = bytearray((folder / "grey16.png").read_bytes())
wide[16:24] = struct.pack(">II", 100_000, 100_000)
(folder / "wide.png").write_bytes(wide)
(folder / "cut.png").write_bytes((folder / "grey16.png").read_bytes()[:300])
tiff("stack.tif", np.arange(3 * 10 * 12, dtype="u2").reshape(3, 10, 12) * 150, deflated=True)
hyper = "ImageJ=1.54f\nimages=12\nchannels=2\nslices=3\nframes=2\nhyperstack=true\nunit=\\u00B5m\nspacing=2.5\nfinterval=30\n"
tiff("hyper.tif", np.arange(12 * 10 * 12, dtype="u2").reshape(12, 10, 12), text=hyper, resolution=(4, 1))
expect("hyper.tif", np.arange(12 * 10 * 12, dtype="u2").reshape(2, 3, 2, 10, 12))
tiff("signed.tif", (np.arange(10 * 12, dtype="i2").reshape(1, 10, 12) - 60) * 300, order=">")
tiff("floats.tif", [grid])
tiff("colours.tif", RANDOM.integers(0, 256, (1, 9, 8, 3), dtype="u1"))
plane = RANDOM.integers(0, 65536, (1, 37, 50), dtype="u2")
tiff("tiled.tif", plane, tile=16, deflated=True)
tiff("planar.tif", RANDOM.integers(0, 256, (1, 37, 50, 3), dtype="u1"), planar=True)
tiff("planar-tiles.tif", RANDOM.integers(0, 256, (1, 37, 50, 3), dtype="u1"), planar=True, tile=32)
tiff("huge.tif", np.concatenate([plane, plane + 1]), order=">", big=True)
tiff("labels.tif", np.arange(30, dtype="u4").reshape(1, 5, 6) * 100_000_000, deflated=True)
circle = bytearray((folder / "stack.tif").read_bytes())
circle[-4:] = circle[4:8]
(folder / "circle.tif").write_bytes(circle)
(folder / "cut.tif").write_bytes((folder / "stack.tif").read_bytes()[:60])

(folder / "expected.json").write_text(json.dumps(expected))
