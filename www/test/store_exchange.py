"""Changes an archive with the reference, and tells what it reads: `store_exchange.py PATH CHANGES`.

Changes are JSON: `["set", KEY, SHAPE]` with the numbers from 0, `["delete", KEY]`, `["attr", GROUP, NAME, VALUE]`. Then it prints the
members, each with its dtype, its shape and the SHA-256 of its items, and the attributes of the groups that `["read", GROUP]` names."""

import hashlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/golden"))

import explicit  # noqa: F401

import blosc2
import numpy as np

path, changes = sys.argv[1], json.loads(sys.argv[2])


def group_of(store, group):
    return store.get_subtree(group) if group else store


def put(store, key, shape):
    if key in store:
        del store[key]
    values = np.arange(np.prod(shape), dtype="<f8").reshape(shape)
    store[key] = blosc2.asarray(values, chunks=shape, blocks=shape)


if any(change[0] != "read" for change in changes):
    with blosc2.TreeStore(path, mode="a") as store:
        for kind, key, *more in changes:
            if kind == "set":
                put(store, key, more[0])
            elif kind == "delete":
                del store[key]
            elif kind == "attr":
                group_of(store, key).vlmeta[more[0]] = more[1]

with blosc2.TreeStore(path, mode="r") as store:
    members, attributes = {}, {}
    for key in store.keys():
        value = store[key]
        if isinstance(value, blosc2.NDArray):
            items = np.ascontiguousarray(value[()])
            members[key] = [value.dtype.str, list(value.shape), hashlib.sha256(items.tobytes()).hexdigest()]
    for kind, group, *_ in changes:
        if kind == "read":
            attributes[group] = dict(group_of(store, group).vlmeta[:])
    print(json.dumps({"members": members, "attributes": attributes}))
