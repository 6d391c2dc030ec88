"""The codec b2nd in zarr-python."""

import json
import shutil

import b2nd
import b2nd.zarr
import blosc2
import numpy as np
import pytest
import zarr
from zarr.storage import LocalStore, MemoryStore

DTYPES = ("|b1", "|u1", "<i2", ">u2", "<i4", ">f4", "<f8", "<c16", "<M8[s]", "<U3")


class Counting(LocalStore):
    """Counts the bytes that are read."""

    count = 0

    async def get(self, key, prototype, byte_range=None):
        value = await super().get(key, prototype, byte_range)
        type(self).count += 0 if value is None else len(value)
        return value


def case(number):
    """A random array and its parameters."""
    random = np.random.default_rng(number)
    ndim = number % 6
    shape = tuple(int(n) for n in random.integers(1, [1, 4000, 70, 20, 9, 7][ndim], ndim, endpoint=True))
    chunks = tuple(int(random.integers(1, n, endpoint=True)) for n in shape)
    blocks = tuple(int(random.integers(1, n, endpoint=True)) for n in chunks)
    dtype = np.dtype(DTYPES[number % len(DTYPES)])
    items = random.integers(0, 2 if dtype.kind == "b" else 5, shape)
    codec = b2nd.zarr.B2nd(
        block_shape=blocks,
        endian=("little", "big")[number % 2],
        cname=("blosclz", "lz4", "lz4hc", "zlib", "zstd")[number % 5],
        clevel=number % 10,
        filters=[(), ("shuffle",), ("bitshuffle",), ("shuffle", "bytedelta"), ("delta",)][number % 5 - 1],
    )
    return np.asarray(items).astype(dtype), chunks, codec, random


def create(store, items, chunks, codec, **more):
    array = zarr.create_array(
        store, shape=items.shape, chunks=chunks, dtype=items.dtype, serializer=codec, compressors=None, **more
    )
    array[...] = items
    return zarr.open_array(store)


@pytest.mark.parametrize("number", range(100))
def test_arrays_and_their_parts_round_trip(number):
    items, chunks, codec, random = case(number)
    array = create(MemoryStore(), items, chunks, codec)
    np.testing.assert_array_equal(array[...], items)
    for _ in range(4):
        starts = [int(random.integers(0, n)) for n in items.shape]
        part = tuple(slice(a, int(random.integers(a, n, endpoint=True)), int(random.integers(1, 4))) for a, n in zip(starts, items.shape))
        np.testing.assert_array_equal(array[part], items[part])
        np.testing.assert_array_equal(array[tuple(starts)], items[tuple(starts)])
        if items.ndim:
            places = np.unique(random.integers(0, items.shape[0], 3))
            np.testing.assert_array_equal(array.oindex[(places,)], items[places])
            mask = random.random(items.shape) < 0.1
            np.testing.assert_array_equal(array.vindex[mask], items[mask])


