"""Frames through references that the command b2nd writes. It is on the path, or the variable B2ND has its own."""

import base64
import json
import os
import shutil
import subprocess

import b2nd
import blosc2
import numpy as np
import pytest
import xarray
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync

TOOL = shutil.which(os.environ.get("B2ND", "b2nd"))
pytestmark = pytest.mark.skipif(TOOL is None, reason="the command b2nd is not there")
# Ragged, since no length is a multiple of a chunk's.
SHAPES = [((1000,), (300,), (70,)), ((90, 41), (40, 20), (15, 6)), ((17, 18, 19), (8, 7, 10), (3, 7, 4)),
          ((7, 8, 9, 10), (4, 5, 6, 7), (2, 2, 4, 3)), ((5, 4, 6, 3, 7), (3, 3, 4, 2, 5), (2, 2, 3, 2, 2))]
DTYPES = ["|u1", "<i2", ">i4", ">f8", "<c16", "<f4"]


def frame(path, number):
    """Write a frame: of every third all items are equal, but in one chunk those of others are."""
    (shape, chunks, blocks), dtype = SHAPES[number % 5], DTYPES[number % 6]
    items = np.random.default_rng(number).integers(0, 100, shape).astype(dtype)
    if number % 3 == 0:
        items[...] = number % 2
    else:
        items[tuple(slice(length) for length in chunks)] = 7
    blosc2.asarray(items, chunks=chunks, blocks=blocks, urlpath=str(path))
    return items


def references(folder):
    """A group of 30 arrays, and their items."""
    expected = {f"a{number}": frame(folder / f"a{number}.b2nd", number) for number in range(30)}
    refs = {"zarr.json": json.dumps({"zarr_format": 3, "node_type": "group"})}
    for name, items in expected.items():
        own = json.loads(subprocess.check_output([TOOL, "refs", folder / f"{name}.b2nd"]))["refs"]
        metadata = json.loads(own["zarr.json"])
        metadata["dimension_names"] = [f"{name}_{axis}" for axis in range(items.ndim)]
        refs |= {f"{name}/{key}": place for key, place in own.items()} | {f"{name}/zarr.json": json.dumps(metadata)}
    index = folder / "refs.json"
    index.write_text(json.dumps({"version": 1, "refs": refs}))
    options = {"fo": str(index), "remote_protocol": "file"}
    return zarr.storage.FsspecStore.from_url("reference://", storage_options=options, read_only=True), expected


def test_zarr_and_xarray_with_dask_read_the_same(tmp_path):
    store, expected = references(tmp_path)
    group = zarr.open_group(store, mode="r")
    dataset = xarray.open_zarr(store, consolidated=False, chunks={})
    for name, items in expected.items():
        np.testing.assert_array_equal(group[name][...], items)
        part = tuple(slice(1, length - 1, 2) for length in items.shape)
        np.testing.assert_array_equal(group[name][part], items[part])
        np.testing.assert_array_equal(dataset[name][part].compute(), items[part])
        assert dataset[name].chunks is not None


def test_icechunk_reads_the_same(tmp_path):
    icechunk = pytest.importorskip("icechunk")
    _, expected = references(tmp_path)
    place = f"file://{tmp_path}/"
    config = icechunk.RepositoryConfig.default()
    files = icechunk.local_filesystem_store(str(tmp_path))
    config.set_virtual_chunk_container(icechunk.VirtualChunkContainer(place, files))
    access = {place: None}
    repository = icechunk.Repository.create(icechunk.in_memory_storage(), config, authorize_virtual_chunk_access=access)
    session = repository.writable_session("main")
    refs = json.loads((tmp_path / "refs.json").read_text())["refs"]
    # Metadata come before the chunks.
    for key, entry in sorted(refs.items(), key=lambda item: not item[0].endswith("zarr.json")):
        if isinstance(entry, list):
            session.store.set_virtual_ref(key, f"file://{entry[0]}", offset=entry[1], length=entry[2])
        else:
            content = base64.b64decode(entry[7:]) if entry.startswith("base64:") else entry.encode()
            sync(session.store.set(key, default_buffer_prototype().buffer.from_bytes(content)))
    session.commit("references")
    group = zarr.open_group(repository.readonly_session("main").store, mode="r")
    for name, items in expected.items():
        np.testing.assert_array_equal(group[name][...], items)
        part = tuple(slice(1, length - 1, 2) for length in items.shape)
        np.testing.assert_array_equal(group[name][part], items[part])


def test_references_to_other_bytes_are_errors(tmp_path):
    items = np.random.default_rng(1).random((100, 100))
    path = tmp_path / "a.b2nd"
    blosc2.asarray(items, chunks=(50, 50), blocks=(10, 10), urlpath=str(path))
    index = tmp_path / "refs.json"
    subprocess.check_call([TOOL, "refs", path, "-o", index])
    blosc2.asarray(items, chunks=(70, 70), blocks=(35, 35), urlpath=str(path), mode="w")
    options = {"fo": str(index), "remote_protocol": "file"}
    array = zarr.open_array(zarr.storage.FsspecStore.from_url("reference://", storage_options=options, read_only=True))
    for part in (np.s_[:], np.s_[60:70, 60:70]):
        with pytest.raises(b2nd.B2ndError):
            array[part]
