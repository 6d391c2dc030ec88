"""References: arrays in files as arrays of Zarr, whose chunks are read where they are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from ._array import Array, open
from ._native import NativeReferences


def refs(
    arrays: str | os.PathLike[str] | Array | Iterable[str | os.PathLike[str] | Array],
    *,
    concat: str | int | None = None,
    stack: str | None = None,
    name: str | None = None,
    **storage_options: Any,
) -> dict[str, Any]:
    """References by which zarr-python, and what is built on it, reads arrays in place, as kerchunk writes them.

    The chunks stay in their files; constant ones are part of the references, and zeros are left out. The result is what fsspec takes as
    ``fo``: ``zarr.storage.FsspecStore.from_url("reference://", storage_options={"fo": refs, "remote_protocol": …})``.

    Args:
        arrays: One array, or several that become one: paths, URLs, or arrays that are open, such as members of stores.
        concat: The axis, a number or a name, along which several arrays follow each other.
        stack: The name of a new first axis, along which they do.
        name: The name of the array in a group; without one the references are those of the array itself.
        storage_options: Arguments for fsspec's file systems.

    Raises:
        UnsupportedError: Zarr has no such array.
        ValueError: The arrays do not fit together.
    """
    if concat is not None and stack is not None:
        raise ValueError("arrays are joined along an axis (concat) or along a new one (stack), not both")
    if name is not None and (not name or "/" in name):
        raise ValueError(f"{name!r} is no name of an array")
    several = [arrays] if isinstance(arrays, str | os.PathLike | Array) else list(arrays)
    if not several:
        raise ValueError("there is no array")
    references = NativeReferences(None if concat is None else str(concat), stack, name)
    for given in several:
        array = given if isinstance(given, Array) else open(given, **storage_options)
        references.add(array._native, array._place)
    result: dict[str, Any] = json.loads(references.finish())
    return result
