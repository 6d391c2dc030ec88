"""Deterministic item data for any item size."""

import numpy as np

from record import rng_for

KINDS = ["ramp", "walk", "few", "mixed", "runs", "random", "zeros", "sparse"]


def items(kind, count, size, seed="seed"):
    """`count` items of `size` bytes, as bytes. Little-endian numbers where that means something."""
    rng = rng_for("%s %s %d %d" % (seed, kind, count, size))
    out = np.zeros((count, size), np.uint8)
    if kind == "random":
        out[:] = rng.randint(0, 256, out.shape)
    elif kind == "few":
        table = rng.randint(0, 256, (5, size))
        out[:] = table[rng.randint(0, 5, count)]
    elif kind == "mixed":  # a noisy low byte below slow high bytes: raw streams beside compressed ones
        _numbers(out, np.arange(count, dtype=np.int64) * 3 << 8)
        out[:, 0] = rng.randint(0, 256, count)
    elif kind == "runs":  # byte planes that are constant: run tokens after shuffle and split
        _numbers(out, np.arange(count, dtype=np.int64) % 251)
        if size > 1:
            out[:, 1] = 5
        if size > 2:
            out[:, -1] = 255
    elif kind == "walk":
        _numbers(out, 1000 + np.cumsum(rng.randint(-3, 9, count)).astype(np.int64))
    elif kind == "ramp":
        _numbers(out, np.arange(count, dtype=np.int64) * 7)
    elif kind == "sparse":
        out[rng.randint(0, max(count, 1), count // 20)] = rng.randint(0, 256, (count // 20, size))
    elif kind != "zeros":
        raise ValueError(kind)
    return out.tobytes()


def _numbers(out, values):
    for i in range(min(out.shape[1], 8)):
        out[:, i] = (values >> (8 * i)) & 0xFF


def values(dtype, shape, seed="seed"):
    """A smooth but lively array of any dtype."""
    dtype = np.dtype(dtype)
    rng = rng_for("%s %s %r" % (seed, dtype.str, tuple(shape)))
    n = int(np.prod(shape, dtype=np.int64))
    steps = np.cumsum(rng.randint(-2, 6, n))
    if dtype.subdtype is not None:
        raise ValueError("give the base type")
    if dtype.names is not None:
        out = np.frombuffer(bytes(n * dtype.itemsize), dtype).copy().reshape(shape)
        for field in dtype.names:
            sub = dtype.fields[field][0]
            base, inner = sub.subdtype if sub.subdtype else (sub, ())
            out[field] = values(base, tuple(shape) + tuple(inner), seed + field)
        return out
    if dtype.kind in "iu":
        small = steps.astype(np.int64)
        return small.astype(dtype).reshape(shape)
    if dtype.kind == "f":
        return without_padding((steps / 8.0).astype(dtype)).reshape(shape)
    if dtype.kind == "c":
        return without_padding((steps / 4.0 + 1j * np.arange(n)).astype(dtype)).reshape(shape)
    if dtype.kind == "b":
        return (steps % 3 == 0).reshape(shape)
    if dtype.kind in "mM":
        return steps.astype(np.int64).view(dtype.newbyteorder("<")).astype(dtype).reshape(shape)
    if dtype.kind in "SU":
        words = np.array(
            ["", "a", "bb", "golden", "h\u00e4user"[: 1 if dtype.kind == "S" else 6], "0123456789"]
        )
        return words[rng.randint(0, len(words), n)].astype(dtype).reshape(shape)
    if dtype.kind == "V":
        raw = items("walk", n, dtype.itemsize, seed)
        return np.frombuffer(raw, dtype).reshape(shape)
    raise ValueError(dtype)


def without_padding(array):
    """Long doubles have ten bytes of value in sixteen; the rest is whatever was there."""
    if array.dtype.itemsize in (16, 32) and array.dtype.newbyteorder("=") in (
        np.dtype("longdouble"),
        np.dtype("clongdouble"),
    ):
        array.view(np.uint8).reshape(-1, 16)[:, 10:] = 0
    return array
