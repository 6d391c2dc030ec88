"""Icechunk repositories and Parquet that the command b2nd writes: it is on the path or in the variable B2ND, and b2nd-icechunk is on the path."""

import os
import shutil
import subprocess

import blosc2
import numpy as np
import pytest
import xarray
import zarr
from reference_files import DTYPES, files

TOOL = shutil.which(os.environ.get("B2ND", "b2nd"))


def refer(*words):
    subprocess.run([TOOL, "refs", *map(str, words)], check=True, capture_output=True)


class Icechunk:
    """The form of references that knows when files were changed."""

    def __init__(self, folder):
        self.place = folder / "refs.icechunk"
        self.option = f"icechunk:{self.place}"

    def store(self):
        icechunk = pytest.importorskip("icechunk")
        storage = icechunk.local_filesystem_storage(str(self.place))
        # There is none if all chunks are constant.
        config = icechunk.Repository.fetch_config(storage) or icechunk.RepositoryConfig.default()
        access = dict.fromkeys(config.virtual_chunk_containers or {})
        repository = icechunk.Repository.open(storage, authorize_virtual_chunk_access=access)
        return repository.readonly_session("main").store


class Parquet:
    def __init__(self, folder):
        self.place = folder / "refs.parquet"
        self.option = self.place

    def store(self):
        pytest.importorskip("fastparquet")
        options = {"fo": str(self.place), "remote_protocol": "file"}
        return zarr.storage.FsspecStore.from_url("reference://", storage_options=options, read_only=True)


@pytest.fixture(params=[Icechunk, Parquet])
def form(request, tmp_path):
    if TOOL is None:
        pytest.skip("the command b2nd is not there")
    if request.param is Icechunk and shutil.which("b2nd-icechunk") is None:
        pytest.skip("the program b2nd-icechunk is not there")
    if request.param is Parquet:
        tried = subprocess.run([TOOL, "refs", tmp_path, "--name", "a", "-o", tmp_path / "a.parquet"], capture_output=True, check=False)
        if b"built without" in tried.stderr:
            pytest.skip("the command is built without Parquet")
    return request.param(tmp_path)


def equal(form, name, items):
    store = form.store()
    array = zarr.open_group(store, mode="r", zarr_format=3)[name]
    part = tuple(slice(1, length - 1, 2) for length in items.shape)
    np.testing.assert_array_equal(array[...], items)
    np.testing.assert_array_equal(array[part], items[part])
    dataset = xarray.open_zarr(store, consolidated=False, zarr_format=3, chunks={}, decode_times=False, mask_and_scale=False)
    if items.dtype.names is None:
        np.testing.assert_array_equal(dataset[name][part].compute(), items[part])


def named(path, items):
    """A file whose axes have names, as xarray needs them."""
    array = blosc2.asarray(items, chunks=(20, 20), blocks=(10, 7), urlpath=str(path), mode="w")
    array.schunk.vlmeta["dims"] = ["y", "x"]


def test_files_of_all_types_and_members(form, tmp_path):
    (tmp_path / "a folder, 100 %").mkdir()
    for name, (file, member, items) in files(tmp_path / "a folder, 100 %").items():
        path = tmp_path / "a folder, 100 %" / file
        # Each type once, constant and not, and the members.
        if member is None and int(name[1:]) >= len(DTYPES):
            continue
        with blosc2.open(str(path), mode="a") if member is None else blosc2.TreeStore(str(path)) as opened:
            if member is None:
                opened.schunk.vlmeta["dims"] = [f"axis{axis}" for axis in range(items.ndim)]
        refer(path / member if member else path, "--name", name, "-o", form.option)
        if member is None:
            equal(form, name, items)
        else:
            np.testing.assert_array_equal(zarr.open_group(form.store(), mode="r", zarr_format=3)[name][...], items)
        shutil.rmtree(form.place)


