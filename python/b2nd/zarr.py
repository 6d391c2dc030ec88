"""Codecs for zarr-python 3. Entry points register them: nothing needs to be imported."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from zarr.abc.codec import BytesBytesCodec

from ._native import decode_chunk, encode_chunk

if TYPE_CHECKING:
    from zarr.core.array_spec import ArraySpec
    from zarr.core.buffer import Buffer

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
