"""Writes operands of random expressions with NumPy's values of these, and lazy arrays of python-blosc2 with its own values, to a folder."""

import json
import random
import sys
import warnings
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "interop"))
import expressions
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
cases, lazy = [], []


def expected(name, items):
    """The description of values, which a file has."""
    items = np.asarray(items)
    (folder / name).write_bytes(np.ascontiguousarray(items.astype(items.dtype.newbyteorder("<"))).tobytes())
    return {"file": name, "dtype": items.dtype.newbyteorder("<").str, "shape": items.shape}


def random_case(number):
    rng = random.Random(f"js {number}")
    operands = {name: expressions.values(rng, rng.choice(expressions.TYPES), shape) for name, shape in zip("abc", expressions.shapes(rng))}
    text = expressions.outer(rng)
    # Where NumPy takes scalars for other than arrays, and where it loses digits, is compared elsewhere.
    if not all(items.ndim for items in operands.values()) or "where(" in text or text.startswith(tuple(expressions.ROUNDED_REDUCTIONS)):
        return
    try:
        items = eval(text, dict(expressions.NAMESPACE), operands)
    except (OverflowError, ValueError, TypeError, ZeroDivisionError):
        return
    if not isinstance(items, (np.ndarray, np.generic)):
        return
    for name, array in operands.items():
        expressions.stored(rng, array, folder / f"{number}{name}.b2nd")
    part = [[rng.randint(0, 3), rng.choice([1, 2])] for _ in range(items.ndim)]
    selected = items[tuple(slice(start, None, step) for start, step in part)]
    rounding = expressions.TOLERANCES.get(items.dtype.name, 0)
    cases.append(
        {
            "text": text,
            "operands": {name: f"{number}{name}.b2nd" for name in operands},
            "whole": expected(f"{number}.bin", items),
            "part": part,
            "selected": expected(f"{number}.part.bin", selected),
            "rounding": rounding,
        }
    )


def large():
    """More items than are computed at once, of which most have no chunks of their own."""
    items = np.zeros((3000, 700), "<f4")
    items[1000:1100] = np.arange(70_000, dtype="<f4").reshape(100, 700)
    blosc2.asarray(items, urlpath=str(folder / "large.b2nd"), mode="w", chunks=(100, 700), blocks=(20, 350))
    for number, text in enumerate(["a * 2 + 1", "a - mean(a, axis=0, keepdims=True)", "sum(a, axis=1)", "max(a)"]):
        values = eval(text, dict(expressions.NAMESPACE), {"a": items.astype("<f8")}).astype("<f4")
        case = {"text": text, "operands": {"a": "large.b2nd"}, "part": [[3, 2]] * values.ndim, "rounding": 1e-4}
        selected = values[(slice(3, None, 2),) * values.ndim]
        cases.append({**case, "whole": expected(f"large{number}.bin", values), "selected": expected(f"large{number}.part.bin", selected)})


def lazy_case(number, text):
    rng = random.Random(f"js lazy {number}")
    numbers = np.random.default_rng(number)
    arrays = {"a": numbers.random((20, 13)), "b": numbers.integers(0, 9, (20, 13)), "c": numbers.random(13).astype("f4")}
    below = folder / f"lazy{number}"
    below.mkdir()
    for name, items in arrays.items():
        expressions.stored(rng, items, below / f"{name}.b2nd")
    opened = {name: blosc2.open(str(below / f"{name}.b2nd"), mode="r") for name in arrays if name in text}
    array = blosc2.lazyexpr(text, opened)
    array.save(urlpath=str(below / "lazy.b2nd"))
    lazy.append({"text": text, "path": f"lazy{number}/lazy.b2nd", **expected(f"lazy{number}.bin", array[:])})


def members():
    """Operands that are members of a store."""
    items = np.arange(60, dtype="<i4").reshape(6, 10)
    below = folder / "members"
    below.mkdir()
    with blosc2.DictStore(str(below / "store.b2z"), mode="w") as store:
        # Small members are in one frame, large ones in files of their own.
        store["/small"] = items
        store["/group/large"] = blosc2.asarray(items[::-1].copy(), cparams={"typesize": 4})
    store = blosc2.DictStore(str(below / "store.b2z"), mode="r")
    array = blosc2.lazyexpr("a * 2 + b", {"a": store["/small"], "b": store["/group/large"]})
    array.save(urlpath=str(below / "lazy.b2nd"))
    lazy.append({"text": "a * 2 + b", "path": "members/lazy.b2nd", **expected("members.bin", array[:])})


expressions.explicit.take_one_chunk()
warnings.simplefilter("ignore")
for number in range(150):
    random_case(number)
large()
for number, text in enumerate(expressions.LAZY):
    lazy_case(number, text)
members()
(folder / "cases.json").write_text(json.dumps({"cases": cases, "lazy": lazy}))
