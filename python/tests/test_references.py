"""Frames through references. With the command b2nd on the path, or its path in the variable B2ND, it writes the same."""

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
from reference_files import files, frame
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync

TOOL = shutil.which(os.environ.get("B2ND", "b2nd"))


def references(folder):
    """A group of 33 arrays, of which three are in a store, and their items."""
    expected = files(folder)
    arrays = {name: b2nd.open(folder / file, member=member) for name, (file, member, _) in expected.items()}
    expected = {name: items for name, (_, _, items) in expected.items()}
    refs = {"zarr.json": json.dumps({"zarr_format": 3, "node_type": "group"})}
    for name, array in arrays.items():
        own = b2nd.refs(array)["refs"]
        metadata = json.loads(own["zarr.json"])
        metadata["dimension_names"] = [f"{name}_{axis}" for axis in range(expected[name].ndim)]
        refs |= {f"{name}/{key}": place for key, place in own.items()} | {f"{name}/zarr.json": json.dumps(metadata)}
    index = folder / "refs.json"
    index.write_text(json.dumps({"version": 1, "refs": refs}))
    options = {"fo": str(index), "remote_protocol": "file"}
    return zarr.storage.FsspecStore.from_url("reference://", storage_options=options, read_only=True), expected


@pytest.mark.skipif(TOOL is None, reason="the command b2nd is not there")
def test_the_command_writes_the_same(tmp_path):
    for number in range(4):
        frame(tmp_path / f"{number}.b2nd", 5 * number + 1)
    for words, options in (([], {}), (["--name", "wind"], {"name": "wind"})):
        written = subprocess.check_output([TOOL, "refs", tmp_path / "0.b2nd", *words])
        assert json.loads(written) == b2nd.refs(tmp_path / "0.b2nd", **options)


def test_arrays_are_joined(tmp_path):
    items = np.random.default_rng(1).random((2, 60, 40))
    for number in range(2):
        blosc2.asarray(items[number], chunks=(20, 20), blocks=(10, 10), urlpath=str(tmp_path / f"{number}.b2nd"))
    paths = [tmp_path / f"{number}.b2nd" for number in range(2)]
    for options, expected in (({"stack": "time"}, items), ({"concat": 0}, items.reshape(120, 40))):
        fo = {"fo": b2nd.refs(paths, **options), "remote_protocol": "file"}
        store = zarr.storage.FsspecStore.from_url("reference://", storage_options=fo, read_only=True)
        np.testing.assert_array_equal(zarr.open_array(store, mode="r")[...], expected)
    for wrong in ({}, {"concat": 2}, {"concat": 0, "stack": "time"}, {"stack": "time", "name": "a/b"}):
        with pytest.raises(ValueError):
            b2nd.refs(paths, **wrong)


def test_what_zarr_has_no_type_for_is_refused(tmp_path):
    for number, dtype in enumerate([[("a", "<i4"), ("b", ">f8")], [("a", "i4", (2,))]]):
        blosc2.asarray(np.zeros((4,), dtype), urlpath=str(tmp_path / f"{number}.b2nd"))
        with pytest.raises(b2nd.UnsupportedError, match="dtype"):
            b2nd.refs(tmp_path / f"{number}.b2nd")


def test_virtualizarr_reads_the_same(tmp_path):
    pytest.importorskip("virtualizarr")
    from b2nd.virtualizarr import Parser
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset

    _, expected = references(tmp_path)
    for number, dtype in enumerate(["<f4", ">i2", "S3", "<M8[s]"]):
        items = np.random.default_rng(number).integers(0, 100, (90, 41)).astype(dtype)
        expected[f"v{number}"] = items
        blosc2.asarray(items, chunks=(40, 20), blocks=(15, 6), urlpath=str(tmp_path / f"v{number}.b2nd"))
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    for name in ("v0", "v1", "v2", "v3", "s0"):
        inner = name[0] == "s"
        url = f"file://{tmp_path}/{'s.b2z' if inner else name + '.b2nd'}"
        parser = Parser(member=f"group/{name}" if inner else None)
        with open_virtual_dataset(url, registry=registry, parser=parser) as dataset:
            assert dataset[name].shape == expected[name].shape
        group = zarr.open_group(parser(url, registry), mode="r", zarr_format=3)
        np.testing.assert_array_equal(group[name][...], expected[name])
    with pytest.raises(b2nd.UnsupportedError, match="constant"):
        Parser()(f"file://{tmp_path}/a27.b2nd", registry)


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
    index.write_text(json.dumps(b2nd.refs(path)))
    blosc2.asarray(items, chunks=(70, 70), blocks=(35, 35), urlpath=str(path), mode="w")
    options = {"fo": str(index), "remote_protocol": "file"}
    array = zarr.open_array(zarr.storage.FsspecStore.from_url("reference://", storage_options=options, read_only=True))
    for part in (np.s_[:], np.s_[60:70, 60:70]):
        with pytest.raises(b2nd.B2ndError):
            array[part]
