"""Records what every written file must decode to.

All writers use it, so it needs only the standard library, NumPy and Python 3.6. A writer records the data that it wrote;
`describe.py` adds the facts that the file itself contains (codec, filters, metalayers).
"""

import hashlib
import json
import os
import zlib

import numpy as np


def sha(data):
    return hashlib.sha256(bytes(data)).hexdigest()


def rng_for(name, seed=0):
    """The same numbers for the same file name on every NumPy."""
    return np.random.RandomState((zlib.crc32(name.encode()) + seed) & 0x7FFFFFFF)


def as_items(raw, shape, itemsize):
    """The bytes as an array of opaque items: copying those never loses padding."""
    return np.frombuffer(bytes(raw), dtype=np.dtype((np.void, itemsize))).reshape(shape)


def axis_text(rng, n):
    """One axis of a selection, as NumPy text."""
    kind = rng.randint(8)
    if n == 0 or kind == 0:
        return ":"
    lo = rng.randint(0, n)
    hi = rng.randint(lo + 1, n + 1)
    step = rng.randint(2, 5)
    if kind == 1:
        return str(lo)
    if kind == 2:
        return str(lo - n)
    if kind == 3:
        return "%d:%d" % (lo, hi)
    if kind == 4:
        return "%d:%d:%d" % (lo, hi, step)
    if kind == 5:
        return "%d:" % (lo - n)
    if kind == 6:
        return "%d:%s:-%d" % (hi - 1, "" if lo == 0 else str(lo - 1), rng.randint(1, 4))
    return "::%d" % step


def random_selections(rng, shape, count):
    """Up to `count` different selections of an array of this shape."""
    if len(shape) == 0:
        return ["..."]
    out = []
    for i in range(3 * count):
        axes = [axis_text(rng, n) for n in shape]
        cut = rng.randint(len(axes) + 1)
        if i % 3 == 2:  # an ellipsis in place of some of the last axes
            axes = axes[:cut] + ["..."]
        text = ", ".join(axes)
        if text not in out:
            out.append(text)
        if len(out) == count:
            break
    return out


def slice_lines(raw, shape, itemsize, texts):
    if not texts:
        return []
    items = as_items(raw, shape, itemsize)
    out = []
    for text in texts:
        part = eval("items[%s]" % text, {"items": items})
        out.append({"sel": text, "sha256": sha(np.ascontiguousarray(part).tobytes())})
    return out


class Recorder:
    """Collects the lines of one writer and puts them into `<folder>/lines.json`."""

    def __init__(self, root, folder, writer, slices=3, seed=0, keep_going=False):
        self.root, self.folder, self.writer = root, folder, writer
        self.slices, self.seed, self.keep_going = slices, seed, keep_going
        self.lines, self.failures = [], []
        if not os.path.isdir(os.path.join(root, folder)):
            os.makedirs(os.path.join(root, folder))

    def path(self, name):
        return os.path.join(self.root, self.folder, name)

    def _add(self, kind, name, extra):
        line = {
            "file": os.path.join(self.folder, name) if self.folder else name,
            "kind": kind,
            "writer": self.writer,
        }
        line.update((k, v) for k, v in extra.items() if v is not None)
        self.lines.append(line)
        return line

    def _values(self, line, name, raw, shape, itemsize, sels):
        line["nbytes"] = len(raw)
        line["sha256"] = sha(raw)
        if sels is None:
            sels = random_selections(rng_for(name, self.seed), shape, self.slices)
        line["slices"] = slice_lines(raw, shape, itemsize, sels)

    def array(self, name, data, sels=None, **extra):
        """`data`: the NumPy array in the byte order and layout it is stored in."""
        raw = np.ascontiguousarray(data).tobytes()
        self.array_bytes(name, raw, data.shape, data.dtype.itemsize, sels, **extra)

    def array_bytes(self, name, raw, shape, itemsize, sels=None, **extra):
        line = self._add("array", name, extra)
        line["shape"] = [int(n) for n in shape]
        self._values(line, name, raw, tuple(line["shape"]), itemsize, sels)

    def items(self, kind, name, raw, typesize, sels=None, **extra):
        """A super-chunk ("schunk") or a stand-alone chunk ("chunk")."""
        line = self._add(kind, name, extra)
        if len(raw) % typesize:
            sels = []
        self._values(line, name, raw, (len(raw) // typesize,), typesize, sels)

    def error(self, kind, name, error, **extra):
        self._add(kind, name, extra)["error"] = error

    def done(self, file="lines.json"):
        with open(self.path(file), "w") as out:
            json.dump({"lines": self.lines, "failures": self.failures}, out)
