"""Repeats in NumPy what tests/library/edits.rs did to its arrays, and compares the result with what the reference reads of the frames
that were saved on the way. At last the reference changes each array itself."""

import json
import shutil
import sys
from pathlib import Path

import blosc2
import numpy as np


class Array:
    """An array of bytes whose last axis is an item."""

    def __init__(self, shape, itemsize):
        self.itemsize = itemsize
        self.data = np.zeros([*shape, itemsize], np.uint8)

    def items(self, shape, start):
        count = int(np.prod(shape, dtype=np.int64))
        numbers = np.arange(start, start + count, dtype="<u4").reshape(-1, 1).view(np.uint8)
        repeats = -(-self.itemsize // 4)
        return np.tile(numbers, (1, repeats))[:, : self.itemsize].reshape([*shape, self.itemsize])

    def set(self, indices, start):
        shape = [len(axis) for axis in indices]
        self.data[np.ix_(*indices)] = self.items(shape, start)

    def fill(self, indices, start):
        self.data[np.ix_(*indices)] = self.items([1], start)[0]

    def resize(self, shape):
        new = np.zeros([*shape, self.itemsize], np.uint8)
        kept = tuple(slice(0, min(pair)) for pair in zip(shape, self.data.shape))
        new[kept] = self.data[kept]
        self.data = new

    def insert(self, axis, at, count, start):
        shape = list(self.data.shape[:-1])
        shape[axis] = count
        before, after = np.split(self.data, [at], axis)
        self.data = np.concatenate([before, self.items(shape, start), after], axis)

    def delete(self, axis, start, end):
        self.data = np.delete(self.data, slice(start, end), axis)


def compare(path, model, what):
    try:
        return difference(path, model, what)
    except (RuntimeError, ValueError) as error:
        return f"{what}: {error}"


def difference(path, model, what):
    array = blosc2.open(str(path), mode="r")
    if tuple(array.shape) != model.data.shape[:-1]:
        return f"{what}: the shape is {array.shape}, should be {model.data.shape[:-1]}"
    if array.size > 0 and array[...].tobytes() != model.data.tobytes():
        return f"{what}: other values"
    return None


def changed(path, model):
    """Lets the reference change the array."""
    array = blosc2.open(str(path), mode="a")
    shape = [length + 3 for length in model.data.shape[:-1]]
    if array.size == 0:
        return None
    array.resize(tuple(shape))
    array.schunk.vlmeta["reference"] = "was here"
    model.resize(shape)
    del array
    array = blosc2.open(str(path), mode="r")
    if array.schunk.vlmeta["reference"] != "was here":
        return "the reference cannot change it: no metalayer"
    return compare(path, model, "after the reference's changes")


def run(folder):
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    first, frame = steps[0], None
    model = Array(first["shape"], first["itemsize"])
    for number, step in enumerate(steps[1:], 1):
        what = step.pop("do")
        if what != "compare":
            getattr(model, what)(**step)
            continue
        frame = folder / step["frame"]
        if wrong := compare(frame, model, f"{folder.name}, step {number}"):
            return wrong
    own = folder / "own.b2nd"
    (shutil.copytree if frame.is_dir() else shutil.copy)(frame, own)
    wrong = changed(own, model)
    return wrong and f"{folder.name}: {wrong}"


def chunks(lengths):
    """Compares the chunks of a super-chunk."""
    plain, start = lengths.with_suffix(".plain").read_bytes(), 0
    try:
        schunk = blosc2.open(str(lengths.with_suffix(".b2frame")), mode="r")
        for number, length in enumerate(json.loads(lengths.read_text())):
            if bytes(schunk.decompress_chunk(number)) != plain[start : start + length]:
                return f"{lengths.name}: chunk {number}"
            start += length
    except (RuntimeError, ValueError) as error:
        return f"{lengths.name}: {error}"
    return None if schunk.nbytes == start else f"{lengths.name}: {schunk.nbytes} bytes"


written = Path(sys.argv[1])
folders, frames = sorted(written.glob("edits-*")), sorted(written.glob("schunk-*.json"))
failures = [wrong for folder in folders if (wrong := run(folder))]
failures += [wrong for frame in frames if (wrong := chunks(frame))]
print("\n".join(failures))
count = len(folders) + len(frames)
sys.exit(f"{len(failures)} of {count} differ" if failures or not folders or not frames else 0)
