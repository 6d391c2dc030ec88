"""Reads arrays that this package wrote with the reference: `written_arrays.py FOLDER`. For each case of cases.json it prints
what differs from the file NAME.plain, or null."""
import ast
import json
import sys
from pathlib import Path

import blosc2
import numpy as np

folder = Path(sys.argv[1])


def dtype_of(text):
    return np.dtype(ast.literal_eval(text)) if text[0] in "[{" else np.dtype(text)


def wrong(case):
    array = blosc2.open(str(folder / f"{case['name']}.b2nd"), mode="r")
    found = {
        "shape": list(array.shape),
        "chunks": list(array.chunks),
        "blocks": list(array.blocks),
        "meta": {name: array.schunk.meta[name] for name in array.schunk.meta.keys() if name != "b2nd"},
        "attrs": array.schunk.vlmeta.getall(),
    }
    for name, value in found.items():
        if name in case and value != case[name]:
            return f"{name} is {value}"
    if array.dtype != dtype_of(case["dtype"]):
        return f"dtype is {array.dtype}"
    return None if array[...].tobytes() == (folder / f"{case['name']}.plain").read_bytes() else "items"


print(json.dumps([wrong(case) for case in json.loads((folder / "cases.json").read_text())]))
