"""Compares texts of the viewer with the items in NumPy: reads a list of [file, index, field, text] from standard input."""

import functools
import json
import sys

import blosc2
import numpy as np


@functools.cache
def opened(file):
    array = blosc2.open(file, mode="r")
    return array[()] if array.schunk.nbytes < 2**26 else array


def same(value, text):
    """Whether a text means this very value."""
    kind = value.dtype.kind
    if kind == "f":
        read = value.dtype.type(float(text))
        return (np.isnan(read) and np.isnan(value)) or (read == value and np.signbit(read) == np.signbit(value))
    if kind == "c":
        read = value.dtype.type(complex(text))
        return all(same(a, repr(float(b))) for a, b in [(value.real, read.real), (value.imag, read.imag)])
    if kind == "b":
        return text == str(value)
    if kind == "m":
        return text == ("NaT" if np.isnat(value) else str(value).replace("generic time units", "").replace(" seconds", " s").replace(" milliseconds", " ms").replace(" hours", " h").strip())
    if kind == "M":
        return text == str(value)
    if kind == "S":
        return text == "".join(chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02X}" for byte in value)
    if kind == "V":
        return value.tobytes().hex().startswith(text.removesuffix("…")) and (len(text) == 73) == text.endswith("…")
    return text == str(value)


wrong = []
told = json.load(sys.stdin)
for file, index, field, text in told:
    # The reference gives whatever its memory has.
    if text.endswith(" (never written)"):
        continue
    value = opened(file)[tuple(slice(None) if at == ":" else at for at in index)]
    value = value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if field:
        value = value[field]
    if isinstance(value, np.ndarray):
        # Several at once: bare, or each behind its name.
        texts = [part.split(": ")[-1] for part in (text.split("   ") if ": " in text else text.split(", "))]
        step = -(-len(value) // len(texts))
        pairs = list(zip(value[::step], texts, strict=True))
    else:
        pairs = [(np.asarray(value)[()], text)]
    if not all(same(value, text) for value, text in pairs):
        wrong.append(f"{file}{index}{field or ''}: {value!r} and not {text}")
print(json.dumps({"told": len(told), "wrong": wrong[:20]}))
