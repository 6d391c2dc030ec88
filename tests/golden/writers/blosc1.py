"""Stand-alone Blosc1 chunks by the `blosc` or the `numcodecs` package, whichever is there.

    blosc1.py OUT_DIR

Uses only functions that all releases since 2014 have.
"""

import sys

import numpy as np

import patterns
from record import Recorder

SIZES = [4, 8, 2, 1, 16, 17, 3, 24, 12, 33, 5, 255, 6, 7, 31]
BLOCKS = [0, 1024, 640, 2048, 300, 4096]
FILTERS = ["none", "shuf", "bits"]


class PythonBlosc:
    def __init__(self):
        import blosc

        self.blosc = blosc
        self.name = "blosc-" + blosc.__version__
        self.codecs = (
            [c if isinstance(c, str) else c.decode() for c in blosc.compressor_list()]
            if hasattr(blosc, "compressor_list")
            else ["blosclz"]
        )
        self.bitshuffle = hasattr(blosc, "BITSHUFFLE")
        self.version = str(blosc.blosclib_version).split(" ")[0]
        blosc.set_nthreads(1)

    def compress(self, raw, size, level, filter, codec, block):
        if hasattr(self.blosc, "set_blocksize"):
            self.blosc.set_blocksize(block)
        more = {"cname": codec} if codec != "blosclz" else {}
        return self.blosc.compress(raw, size, level, FILTERS.index(filter), **more)

    def decompress(self, chunk):
        return self.blosc.decompress(chunk)


class Numcodecs:
    def __init__(self):
        import numcodecs
        from numcodecs import blosc

        self.blosc = blosc
        self.name = "numcodecs-" + numcodecs.__version__
        self.codecs = [c if isinstance(c, str) else c.decode() for c in blosc.list_compressors()]
        self.bitshuffle = True
        self.version = (
            blosc.VERSION_STRING if isinstance(blosc.VERSION_STRING, str) else blosc.VERSION_STRING.decode()
        )
        blosc.use_threads = False

    def compress(self, raw, size, level, filter, codec, block):
        items = np.frombuffer(raw, np.dtype((np.void, size)) if len(raw) % size == 0 else np.uint8)
        return bytes(self.blosc.Blosc(codec, level, FILTERS.index(filter), block).encode(items))

    def decompress(self, chunk):
        return bytes(self.blosc.decompress(chunk))


def writer():
    try:
        return PythonBlosc()
    except ImportError:
        return Numcodecs()


def main():
    lib = writer()
    rec = Recorder(
        sys.argv[1], lib.name, "%s (C-Blosc %s)" % (lib.name.replace("-", " "), lib.version), slices=2
    )
    number = int(lib.version.split(".")[1])  # another start for each release
    for codec in lib.codecs:
        for filter in FILTERS if lib.bitshuffle else FILTERS[:2]:
            for turn in range(3 if filter == "shuf" else 1):
                number += 1
                if number % 2 and codec != "snappy":
                    continue
                size = SIZES[number * 2 % len(SIZES)]
                kind = patterns.KINDS[number * 3 % 5]
                raw = patterns.items(kind, 3000 // size + 5, size, codec)
                name = "%s-%s-t%d-%s-b%d" % (codec, filter, size, kind, BLOCKS[number % 6])
                save(rec, lib, name, raw, size, [5, 1, 9, 3][number % 4], filter, codec, BLOCKS[number % 6])
    save(rec, lib, "wide-split", patterns.items("runs", 200, 24), 24, 9, "shuf", "blosclz", 0)
    save(rec, lib, "small-blocks", patterns.items("walk", 400, 8), 8, 9, "shuf", "blosclz", 256)
    save(rec, lib, "noise", patterns.items("random", 300, 4), 4, 5, "shuf", "blosclz", 0)
    save(
        rec,
        lib,
        "half-noise",
        patterns.items("random", 512, 2) + patterns.items("ramp", 512, 2),
        2,
        5,
        "shuf",
        "blosclz",
        512,
    )
    save(rec, lib, "level0", patterns.items("ramp", 90, 4), 4, 0, "shuf", "blosclz", 0)
    save(rec, lib, "short", patterns.items("ramp", 30, 4), 4, 5, "shuf", "blosclz", 0)
    save(rec, lib, "odd-length", patterns.items("ramp", 700, 4) + b"@AB", 4, 5, "shuf", "blosclz", 0)
    save(rec, lib, "zeros", bytes(3000), 8, 5, "shuf", "blosclz", 0)
    if lib.bitshuffle and int(lib.version.split(".")[1]) >= 18:
        save(rec, lib, "odd-length-bits", patterns.items("ramp", 700, 4) + b"@AB", 4, 5, "bits", "blosclz", 0)
        save(rec, lib, "odd-count-bits", patterns.items("ramp", 701, 4), 4, 5, "bits", "blosclz", 0)
    rec.done()


def save(rec, lib, name, raw, size, level, filter, codec, block):
    try:
        chunk = lib.compress(raw, size, level, filter, codec, block)
    except Exception as failure:
        rec.failures.append("%s %s: %s" % (lib.name, name, failure))
        return
    if lib.decompress(chunk) != raw:
        rec.failures.append("%s %s: reads back differently" % (lib.name, name))
        return
    with open(rec.path(name + ".chunk"), "wb") as out:
        out.write(chunk)
    size = bytearray(chunk)[3]
    rec.items("chunk", name + ".chunk", raw, size)


main()
