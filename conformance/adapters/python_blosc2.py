"""python-blosc2, from 2.2 on; stores from 4.0 on."""

from pathlib import Path

import blosc2
import numpy as np
from serving import Unsupported, selection, serve

STORES = {".b2d": "DictStore", ".b2z": "DictStore", ".b2e": "EmbedStore"}


def read(asked):
    if asked.column:
        raise Unsupported("tables: the cells of the corpus are python-blosc2's")
    if asked.early_bitshuffle:
        raise Unsupported("the bitshuffle of early releases")
    if asked.member:
        return member(asked.file, asked.member, asked.selection)
    if asked.file.endswith(".chunk"):
        chunk = Path(asked.file).read_bytes()
        return items(blosc2.decompress2(chunk), chunk[3], asked.selection)
    return values(opened(asked.file, asked.offset), asked.selection)


def opened(path, offset):
    if not offset:
        return blosc2.open(path, mode="r")
    try:
        return blosc2.open(path, mode="r", offset=offset)
    except TypeError:
        raise Unsupported("frames within files") from None


def values(there, text):
    """Of an array, or of a super-chunk, which has whole items."""
    if isinstance(there, blosc2.NDArray):
        return array(there, selection(text))
    there = getattr(there, "_store", there)  # of a store that is read as the frame that it is
    schunk = getattr(there, "schunk", there)
    if "caterva" in schunk.meta:
        raise Unsupported("an array of Caterva opens as a super-chunk")
    cut = selection(text)[0]
    if isinstance(cut, slice) and cut.step in (None, 1):
        start, stop, _ = cut.indices(len(schunk))
        return schunk[start:stop] if start < stop else b""
    return items(b"".join(schunk.decompress_chunk(at) for at in range(schunk.nchunks)), schunk.typesize, text)


def array(there, cut):
    """Reads the box around the items, since not all releases take steps and ellipses, and lets NumPy take these."""
    at = cut.index(Ellipsis) if Ellipsis in cut else len(cut)
    rest = there.ndim - len(cut) + (Ellipsis in cut)
    cut = [*cut[:at], *[slice(None)] * rest, *cut[at + 1 :]]
    # Ranges take no memory, however long a damaged file says that its axes are.
    positions = [range(length)[axis if isinstance(axis, slice) else slice(axis % length, axis % length + 1)] for axis, length in zip(cut, there.shape)]
    box = [slice(min(axis), max(axis) + 1) if axis else slice(0, 0) for axis in positions]
    values = np.asarray(there[tuple(box)])
    for number, (axis, bounds) in enumerate(zip(positions, box)):
        if axis.step != 1:
            values = values.take([at - bounds.start for at in axis], axis=number)
    return values.tobytes()


def items(content, typesize, text):
    if text == "...":
        return content
    return np.frombuffer(content, dtype=np.dtype((np.void, typesize)))[selection(text)].tobytes()


def member(path, key, text):
    store = getattr(blosc2, STORES[Path(path).suffix], None)
    if store is None:
        raise Unsupported("stores")
    options = {"mode": "r"} if path.endswith((".b2d", ".b2z")) else {"urlpath": path, "mode": "r"}
    there = store(path, **options) if "urlpath" not in options else store(**options)
    return values(there[key], text)


serve(read)
