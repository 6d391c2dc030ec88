"""Parses the dtypes that tests/library/dtypes.rs built as python-blosc2 does, and compares them with those of NumPy."""

import ast
import json
import sys
from pathlib import Path

import numpy as np


def read(text):
    """As python-blosc2 does."""
    try:
        return np.dtype(text)
    except (ValueError, TypeError):
        return np.dtype(ast.literal_eval(text))


def layout(dtype):
    """All that `==` of dtypes may leave out."""
    fields = dtype.fields or {}
    within = [(name, layout(dtype[name]), fields[name][1:]) for name in dtype.names or ()]
    return dtype.str, dtype.shape, dtype.itemsize, dtype.isalignedstruct, dtype.base != dtype and layout(dtype.base), within


def wrong(case):
    ours, theirs = read(case["text"]), eval(case["numpy"], {"np": np})
    if ours != theirs or layout(ours) != layout(theirs) or case["itemsize"] != theirs.itemsize:
        return f"{case['text']} is {ours!r}, not {theirs!r}"
    if case["descr"] and not theirs.hasobject:
        described = np.lib.format.descr_to_dtype(ast.literal_eval(case["descr"]))
        flat = lambda dtype: np.lib.format.descr_to_dtype(np.lib.format.dtype_to_descr(dtype))
        if theirs.shape == () and described != flat(theirs):
            return f"{case['descr']} is {described!r}, not {flat(theirs)!r}"
    return None


def main():
    lines = (Path(sys.argv[1]) / "dtypes.jsonl").read_text(encoding="utf-8").splitlines()
    errors = [error for error in map(wrong, map(json.loads, lines)) if error]
    if errors or len(lines) < 40:
        sys.exit("\n".join([f"{len(errors)} of {len(lines)} dtypes differ", *errors]))
    print(f"NumPy understands {len(lines)} dtypes as they were built")


main()
