"""A parser for VirtualiZarr: ``open_virtual_dataset(url, registry=registry, parser=b2nd.virtualizarr.Parser())``."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from zarr.core.metadata import ArrayV3Metadata

from ._array import Array
from ._axes import axes
from ._native import NativeArray, NativeReferences, UnsupportedError

if TYPE_CHECKING:
    from obspec_utils.registry import ObjectStoreRegistry


class Parser:
    """Makes a virtual dataset of the array in a ``.b2nd``, or of one in a store (``.b2z``, ``.b2e``).

    Args:
        member: The key of the array in a store.
        name: The name of the variable; by default that of the file, or of the member.
    """

    def __init__(self, *, member: str | None = None, name: str | None = None) -> None:
        self.member = member
        self.name = name

    def __call__(self, url: str, registry: ObjectStoreRegistry) -> ManifestStore:
        """Read the metadata and the index of the array at a URL.

        Raises:
            UnsupportedError: Zarr has no such array, or chunks are constant, which manifests have no entries for.
        """
        store, path = registry.resolve(url)

        def read(ranges: list[tuple[int, int]]) -> list[bytes]:
            starts, ends = zip(*((start, min(end, size)) for start, end in ranges))
            if any(start >= end for start, end in zip(starts, ends)):
                return [bytes(store.get_range(path, start=a, end=b)) if a < b else b"" for a, b in zip(starts, ends)]
            return [bytes(part) for part in store.get_ranges(path, starts=starts, ends=ends)]

        size = store.head(path)["size"]
        key = self.member if self.member is None else "/" + self.member.strip("/")
        native = NativeArray.remote(read, size, key)
        references = NativeReferences(None, None, None)
        references.add(native, url)
        found: dict[str, Any] = json.loads(references.finish())["refs"]
        metadata = json.loads(found.pop("zarr.json"))
        if not metadata.get("dimension_names"):
            names = [axis.name for axis in axes(Array(native, url, self.member, {}).attrs, tuple(native.shape))]
            metadata["dimension_names"] = names
        entries = {key.removeprefix("c/"): _entry(key, entry) for key, entry in found.items()}
        grid = [-(-length // chunk) for length, chunk in zip(native.shape, native.chunks)]
        manifest = ChunkManifest(entries, shape=tuple(grid), separator="/")
        array = ManifestArray(metadata=ArrayV3Metadata.from_dict(metadata), chunkmanifest=manifest)
        last = (self.member or urlparse(url).path).strip("/").rsplit("/", 1)[-1]
        name = self.name or os.path.splitext(last)[0]
        return ManifestStore(ManifestGroup(arrays={name: array}), registry=registry)


def _entry(key: str, entry: list[Any] | str) -> dict[str, Any]:
    if isinstance(entry, str):
        raise UnsupportedError(f"chunk {key} is constant or compressed in its store: a manifest has no entry for it")
    path, offset, length = entry
    return {"path": path, "offset": offset, "length": length}