def test_many_files_as_one(form, tmp_path):
    items = np.random.default_rng(1).random((12, 40, 30)).astype("f4")
    items[3] = 7
    items[4] = 0
    paths = [tmp_path / f"{number:02}.b2nd" for number in range(12)]
    for path, part in zip(paths, items):
        named(path, part)
    refer(*paths, "--stack", "time", "--name", "wind", "-o", form.option)
    equal(form, "wind", items)
    shutil.rmtree(form.place)
    refer(*paths, "--concat", "y", "--name", "wind", "-o", form.option)
    equal(form, "wind", items.reshape(480, 30))


def test_more_chunks_than_a_table_of_parquet_has(form, tmp_path):
    items = np.arange(10_001, dtype="u1").reshape(-1, 1)
    blosc2.asarray(items, chunks=(1, 1), blocks=(1, 1), urlpath=str(tmp_path / "a.b2nd"))
    refer(tmp_path / "a.b2nd", "--name", "a", "-o", form.option)
    np.testing.assert_array_equal(zarr.open_group(form.store(), mode="r", zarr_format=3)["a"][...], items)


def test_few_chunks_among_zeros(form, tmp_path):
    with blosc2.zeros((30_001, 1), dtype="u1", chunks=(1, 1), blocks=(1, 1), urlpath=str(tmp_path / "a.b2nd")) as array:
        array[15] = array[29_999] = np.full((1,), 7, dtype="u1")
    refer(tmp_path / "a.b2nd", "--name", "a", "-o", form.option)
    items = zarr.open_group(form.store(), mode="r", zarr_format=3)["a"][...].ravel()
    assert np.flatnonzero(items).tolist() == [15, 29_999]


def test_sparse_frames(form, tmp_path):
    items = np.random.default_rng(1).random((50, 41))
    blosc2.asarray(items, chunks=(20, 20), blocks=(10, 7), urlpath=str(tmp_path / "a.b2nd"), contiguous=False)
    refer(tmp_path / "a.b2nd", "--name", "a", "-o", form.option)
    np.testing.assert_array_equal(zarr.open_group(form.store(), mode="r", zarr_format=3)["a"][...], items)


def test_what_is_there_stays(form, tmp_path):
    named(tmp_path / "a.b2nd", np.ones((50, 40)))
    form.place.mkdir()
    (form.place / "mine").touch()
    with pytest.raises(subprocess.CalledProcessError) as refused:
        refer(tmp_path / "a.b2nd", "--name", "a", "-o", form.option)
    assert refused.value.returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a.b2nd", form.place.name])
    assert [path.name for path in form.place.iterdir()] == ["mine"]


def test_a_file_that_changed_is_an_error(form, tmp_path):
    path = tmp_path / "a.b2nd"
    items = np.random.default_rng(1).random((50, 40))
    named(path, items)
    refer(path, "--name", "a", "-o", form.option)
    equal(form, "a", items)

    def read():
        return zarr.open_group(form.store(), mode="r", zarr_format=3)["a"][...]

    # Other chunks at these places.
    blosc2.asarray(items, chunks=(50, 40), blocks=(25, 8), urlpath=str(path), mode="w")
    modified = path.stat().st_mtime
    for later in (0, 10):
        os.utime(path, (modified + later, modified + later))
        with pytest.raises(Exception) as refused:
            read()
        # What is at the old places may be anything.
        assert type(refused.value).__module__.split(".")[0] in ("b2nd", "icechunk"), refused.value
    # Another value in chunks of the same size, where Icechunk alone knows.
    if isinstance(form, Icechunk):
        raw = np.frombuffer(np.random.default_rng(1).bytes(16000), "f8").reshape(50, 40)
        for number in range(2):
            blosc2.asarray(raw, chunks=(20, 20), blocks=(10, 7), urlpath=str(path), mode="w", cparams={"clevel": 0})
            os.utime(path, (modified + 10 * number, modified + 10 * number))
            if number == 0:
                shutil.rmtree(form.place)
                refer(path, "--name", "a", "-o", form.option)
                assert read().tobytes() == raw.tobytes()
            raw = raw[::-1].copy()
        with pytest.raises(Exception, match="changed"):
            read()
