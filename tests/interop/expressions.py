"""Evaluates random expressions with the tool and with NumPy, and lazy arrays with the tool and with the reference.

python expressions.py TOOL FOLDER [--count N] [--lazy N] [--seed N]
"""

import argparse
import random
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit

import blosc2
import numpy as np

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", ">i4", ">f8"]
BINARY = ["+", "-", "*", "/", "//", "%", "&", "|", "^", "<<", ">>", "** 2 +"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
EXACT = ["abs", "sign", "square", "floor", "ceil", "trunc", "sqrt", "negative", "isnan", "isinf", "isfinite", "signbit", "logical_not", "rint"]
EXACT_OF_TWO = ["minimum", "maximum", "logical_and", "logical_or", "logical_xor", "copysign", "equal", "less"]
ROUNDED = ["exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "cbrt", "exp2"]
ROUNDED_OF_TWO = ["arctan2", "hypot", "logaddexp", "power"]
MOMENTS = ["var", "std", "nanvar", "nanstd"]
ROUNDED_REDUCTIONS = ["sum", "prod", "mean", "nansum", "nanprod", "nanmean", *MOMENTS]
REDUCTIONS = [*ROUNDED_REDUCTIONS, "min", "max", "nanmin", "nanmax", "any", "all"]
NAMESPACE = {name: getattr(np, name) for name in [*EXACT, *EXACT_OF_TWO, *ROUNDED, *ROUNDED_OF_TWO, *REDUCTIONS, "where", "clip"]}
EXACT_REDUCTIONS = {name: lambda items, name=name, **axis: getattr(np, name)(np.asarray(items, "f8"), **axis) for name in ROUNDED_REDUCTIONS}
# Differences in the last digits of the argument's type.
TOLERANCES = {"float16": 2e-3, "float32": 4e-6, "float64": 4e-14}


def values(rng, dtype, shape):
    """Items, of which some are extreme."""
    dtype = np.dtype(dtype)
    numbers = np.random.default_rng(rng.randrange(2**32))
    if dtype.kind == "b":
        return numbers.random(shape) < 0.5
    if dtype.kind == "f":
        items = (numbers.standard_normal(shape) * 4).astype(dtype)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.0], dtype)
    else:
        limits = np.iinfo(dtype)
        items = numbers.integers(max(limits.min, -20), 20, shape).astype(dtype)
        special = np.array([limits.min, limits.max, 0, 1, 2], dtype)
    places = numbers.random(shape) < 0.1
    return np.where(places, numbers.choice(special, shape), items).astype(dtype)


def shapes(rng):
    """Shapes that are broadcast to one another."""
    whole = [rng.choice([1, 2, 3, 7, 20, 40]) for _ in range(rng.choice([1, 2, 2, 3]))]
    if rng.random() < 0.15:
        whole = [rng.choice([5000, 20_000])]
    for _ in range(3):
        start = rng.randint(0, len(whole)) if rng.random() < 0.3 else 0
        yield tuple(1 if rng.random() < 0.2 else length for length in whole[start:])


def expression(rng, depth, literal=False):
    """Text whose values do not depend on how functions are rounded. It names an operand, unless it may be a literal."""
    if depth == 0 or rng.random() < 0.15:
        if not literal or rng.random() < 0.6:
            return rng.choice("abc")
        return rng.choice(["0", "1", "2", "3", "-1", "7", "200", "70000", "0.5", "1.5", "-2.25", "1e300", "True"])
    part, other = (lambda: expression(rng, depth - 1)), (lambda: expression(rng, depth - 1, True))
    match rng.randrange(9):
        case 0 | 1 | 2:
            return f"({part()} {rng.choice(BINARY)} {other()})"
        case 3:
            return f"({part()} {rng.choice(COMPARISONS)} {other()})"
        case 4:
            return f"{rng.choice(EXACT)}({part()})"
        case 5:
            function = rng.choice(EXACT_OF_TWO)
            # Which of two zeros is the lesser depends on the processor. A sum has no negative zero.
            end = " + 0" if function in ("minimum", "maximum") else ""
            return f"({function}({part()}, {other()}){end})"
        case 6:
            return f"where({part()}, {other()}, {other()})"
        case 7:
            return f"{rng.choice(['-', '~', '+'])}{rng.choice('abc')}"
        case _:
            return f"(clip({part()}, {rng.choice(['0', '1', '-1'])}, {rng.choice(['2', '5'])}) + 0)"


def outer(rng):
    """An expression, perhaps with a function or a reduction around it whose last digits may differ."""
    inner = expression(rng, rng.choice([1, 2, 2, 3]))
    match rng.randrange(6):
        case 0:
            return f"{rng.choice(ROUNDED)}({inner})"
        case 1:
            return f"{rng.choice(ROUNDED_OF_TWO)}({inner}, {expression(rng, 1, True)})"
        case 2:
            axis = rng.choice(["", ", axis=0", ", axis=-1", ", axis=0, keepdims=True", ", axis=None"])
            # Squares of such distances are infinite in one way of adding and not in another.
            reductions = [name for name in REDUCTIONS if "1e300" not in inner or name not in MOMENTS]
            return f"{rng.choice(reductions)}({inner}{axis})"
        case _:
            return inner


def stored(rng, items, path):
    """Stores an array with chunks and blocks of its own."""
    chunks = tuple(rng.randint(1, max(1, length)) for length in items.shape)
    blocks = tuple(rng.randint(1, length) for length in chunks)
    if items.ndim == 1 and items.size > 4001:
        chunks, blocks = (4001,), (1000,)
    blosc2.asarray(items, urlpath=str(path), mode="w", chunks=chunks, blocks=blocks)


