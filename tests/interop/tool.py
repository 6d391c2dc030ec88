"""Has the tool make and change arrays from files that NumPy wrote, and reads them with the reference.

    tool.py TOOL FOLDER
"""

import itertools
import subprocess
import sys
from pathlib import Path

import blosc2
import numpy as np

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])


def tool(*arguments, given=None):
    done = subprocess.run([TOOL, *map(str, arguments)], input=given, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr.decode()}")
    return done.stdout


def arrays():
    """Of every kind of dtype, in both orders."""
    random = np.random.default_rng(1)
    numbers = random.integers(0, 1000, (30, 40, 7))
    for name in ["i1", "u1", "i2", ">i2", "u4", "i8", ">u8", "f2", "f4", ">f4", "f8", "c8", "c16", ">c16", "bool", "longdouble"]:
        yield name, (numbers % 100).astype(name)
    yield "fortran", np.asfortranarray(random.normal(size=(33, 44, 5)).astype("f4"))
    yield "fortran-big", np.asfortranarray(numbers.astype(">i4"))
    yield "scalar", np.array(5.5)
    yield "empty", np.zeros((0, 4), "i8")
    yield "bytes", np.array([[b"a", b"bcd"], [b"", b"e\xff"]])
    yield "text", np.array([["a", "bcd"], ["é", ""]])
    yield "dates", np.array(["2000-01-01", "NaT"], dtype="M8[25s]")
    yield "durations", np.arange(9).astype("m8[ns]")
    yield "record", np.array([(1, 2.5, b"x"), (3, 4.5, b"yz")], dtype=[("a", "i4"), ("b", ">f8"), ("c", "S3")])
    yield "nested", np.zeros((2, 3), dtype=[("名", "i2"), ("in", [("x", "f4", (2, 2)), (("a title", "y"), "u1")])])
    aligned = np.zeros(5, dtype=np.dtype([("a", "u1"), ("b", "<f8")], align=True))
    aligned["b"] = np.arange(5)
    yield "aligned", aligned


def same(path, array):
    there = blosc2.open(str(path), mode="r")
    values = there[()] if array.shape == () else there[...]
    values = np.asarray(values)
    if (values.dtype, values.shape) != (array.dtype, array.shape):
        return f"{path}: {values.dtype} {values.shape}, not {array.dtype} {array.shape}"
    equal = values.tobytes() == array.tobytes() if not array.dtype.names else (values == array).all()
    return None if equal else f"{path}: other values"


def made():
    """Each array from a file and through a pipe, contiguous and sparse, in the forms that the options give."""
    options = [[], ["--sparse", "--codec", "lz4"], ["--codec", "zlib", "--filters", "bitshuffle", "--clevel", "9"], ["--filters", "auto"], ["--codec", "auto", "--goal", "ratio"]]
    versions = itertools.cycle([(1, 0), (2, 0), (3, 0)])
    for number, (name, array) in enumerate(arrays()):
        source = FOLDER / f"{name}.npy"
        with source.open("wb") as file:
            version = (3, 0) if name == "nested" else next(versions)
            np.lib.format.write_array(file, array, version=version)
        for pipe in [False, True]:
            path = FOLDER / f"{name}-{pipe}.b2nd"
            choice = options[(2 * number + pipe) % len(options)]
            if pipe:
                tool("create", "-", path, *choice, given=source.read_bytes())
            else:
                tool("create", source, path, *choice)
            yield same(path, array)


def changed():
    """One array, changed step by step beside NumPy."""
    random = np.random.default_rng(2)
    array = random.normal(size=(50, 60, 7)).astype("f4")
    part, path = FOLDER / "part.npy", FOLDER / "changed.b2nd"
    np.save(part, array)
    meta = ["--metalayer", 'grid={"x": [1, 2.5]}', "--attr", 'units="K"']
    tool("create", part, path, "--chunks", "20,30,7", "--blocks", "5,10,7", *meta)
    array[0:10, :, 3] = 1
    np.save(part, np.ones((10, 60), "f4"))
    tool("set", path, "0:10, :, 3", part)
    array[-1, ::7] = -3.5
    tool("set", path, "-1, ::7", "--value", "-3.5")
    array[1:3, 2:4, 0] = [[1, 2], [3, 4]]
    tool("set", path, "1:3, 2:4, 0", "-", "--from", "csv", given=b"1,2\n3,4\n")
    yield same(path, array)
    larger = np.full((45, 61, 7), 9, "f4")
    larger[:, :60] = array[:45]
    tool("resize", path, "45,61,7", "--fill", "9")
    yield same(path, larger)
    more = random.normal(size=(45, 3, 7)).astype("f4")
    np.save(part, np.asfortranarray(more))
    tool("append", path, part, "--axis", "1")
    array = np.concatenate([larger, more], 1)
    yield same(path, array)
    more = random.normal(size=(2, 64, 7)).astype("f4")
    tool("append", path, "-", given=more.tobytes())
    array = np.concatenate([array, more])
    yield same(path, array)
    tool("attrs", path, "set", "more", '[1, null, "é"]')
    tool("attrs", path, "set", "grid", '{"x": [1, 2.5, 3]}', "--metalayers")
    tool("attrs", path, "rm", "units")
    tool("compact", path)
    for copy in [path, FOLDER / "copy.b2nd"]:
        # The metalayers live as long as the array.
        there = blosc2.open(str(copy), mode="r")
        told = there.schunk.meta["grid"], there.schunk.vlmeta["more"], list(there.schunk.vlmeta)
        yield None if told == ({"x": [1, 2.5, 3]}, [1, None, "é"], ["more"]) else f"{copy}: metalayers {told}"
        yield same(copy, array)
        tool("repack", path, FOLDER / "copy.b2nd", "--codec", "blosclz", "--chunks", "11,13,7")


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = [*made(), *changed()]
    errors = [result for result in results if result]
    if errors:
        sys.exit("\n".join([f"{len(errors)} of {len(results)} are wrong", *errors]))
    print(f"the reference reads {len(results)} arrays that the tool made or changed")


main()
