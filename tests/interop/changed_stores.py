"""Changes stores in turn with the tool and with the reference, and compares after each round what both read.

python changed_stores.py TOOL FOLDER [--count N] [--rounds N] [--seed N]
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit  # noqa: F401

import blosc2
import numpy as np

EXTENSIONS = ["b2z", "b2d", "b2e"]
DTYPES = ["f8", "<f4", "i2", "u1", "?", "c8", ">i4", "<U3", "S5", "<M8[s]"]
NAMES = ["a", "b", "image", "täg", "with space", "x.y", "deep/er", "group/image", "group/labels", "group/sub/z"]


def one_chunk(values, **options):
    """One chunk of one block: the reference must not choose by the processor."""
    shape = [max(length, 1) for length in values.shape]
    return blosc2.asarray(values, chunks=shape, blocks=shape, **options)


class Round:
    """A store, what it must have, and how it changes."""

    def __init__(self, tool, path, rng):
        self.tool, self.path, self.rng = tool, path, rng
        self.members = {}
        self.attributes = {}
        self.spare = path.parent / "spare"
        self.is_frame = path.suffix == ".b2e"

    def run(self, *words, text=None):
        done = subprocess.run([self.tool, *map(str, words)], input=text, capture_output=True)
        assert done.returncode == 0, (words, done.stderr.decode())
        return done.stdout

    def open(self):
        kind = blosc2.EmbedStore if self.is_frame else blosc2.TreeStore
        return kind(str(self.path), mode="a" if self.path.exists() else "w")

    # What can be there

    def key(self):
        """A key that has nothing above or below it."""
        key = "/" + self.rng.choice(NAMES)
        taken = [other for other in self.members if other.startswith(key + "/") or key.startswith(other + "/")]
        return None if taken else key

    def values(self):
        shape = [self.rng.choice([0, 1, 3, 7, 40]) for _ in range(self.rng.randint(1, 3))]
        dtype = np.dtype(self.rng.choice(DTYPES))
        count = int(np.prod(shape))
        source = np.random.default_rng(self.rng.randrange(2**32)).integers(0, 100, count)
        return source.astype(dtype).reshape(shape)

    def frame(self):
        """A frame in a file, and what it has."""
        kind = self.rng.choice(["array", "schunk", "objects"])
        shutil.rmtree(self.spare, ignore_errors=True)
        self.spare.mkdir()
        path = str(self.spare / "x.b2frame")
        if kind == "array":
            values = self.values()
            one_chunk(values, urlpath=path, mode="w")
            return path, values
        if kind == "schunk":
            plain = self.rng.randbytes(self.rng.choice([1, 100, 30_000]))
            blosc2.SChunk(chunksize=7000, data=plain, urlpath=path, mode="w", cparams={"typesize": 1})
            return path, plain
        objects = [{"n": n, "text": "x" * n} for n in range(self.rng.randint(1, 20))]
        array = blosc2.ObjectArray(urlpath=path, mode="w")
        for item in objects:
            array.append(item)
        return path, objects

    # Changes by the tool

    def tool_create(self):
        if key := self.key():
            values = self.values()
            np.save(self.path.parent / "values.npy", values)
            self.run("create", self.path.parent / "values.npy", f"{self.path}{key}")
            self.members[key] = values

    def tool_add(self):
        if key := self.key():
            path, value = self.frame()
            self.run("add", self.path, key, path)
            self.members[key] = value

    def tool_rm(self):
        if self.members:
            key = self.rng.choice(sorted(self.members))
            self.run("rm", self.path, key)
            del self.members[key]

    def tool_mv(self):
        to = self.key()
        if self.members and to and to not in self.members:
            key = self.rng.choice(sorted(self.members))
            if not to.startswith(key + "/"):
                self.run("mv", self.path, key, to)
                self.members[to] = self.members.pop(key)

    def tool_move_group(self):
        inside = [key for key in self.members if key.startswith("/group/")]
        if inside and not any(key.startswith("/moved") for key in [*self.members, *self.attributes]):
            self.run("mv", self.path, "/group", "/moved")
            for key in inside:
                self.members["/moved" + key[6:]] = self.members.pop(key)
            if "/group" in self.attributes:
                self.attributes["/moved"] = self.attributes.pop("/group")

    def tool_append(self):
        arrays = [key for key, value in self.members.items() if isinstance(value, np.ndarray) and value.ndim]
        if arrays:
            key = self.rng.choice(sorted(arrays))
            more = self.members[key][:2]
            np.save(self.path.parent / "values.npy", more)
            self.run("append", f"{self.path}{key}", self.path.parent / "values.npy")
            self.members[key] = np.concatenate([self.members[key], more], dtype=more.dtype)

    def tool_attrs(self):
        group = "/group" if any(key.startswith("/group/") for key in self.members) else ""
        if not self.is_frame and self.path.exists():
            value = self.rng.choice([1, "text", [1, 2], {"a": None}])
            self.run("attrs", f"{self.path}{group}", "set", "name", json.dumps(value))
            self.attributes.setdefault(group, {})["name"] = value

    def tool_compact(self):
        if self.path.exists():
            self.run("compact", self.path)

    # Changes by the reference

    def reference_add(self):
        if key := self.key():
            value = self.values()
            with self.open_to_write() as store:
                if key in store:
                    del store[key]
                store[key] = one_chunk(value)
            self.members[key] = value

    def reference_rm(self):
        if self.members:
            key = self.rng.choice(sorted(self.members))
            with self.open_to_write() as store:
                del store[key]
            del self.members[key]

    def reference_attrs(self):
        if not self.is_frame:
            with self.open_to_write() as store:
                store.vlmeta["by"] = "reference"
            self.attributes.setdefault("", {})["by"] = "reference"

    def open_to_write(self):
        return Closing(self.open())

    # Comparison

    def compare(self):
        if not self.path.exists():
            return
        self.run("verify", self.path)
        listed = {row["key"] for row in json.loads(self.run("ls", "--json", self.path))}
        hidden = {key for key in listed if key.endswith("/__vlmeta__")}
        assert listed - hidden == set(self.members), (listed, set(self.members))
        with self.open_to_write() as store:
            for key, value in self.members.items():
                found = store[key]
                if isinstance(value, np.ndarray):
                    np.testing.assert_array_equal(found[()] if value.ndim == 0 else found[:], value)
                    assert self.run("get", f"{self.path}{key}", "-f", "raw") == value.tobytes(), key
                elif isinstance(value, bytes):
                    assert bytes(found[:]) == value, key
                    assert self.run("get", f"{self.path}{key}", "-f", "raw") == value, key
                else:
                    assert list(found[:]) == value, key
            if not self.is_frame:
                for group, values in self.attributes.items():
                    of = store.get_subtree(group) if group else store
                    if group and not any(key.startswith(group + "/") for key in self.members):
                        continue
                    assert dict(of.vlmeta[:]) == values, (group, dict(of.vlmeta[:]), values)
                    assert json.loads(self.run("attrs", f"{self.path}{group}")) == values, group
        left = [path.name for path in self.path.parent.iterdir() if ".tmp" in path.name]
        assert not left, left


class Closing:
    """Closes a store if it can be closed."""

    def __init__(self, store):
        self.store = store

    def __enter__(self):
        return self.store

    def __exit__(self, *_):
        getattr(self.store, "close", lambda: None)()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=18)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()
    changes = 0
    for number in range(options.count):
        rng = random.Random(f"{options.seed} {number}")
        folder = options.folder / f"{number:03}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        store = Round(options.tool, folder / f"store.{EXTENSIONS[number % 3]}", rng)
        names = [name for name in dir(store) if name.startswith(("tool_", "reference_"))]
        history = []
        try:
            for _ in range(options.rounds):
                for name in rng.choices(names, k=3):
                    history.append(name)
                    getattr(store, name)()
                    changes += 1
                store.compare()
        except BaseException:
            print(store.path, history)
            raise
        shutil.rmtree(folder)
    print(f"{options.count} stores are what {changes} changes made of them")


if __name__ == "__main__":
    main()