def run(tool, arguments):
    return subprocess.run([tool, "eval", *map(str, arguments)], capture_output=True, text=True)


def must_be_equal(ours, theirs, told):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape, (told, ours.shape, theirs.shape)
    assert ours.dtype == theirs.dtype.newbyteorder("<"), (told, ours.dtype, theirs.dtype)
    if theirs.dtype.kind != "f":
        assert np.array_equal(ours, theirs), (told, ours, theirs)
        return
    tolerance = 1e-6 if str(told).lstrip("('").startswith(tuple(f"{name}(" for name in MOMENTS)) else TOLERANCES[theirs.dtype.name]
    # Sums of large numbers that cancel each other have the error of the large ones.
    with np.errstate(all="ignore"):
        equal = np.isclose(ours.astype("f8"), theirs.astype("f8"), rtol=tolerance, atol=tolerance, equal_nan=True)
    assert equal.all(), (told, ours[~equal][:5], theirs[~equal][:5])


def compare(tool, folder, rng):
    """One expression. Returns whether it has values."""
    operands = {name: values(rng, rng.choice(TYPES), shape) for name, shape in zip("abc", shapes(rng))}
    text = outer(rng)
    # A sign at the start would be an option.
    arguments = [f"({text})"]
    for name, items in operands.items():
        stored(rng, items, folder / f"{name}.b2nd")
        arguments += [f"-{name}", folder / f"{name}.b2nd"]
    told = (text, {name: (items.dtype, items.shape) for name, items in operands.items()})
    out = folder / "out.npy"
    out.unlink(missing_ok=True)
    done = run(tool, [*arguments, "-o", out])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = eval(text, dict(NAMESPACE), operands)
            if text.startswith(tuple(f"{name}(" for name in ROUNDED_REDUCTIONS)) and theirs.dtype in ("float16", "float32"):
                # NumPy adds numbers of this size, and loses digits.
                theirs = eval(text, {**NAMESPACE, **EXACT_REDUCTIONS}, operands).astype(theirs.dtype)
            if "** 2" in text and not all(items.ndim for items in operands.values()):
                # NumPy has another type for the square of a scalar.
                return False
        except (OverflowError, ValueError) as error:
            if "negative shift" in str(error) or "out of range" in str(error):
                # Python refuses this of numbers without an array.
                return False
            assert done.returncode in (1, 2), (told, done.returncode, error)
            return False
        except (TypeError, ZeroDivisionError) as error:
            assert done.returncode in (1, 2), (told, done.returncode, error)
            return False
    if isinstance(theirs, (bool, int, float)):
        return False
    if "where(" in text and "does not fit" in done.stderr:
        # NumPy takes the lowest bits of such a number.
        return False
    assert done.returncode == 0, (told, done.stderr)
    must_be_equal(np.load(out), theirs, told)
    part = tuple(slice(rng.randint(0, 3), None, rng.choice([1, 2])) for _ in range(theirs.ndim))
    if part:
        written = ", ".join(f"{bounds.start}::{bounds.step}" for bounds in part)
        done = run(tool, [*arguments, "--selection", written, "-o", folder / "part.b2nd"])
        assert done.returncode == 0, (told, written, done.stderr)
        must_be_equal(blosc2.open(str(folder / "part.b2nd"), mode="r")[()], theirs[part], (told, written))
    return True


LAZY = [
    "a + b * 2",
    "(a - c) / (b + 1)",
    "where(a > 0.5, a, b)",
    "(a > 0.5) & ~(b < 3)",
    "sin(a) ** 2 + cos(a) ** 2",
    "sum(a, axis=0) + c",
    "a[1:3] * 2 + b[1:3]",
    "minimum(a, c) - mean(b)",
    "exp(-a) * sqrt(b)",
    "abs(a - 0.5) <= 0.25",
]


def lazy(tool, folder, rng):
    """A lazy array of the reference."""
    rows, columns = rng.randint(3, 30), rng.randint(1, 30)
    numbers = np.random.default_rng(rng.randrange(2**32))
    arrays = {
        "a": numbers.random((rows, columns)),
        "b": numbers.integers(0, 9, (rows, columns)).astype(rng.choice(["i4", "i8", "f8"])),
        "c": numbers.random(columns).astype(rng.choice(["f4", "f8"])),
    }
    for name, items in arrays.items():
        stored(rng, items, folder / f"{name}.b2nd")
    opened = {name: blosc2.open(str(folder / f"{name}.b2nd"), mode="r") for name in arrays}
    text = rng.choice(LAZY)
    lazy = blosc2.lazyexpr(text, {name: array for name, array in opened.items() if name in text})
    lazy.save(urlpath=str(folder / "lazy.b2nd"))
    theirs = lazy[:]
    done = run(tool, [folder / "lazy.b2nd", "-o", folder / "lazy.npy"])
    assert done.returncode == 0, (text, done.stderr)
    ours = np.load(folder / "lazy.npy")
    assert ours.shape == theirs.shape, (text, ours.shape, theirs.shape)
    assert np.allclose(ours, theirs, rtol=1e-6, atol=1e-6), (text, ours, theirs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--lazy", type=int, default=100)
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()
    explicit.take_one_chunk()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    with_values = sum(compare(options.tool, options.folder, random.Random(f"{options.seed} {number}")) for number in range(options.count))
    for number in range(options.lazy):
        lazy(options.tool, options.folder, random.Random(f"{options.seed} lazy {number}"))
    print(f"{options.count} expressions are NumPy's, {with_values} of them with values; {options.lazy} lazy arrays are the reference's")


if __name__ == "__main__":
    main()
