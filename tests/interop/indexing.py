"""Random arrays by the reference, and what NumPy takes of them by random selections: `indexing.jsonl` has the SHA-256 of each result.

    indexing.py OUT_DIR --count N --items MOST

Each line is an array with its cases. A case changes the array into a view, takes a selection, and then orders the axes of
the result. In a selection a number drops its axis, a text is a slice, a list has positions along an axis, and an
object has a mask or points.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import explicit  # noqa: F401
import blosc2
import numpy as np

import patterns
from choices import Draw, compression, limits
from reference import read_array

DTYPES = ["|b1", "|u1", "<i2", "<i4", "<u8", "<f4", "<f8", ">i4", "<c8", "|S5", "<U3", "<M8[s]", [("a", "<i4"), ("b", "<f8")]]


def position(draw, length):
    return draw.between(-length, length - 1)


def index(draw, length):
    """An index of one axis."""
    kind = draw.pick(["all", "at", "slice", "slice", "list", "list", "sorted", "even", "mask"])
    if kind == "at":
        return position(draw, length)
    if kind == "slice":
        bounds = [draw.between(-length - 2, length + 2) if draw.chance(60) else None for _ in range(2)]
        return slice(*bounds, draw.pick([None, 1, 2, 3, -1, -2, -5]))
    if kind == "mask":
        return draw.rng.uniform(size=length) < draw.pick([0.1, 0.5, 0.9])
    positions = [position(draw, length) for _ in range(draw.between(0, 9))]
    if kind == "sorted":
        positions.sort(key=lambda at: at % length)
    if kind == "even":
        positions = list(range(0, length, draw.between(1, 3)))[:: draw.pick([1, -1])]
    return slice(None) if kind == "all" else np.array(positions, np.int64)


def joined(draw, lengths):
    """Points in several axes, one array for each; or a mask of these axes."""
    if draw.chance(50):
        return draw.rng.uniform(size=lengths) < draw.pick([0.02, 0.3, 0.9])
    count = draw.between(0, 30)
    return tuple(np.array([position(draw, length) for _ in range(count)], np.int64) for length in lengths)


def changes(draw, array):
    """Changes of axes, and the changed array."""
    done = []
    for _ in range(draw.below(4)):
        kind = draw.pick(["transpose", "flip", "squeeze", "expand_dims"])
        if kind == "transpose":
            argument = [int(axis) for axis in draw.rng.permutation(array.ndim)]
            array = np.transpose(array, argument)
        elif kind == "squeeze":
            argument = None
            array = np.squeeze(array)
        elif kind == "flip" and array.ndim:
            argument = draw.below(array.ndim)
            array = np.flip(array, argument)
        elif kind == "expand_dims" and array.ndim < 6:
            argument = draw.below(array.ndim + 1)
            array = np.expand_dims(array, argument)
        else:
            continue
        done.append([kind, argument])
    return done, array


def width(index):
    """How many axes an index takes."""
    return len(index) if isinstance(index, tuple) else index.ndim if isinstance(index, np.ndarray) else 1


def take(array, selection):
    """One index at a time, from the last to the first, so that they are independent of each other."""
    axis, result = array.ndim, array
    for index in reversed(selection):
        axis -= width(index)
        of_axes = index if isinstance(index, tuple) else (index,)
        # With an ellipsis a single item is an array, too: scalars lose the byte order and zeros at the end.
        result = result[(slice(None),) * axis + of_axes + (...,)]
    assert axis == 0
    if selection and all(isinstance(index, np.ndarray) and index.ndim == 1 for index in selection):
        assert np.array_equal(result.tobytes(), array[np.ix_(*selection)].tobytes())
    return result


def told(index):
    """An index as JSON."""
    if isinstance(index, slice):
        start, stop, step = ("" if bound is None else str(bound) for bound in (index.start, index.stop, index.step))
        return "%s:%s:%s" % (start, stop, step) if step else "%s:%s" % (start, stop)
    if isinstance(index, tuple):
        return {"axes": len(index), "points": np.stack(index, 1).ravel().tolist()}
    if isinstance(index, np.ndarray) and index.dtype == bool:
        return {"shape": index.shape, "mask": np.packbits(index).tobytes().hex()}
    return index.tolist() if isinstance(index, np.ndarray) else index


def shortened(draw, selection):
    """Without some axes that are taken whole: the last ones, or those for which an ellipsis stands."""
    whole = [index == ":" for index in selection]
    if draw.chance(50):
        while whole and whole.pop():
            selection = selection[:-1]
    elif draw.chance(50) and True in whole:
        at = whole.index(True)
        end = whole.index(False, at) if False in whole[at:] else len(whole)
        selection = selection[:at] + ["..."] + selection[end:]
    return selection


def case(draw, array):
    done = []
    if draw.chance(30):
        lengths, first = array.shape, draw.below(array.ndim)
        last = array.ndim if draw.chance(40) else draw.between(first + 1, array.ndim)
        first = 0 if draw.chance(60) else first
        selection = [index(draw, n) for n in lengths[:first]]
        selection.append(joined(draw, lengths[first:last]))
        selection += [index(draw, n) for n in lengths[last:]]
    else:
        done, array = changes(draw, array)
        selection = [index(draw, length) for length in array.shape]
    result = take(array, selection)
    facts = {"changes": done, "selection": shortened(draw, [told(one) for one in selection])}
    if draw.chance(20):
        facts["order"] = [int(axis) for axis in draw.rng.permutation(result.ndim)]
        result = result.transpose(facts["order"])
    if draw.chance(10):
        facts["squeeze"] = True
        result = np.squeeze(result)
    return dict(facts, shape=result.shape, sha256=hashlib.sha256(result.tobytes()).hexdigest())


def write(path, draw, most, cases):
    dtype = np.dtype(draw.pick(DTYPES))
    ndim = draw.between(1, 5)
    top = max(int(most ** (1 / ndim)), 1)
    shape = tuple(draw.between(max(top // 2, 1), top) for _ in range(ndim))
    if draw.chance(30):
        shape = tuple(1 if axis == draw.below(ndim) else length for axis, length in enumerate(shape))
    array = patterns.values(dtype, shape, str(draw.below(10**6)))
    chunks, blocks = limits(shape, draw)
    chunks = tuple(min(pair) for pair in zip(chunks, shape))
    blocks = tuple(min(pair) for pair in zip(blocks, chunks))
    exact = False
    while not exact:
        cparams, exact = compression(draw, dtype.itemsize, dtype.kind, blocks)
    path.unlink(missing_ok=True)
    blosc2.asarray(array, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=str(path), dparams={"nthreads": 1})
    # What is stored: the reference must not have changed the values.
    assert read_array(str(path)).tobytes() == array.tobytes(), path
    return {"path": path.name, "dtype": dtype.str, "cases": [case(draw, array) for _ in range(cases)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--items", type=int, default=8000)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "indexing.jsonl", "w") as out:
        for number in range(args.count):
            facts = write(args.out / ("%03d.b2nd" % number), Draw(29, number), args.items, args.cases)
            out.write(json.dumps(facts, separators=(",", ":")) + "\n")


main()
