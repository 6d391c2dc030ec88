"""Arrays in files and behind URLs."""

from __future__ import annotations

import ast
import operator
import os
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ._native import NativeArray


class Extension(NamedTuple):
    """A value of an attribute in an extension of MessagePack that has no type in Python."""

    code: int
    data: bytes


def open(path: str | os.PathLike[str], *, member: str | None = None, **storage_options: Any) -> Array:  # noqa: A001
    """Open the array in a file, in the directory of a sparse frame, behind a URL, or in a store.

    Opening reads the header; a selection reads and decodes only the blocks that it touches.

    Args:
        path: A path, or a URL that fsspec knows (``https://…``, ``s3://…``); URLs need the package fsspec.
        member: The key of an array in a store (``.b2z``, ``.b2d``, ``.b2e``), such as ``group/array``.
        storage_options: Arguments for fsspec's file system.

    Raises:
        OSError: The file cannot be read.
        FormatError: It is no frame, or damaged.
        UnsupportedError: It is a frame that this package cannot read.
        ValueError: It is a frame without an array, or the store has no such member.
    """
    name = os.fspath(path)
    if member is not None and os.path.isfile(os.path.join(name, f"{member.strip('/')}.b2nd")):
        # In the directory of a store it is a file.
        name, member = os.path.join(name, f"{member.strip('/')}.b2nd"), None
    key = member if member is None else "/" + member.strip("/")
    if "://" in name:
        read, size = _ranges(name, storage_options)
        return Array(NativeArray.remote(read, size or 0, key), name, member, storage_options)
    if storage_options:
        raise TypeError(f"storage options are for URLs, and {name} is a path")
    return Array(NativeArray.open(name, key), name, member, {})


def _open_again(name: str, member: str | None, storage_options: dict[str, Any]) -> Array:
    return open(name, member=member, **storage_options)


class Array:
    """An array that is read in parts, with NumPy's indexing by integers, slices, ``...`` and ``None``."""

    def __init__(self, native: NativeArray, name: str, member: str | None, storage_options: dict[str, Any]) -> None:
        self._native = native
        self._name = name
        self._member = member
        self._storage_options = storage_options

    def __reduce__(self) -> Any:
        """Other processes open the file again."""
        return _open_again, (self._name, self._member, self._storage_options)

    @property
    def _place(self) -> str:
        """The URL or absolute path of the file with the chunks."""
        return self._name if "://" in self._name else os.path.abspath(self._name)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Items along each axis, without the axes of a sub-array dtype."""
        return tuple(self._native.shape)

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the items."""
        return _dtype(self._native.dtype)

    @property
    def chunks(self) -> tuple[int, ...]:
        """Items of a chunk along each axis."""
        return tuple(self._native.chunks)

    @property
    def blocks(self) -> tuple[int, ...] | None:
        """Items of a block along each axis; ``None`` for files of Caterva that do not tell them."""
        blocks = self._native.blocks
        return None if blocks is None else tuple(blocks)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of items."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def nbytes(self) -> int:
        """Bytes of the items, decompressed."""
        return self.size * self.dtype.itemsize

    @cached_property
    def attrs(self) -> dict[str, Any]:
        """The attributes: the variable-length metalayers."""
        return {name: _value(value) for name, value in self._native.attrs().items()}

    def __getitem__(self, key: Any) -> Any:
        """Read a part: a NumPy array, or a scalar if the part is one item.

        Raises:
            IndexError: The key does not fit the array, or is a list or a mask.
        """
        items, new = _split(key)
        shape, data = self._native.read(items)
        part = np.ndarray(shape, self.dtype, data)
        if new:
            part = np.expand_dims(part, new)
        return part[()]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("the items are compressed: an array of them is a copy")
        return np.asarray(self[...], dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without axes")
        return self.shape[0]

    def __repr__(self) -> str:
        name = self._name if self._member is None else f"{self._name}/{self._member.strip('/')}"
        return f"<b2nd.Array {name!r} shape={self.shape} dtype={self.dtype}>"


def _dtype(text: str) -> np.dtype[Any]:
    return np.dtype(ast.literal_eval(text) if text[:1] in "[{(" else text)


def _value(value: Any) -> Any:
    """What the native module leaves to do: arrays and extensions come as tuples, which MessagePack does not have."""
    match value:
        case ("ndarray", dtype, shape, data):
            return np.ndarray(shape, _dtype(dtype), bytearray(data))
        case ("ext", code, data):
            return Extension(code, data)
        case dict():
            return {name: _value(item) for name, item in value.items()}
        case list():
            return [_value(item) for item in value]
    return value


def _split(key: Any) -> tuple[list[Any], tuple[int, ...]]:
    """The integers, slices and ellipsis of a key, and the positions of new axes in the result."""
    items = key if isinstance(key, tuple) else (key,)
    kept: list[Any] = []
    for item in items:
        if item is None or item is Ellipsis or isinstance(item, slice):
            kept.append(item)
        elif isinstance(item, (bool, np.bool_)) or not hasattr(item, "__index__") or np.ndim(item):
            raise IndexError(f"{item!r} is neither an integer nor a slice: read a larger part, then index that")
        else:
            kept.append(operator.index(item))
    new = [place for place, item in enumerate(kept) if item is None]
    if not new:
        return kept, ()
    # Axes that integers take away do not count; those after an ellipsis count from the end.
    ellipsis = kept.index(Ellipsis) if Ellipsis in kept else len(kept)
    places = []
    for place in new:
        if place < ellipsis:
            places.append(sum(not isinstance(item, int) for item in kept[:place]))
        else:
            places.append(-1 - sum(not isinstance(item, int) for item in kept[place + 1 :]))
    return [item for item in kept if item is not None], tuple(places)


def _ranges(url: str, options: dict[str, Any]) -> tuple[Any, int | None]:
    """A function that reads ranges of what is behind a URL, and its length."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"reading {url} needs the package fsspec: pip install b2nd[remote]") from error
    files, path = url_to_fs(url, **options)
    size = files.size(path)

    def read(ranges: list[tuple[int, int]]) -> list[bytes]:
        starts, stops = zip(*((start, stop if size is None else min(stop, size)) for start, stop in ranges))
        if any(start >= stop for start, stop in zip(starts, stops)):
            return [files.cat_file(path, a, b) if a < b else b"" for a, b in zip(starts, stops)]
        return files.cat_ranges([path] * len(ranges), starts, stops, on_error="raise")

    return read, size
