"""Codecs for zarr-python 3. Entry points register them: nothing needs to be imported."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from zarr.abc.codec import ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin, BytesBytesCodec
from zarr.abc.store import RangeByteRequest

from ._native import FormatError, NativeCodec, decode_chunk, encode_chunk

if TYPE_CHECKING:
    from zarr.abc.store import ByteGetter
    from zarr.core.array_spec import ArraySpec
    from zarr.core.buffer import Buffer, NDBuffer
    from zarr.core.indexing import SelectorTuple

CNAMES = ("blosclz", "lz4", "lz4hc", "zlib", "zstd")
SHUFFLES = ("noshuffle", "shuffle", "bitshuffle")


@dataclass(frozen=True)
class Blosc2(BytesBytesCodec):
    """Each chunk of the array is one chunk of Blosc2; those of Blosc1 are read too.

    Args:
        cname: The compressor: blosclz, lz4, lz4hc, zlib or zstd.
        clevel: The level, from 0 to 9.
        shuffle: noshuffle, shuffle or bitshuffle.
        typesize: Bytes of an item; by default those of the array's dtype.
        blocksize: Bytes of a block; 0 leaves it to the encoder.
    """

    cname: str = "zstd"
    clevel: int = 5
    shuffle: str = "shuffle"
    typesize: int | None = None
    blocksize: int = 0

    is_fixed_size = False

    def __post_init__(self) -> None:
        if self.cname not in CNAMES:
            raise ValueError(f"cname: {self.cname!r} is none of {', '.join(CNAMES)}")
        if self.shuffle not in SHUFFLES:
            raise ValueError(f"shuffle: {self.shuffle!r} is none of {', '.join(SHUFFLES)}")
        for name, least, most in (("clevel", 0, 9), ("blocksize", 0, 2**31 - 1), ("typesize", 1, 2**31 - 1)):
            value = getattr(self, name)
            if name == "typesize" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise ValueError(f"{name}: {value!r} is no integer from {least} to {most}")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        return cls(**data.get("configuration", {}))

    def to_dict(self) -> dict[str, Any]:
        names = ("cname", "clevel", "shuffle", "typesize", "blocksize")
        configuration = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {"name": "blosc2", "configuration": configuration}

    def evolve_from_array_spec(self, array_spec: ArraySpec) -> Self:
        size = getattr(array_spec.dtype, "item_size", None)
        return self if self.typesize is not None or not size else replace(self, typesize=size)

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError

    def _encode(self, data: bytes) -> bytes:
        size = self.typesize or 1
        # Headers have one byte for the size, and readers lose the last bytes of bitshuffled parts of items.
        if size > 255 or (self.shuffle == "bitshuffle" and len(data) % size):
            size = 1
        return encode_chunk(data, self.cname, self.clevel, self.shuffle, size, self.blocksize)

    async def _encode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer | None:
        encoded = await asyncio.to_thread(self._encode, chunk_bytes.to_bytes())
        return chunk_spec.prototype.buffer.from_bytes(encoded)

    async def _decode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        nbytes = _nbytes(chunk_spec)
        decoded = await asyncio.to_thread(decode_chunk, chunk_bytes.to_bytes(), nbytes)
        return chunk_spec.prototype.buffer.from_bytes(decoded)


def _nbytes(spec: ArraySpec) -> int:
    """Bytes of a decoded chunk."""
    count = spec.dtype.item_size
    for length in spec.shape:
        count *= length
    return count


@lru_cache(maxsize=64)
def _native(configuration: str) -> NativeCodec:
    return NativeCodec(configuration)


@dataclass(frozen=True)
class B2nd(ArrayBytesCodec, ArrayBytesCodecPartialDecodeMixin):
    """Each chunk of the array is as one of a ``.b2nd``, in n-dimensional blocks: parts of it are read block by block.

    Args:
        block_shape: Items along each axis of a block.
        endian: The byte order of items; by default this machine's.
        cname: The compressor of new chunks, as Blosc2 names it.
        clevel: The level of new chunks, from 0 to 9.
        filters: The filters of new chunks, for example ``("trunc_prec:10", "shuffle")``.
        codec_meta: The parameter of the compressor.
    """

    block_shape: tuple[int, ...]
    endian: Literal["little", "big"] | None = sys.byteorder
    cname: str = "zstd"
    clevel: int = 5
    filters: tuple[str, ...] = ("shuffle",)
    codec_meta: int = 0

    is_fixed_size = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "block_shape", tuple(self.block_shape))
        object.__setattr__(self, "filters", tuple(self.filters))
        _ = self._native

    @property
    def _native(self) -> NativeCodec:
        """The codec; it is Rust that says what configurations mean."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return _native(json.dumps({name: value for name, value in fields.items() if value is not None}))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        configuration = json.loads(_native(json.dumps(data.get("configuration", {}))).configuration)
        return cls(**{"endian": None, **configuration})

    def to_dict(self) -> dict[str, Any]:
        return {"name": "b2nd", "configuration": json.loads(self._native.configuration)}

    def evolve_from_array_spec(self, array_spec: ArraySpec) -> Self:
        dtype = array_spec.dtype.to_native_dtype()
        # Also those of fields, which zarr-python does not tell.
        if dtype.newbyteorder("<") == dtype.newbyteorder(">"):
            return replace(self, endian=None)
        if self.endian is None:
            raise ValueError(f"endian: items of {array_spec.dtype} have a byte order")
        return self

    def validate(self, *, shape: tuple[int, ...], **_: Any) -> None:
        if len(shape) != len(self.block_shape):
            raise ValueError(f"block_shape: {self.block_shape} is for other arrays than of shape {shape}")

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError

    def _dtype(self, spec: ArraySpec) -> np.dtype[Any]:
        """The dtype of items as they are stored."""
        dtype = spec.dtype.to_native_dtype()
        if dtype.hasobject or not dtype.itemsize:
            raise ValueError(f"{spec.dtype} is no type of items of one size")
        return dtype.newbyteorder(self.endian) if self.endian else dtype

    async def _encode_single(self, chunk_array: NDBuffer, chunk_spec: ArraySpec) -> Buffer | None:
        dtype = self._dtype(chunk_spec)

        def encode() -> bytes:
            items = chunk_array.as_numpy_array().astype(dtype, order="C", copy=False)
            return self._native.encode(items.tobytes(), items.shape, dtype.itemsize)

        return chunk_spec.prototype.buffer.from_bytes(await asyncio.to_thread(encode))

    async def _decode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> NDBuffer:
        window = [(0, length) for length in chunk_spec.shape]
        items = await self._decode([(0, chunk_bytes.to_bytes())], window, chunk_spec)
        if isinstance(items, list):
            raise _cut_short()
        return chunk_spec.prototype.nd_buffer.from_numpy_array(items)

    async def _decode_partial_single(
        self, byte_getter: ByteGetter, selection: SelectorTuple, chunk_spec: ArraySpec
    ) -> NDBuffer | None:
        window, inner = _window(selection, chunk_spec.shape)
        if all(range_ == (0, length) for range_, length in zip(window, chunk_spec.shape)):
            chunk = await byte_getter.get(chunk_spec.prototype)
            return None if chunk is None else (await self._decode_single(chunk, chunk_spec))[selection]
        pieces: list[tuple[int, bytes]] = []
        missing = [(0, self._native.head_len(chunk_spec.shape))]
        # The head; then the whole chunk or its blocks, or what the head has besides and then these.
        for _ in range(3):
            requests = [RangeByteRequest(start, stop) for start, stop in missing]
            found = await asyncio.gather(*(byte_getter.get(chunk_spec.prototype, request) for request in requests))
            for (start, stop), piece in zip(missing, found):
                if piece is None:
                    return None
                if start and len(piece) > stop - start:
                    raise OSError(f"the store sent {len(piece)} bytes for those from {start} to {stop} of a chunk: it ignores ranges")
                pieces.append((start, piece.to_bytes()))
            items = await self._decode(pieces, window, chunk_spec)
            if not isinstance(items, list):
                return chunk_spec.prototype.nd_buffer.from_numpy_array(items[inner])
            missing = items
        raise _cut_short()

    async def _decode(
        self, pieces: list[tuple[int, bytes]], window: list[tuple[int, int]], spec: ArraySpec
    ) -> np.ndarray[Any, Any] | list[tuple[int, int]]:
        """The items within a window, or the ranges of bytes that are missing."""
        dtype = self._dtype(spec)
        found = await asyncio.to_thread(self._native.decode, pieces, spec.shape, dtype.itemsize, window)
        if isinstance(found, list):
            return found
        return np.ndarray([stop - start for start, stop in window], dtype, found)


def _window(selection: SelectorTuple, shape: tuple[int, ...]) -> tuple[list[tuple[int, int]], tuple[Any, ...]]:
    """The least box with a selection, and the selection within it."""
    items = selection if isinstance(selection, tuple) else (selection,)
    if len(items) != len(shape):
        return [(0, length) for length in shape], items
    window, inner = [], []
    for item, length in zip(items, shape):
        if isinstance(item, slice):
            start, stop, step = item.indices(length)
            first, end = (start, stop) if step > 0 and start < stop else (0, length)
            inner.append(slice(start - first, stop - first, step) if first else item)
        else:
            places = np.asarray(item)
            if places.dtype.kind in "iu" and places.size and places.min() >= 0:
                first, end = int(places.min()), int(places.max()) + 1
                inner.append(item - first)
            else:
                first, end = 0, length
                inner.append(item)
        window.append((first, end))
    return window, tuple(inner)


def _cut_short() -> FormatError:
    return FormatError("the chunk is cut short")