def test_chunks_are_those_of_frames(tmp_path):
    items = np.linspace(0, 1, 60 * 70).reshape(60, 70)
    frame = blosc2.asarray(items, chunks=(25, 30), blocks=(10, 7), cparams={"codec": blosc2.Codec.LZ4})
    array = create(tmp_path / "a", np.ones_like(items), (25, 30), b2nd.zarr.B2nd((10, 7)))
    for number in range(9):
        (tmp_path / "a" / "c" / str(number // 3) / str(number % 3)).write_bytes(frame.schunk.get_chunk(number))
    np.testing.assert_array_equal(array[:], items)
    np.testing.assert_array_equal(array[20:40:3, 65], items[20:40:3, 65])


def test_the_reference_reads_chunks(tmp_path):
    items = np.arange(60 * 70, dtype="<i4").reshape(60, 70)
    create(tmp_path / "a", items, (60, 70), b2nd.zarr.B2nd((16, 16), cname="zstd", filters=("bitshuffle",)))
    frame = blosc2.zeros((60, 70), dtype="<i4", chunks=(60, 70), blocks=(16, 16))
    frame.schunk.update_chunk(0, (tmp_path / "a" / "c" / "0" / "0").read_bytes())
    np.testing.assert_array_equal(frame[:], items)


def test_parts_read_their_blocks_alone(tmp_path):
    items = np.random.default_rng(1).random((1000, 1000))
    create(LocalStore(tmp_path / "a"), items, (1000, 1000), b2nd.zarr.B2nd((50, 50)))
    array = zarr.open_array(Counting(tmp_path / "a"), mode="r")
    Counting.count = 0
    np.testing.assert_array_equal(array[100:200, 300:400], items[100:200, 300:400])
    assert Counting.count < items.nbytes // 50


def test_shards_and_other_codecs_are_around_it():
    items = np.arange(90 * 80, dtype="<f4").reshape(90, 80)
    store = MemoryStore()
    create(store, items, (15, 20), b2nd.zarr.B2nd((4, 7)), shards=(45, 40))
    np.testing.assert_array_equal(zarr.open_array(store)[10:50, 3:70:2], items[10:50, 3:70:2])
    store = MemoryStore()
    array = zarr.create_array(store, shape=items.shape, chunks=(45, 30), dtype="f4", serializer=b2nd.zarr.B2nd((8, 8)),
                              filters=zarr.codecs.TransposeCodec(order=(1, 0)), compressors=zarr.codecs.Crc32cCodec())
    array[:] = items
    np.testing.assert_array_equal(zarr.open_array(store)[10:50, 3:70], items[10:50, 3:70])


@pytest.mark.parametrize("part", [np.s_[:], np.s_[3:9, 4]])
@pytest.mark.parametrize("change", [{"block_shape": [25, 20]}, {"block_shape": [50, 50]}, {"block_shape": [10, 9]}])
def test_chunks_of_other_configurations_are_refused(tmp_path, change, part):
    items = np.random.default_rng(1).random((50, 40))
    create(tmp_path / "a", items, (50, 40), b2nd.zarr.B2nd((10, 10)))
    metadata = json.loads((tmp_path / "a" / "zarr.json").read_text())
    metadata["codecs"][0]["configuration"].update(change)
    (tmp_path / "a" / "zarr.json").write_text(json.dumps(metadata))
    with pytest.raises(b2nd.FormatError):
        zarr.open_array(tmp_path / "a")[part]


@pytest.mark.parametrize("part", [np.s_[:], np.s_[300:900:2, 400:410]])
@pytest.mark.parametrize("keep", [0, 10, 40, 1000, 500_000, 4_000_000])
def test_damage_is_an_error(tmp_path, keep, part):
    items = np.random.default_rng(1).random((1000, 1000))
    array = create(tmp_path / "a", items, (1000, 1000), b2nd.zarr.B2nd((50, 50)))
    chunk = tmp_path / "a" / "c" / "0" / "0"
    chunk.write_bytes(chunk.read_bytes()[:keep])
    if part == np.s_[:] or keep < 4_000_000:
        with pytest.raises(b2nd.FormatError):
            array[part]


def test_chunks_that_are_missing_have_the_fill_value(tmp_path):
    items = np.ones((50, 40))
    array = create(tmp_path / "a", items, (25, 40), b2nd.zarr.B2nd((10, 10)), fill_value=7)
    shutil.rmtree(tmp_path / "a" / "c" / "0")
    assert (array[20:30, 5] == [7] * 5 + [1] * 5).all() and (array[:25] == 7).all()


def test_codecs_that_are_not_known_matter_to_new_chunks_alone(tmp_path):
    items = np.arange(100, dtype="<i8")
    create(tmp_path / "a", items, (100,), b2nd.zarr.B2nd((30,)))
    path = tmp_path / "a" / "zarr.json"
    metadata = json.loads(path.read_text())
    metadata["codecs"][0]["configuration"].update(cname="250", filters=["240"])
    path.write_text(json.dumps(metadata))
    array = zarr.open_array(tmp_path / "a")
    np.testing.assert_array_equal(array[:], items)
    with pytest.raises(b2nd.UnsupportedError):
        array[:] = items + 1


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"block_shape": [0, 4]}, "block_shape"),
        ({"cname": "no"}, "no"),
        ({"clevel": -1}, "-1"),
        ({"filters": ["no"]}, "no"),
        ({"endian": "middle"}, "middle"),
        ({"codec_meta": 256}, "256"),
    ],
)
def test_wrong_configurations_are_refused(options, named):
    with pytest.raises(ValueError, match=named):
        b2nd.zarr.B2nd(**{"block_shape": (4, 4), **options})


def test_configurations_fit_the_array():
    create_array = lambda codec, dtype="f8": zarr.create_array(MemoryStore(), shape=(9, 9), chunks=(9, 9), dtype=dtype, serializer=codec, compressors=None)
    with pytest.raises(ValueError, match="block_shape"):
        create_array(b2nd.zarr.B2nd((3,)))
    with pytest.raises(ValueError, match="endian"):
        create_array(b2nd.zarr.B2nd((3, 3), endian=None))
    codec = create_array(b2nd.zarr.B2nd((3, 3)), "u1").metadata.codecs[0].to_dict()
    assert codec == {"name": "b2nd", "configuration": {"block_shape": [3, 3], "cname": "zstd", "clevel": 5, "filters": ["shuffle"]}}
