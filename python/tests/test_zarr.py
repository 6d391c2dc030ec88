"""The codec in zarr-python."""

import b2nd
import b2nd.zarr
import blosc2
import numpy as np
import pytest
import zarr

CASES = [
    (cname, shuffle, dtype)
    for cname in b2nd.zarr.CNAMES
    for shuffle in b2nd.zarr.SHUFFLES
    for dtype in ("u1", "<i4", "<f8")
]


@pytest.mark.parametrize(("cname", "shuffle", "dtype"), CASES)
def test_arrays_round_trip_and_the_reference_reads_chunks(tmp_path, cname, shuffle, dtype):
    expected = (np.arange(50 * 61).reshape(50, 61) % 113).astype(dtype)
    codec = b2nd.zarr.Blosc2(cname=cname, shuffle=shuffle)
    array = zarr.create_array(
        tmp_path / "a.zarr", shape=expected.shape, chunks=(20, 61), dtype=dtype, compressors=codec
    )
    array[:] = expected
    np.testing.assert_array_equal(zarr.open_array(tmp_path / "a.zarr")[:], expected)
    chunk = (tmp_path / "a.zarr" / "c" / "0" / "0").read_bytes()
    assert blosc2.decompress2(chunk) == expected[:20].tobytes()


def test_chunks_of_the_reference_are_read(tmp_path):
    expected = np.linspace(0, 1, 1000)
    array = zarr.create_array(
        tmp_path / "a.zarr", shape=1000, chunks=1000, dtype="f8", compressors=b2nd.zarr.Blosc2()
    )
    chunk = blosc2.compress2(expected, codec=blosc2.Codec.LZ4, filters=[blosc2.Filter.BITSHUFFLE], typesize=8)
    array[:] = 1
    (tmp_path / "a.zarr" / "c" / "0").write_bytes(chunk)
    np.testing.assert_array_equal(array[:], expected)


@pytest.mark.parametrize("keep", [0, 10, 40, 100])
def test_damage_is_an_error(tmp_path, keep):
    array = zarr.create_array(
        tmp_path / "a.zarr", shape=1000, chunks=1000, dtype="f8", compressors=b2nd.zarr.Blosc2()
    )
    array[:] = np.random.default_rng(1).random(1000)
    chunk = tmp_path / "a.zarr" / "c" / "0"
    chunk.write_bytes(chunk.read_bytes()[:keep])
    with pytest.raises(b2nd.B2ndError):
        array[:]
    chunk.write_bytes(blosc2.compress2(np.zeros(999)))
    with pytest.raises(ValueError, match="7992 bytes, not 8000"):
        array[:]


@pytest.mark.parametrize(
    "options", [{"cname": "snappy"}, {"shuffle": "no"}, {"clevel": 10}, {"clevel": True}, {"typesize": 0}, {"blocksize": -1}]
)
def test_wrong_configurations_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        b2nd.zarr.Blosc2(**options)


def test_the_size_of_items_is_that_of_the_dtype(tmp_path):
    array = zarr.create_array(tmp_path / "a.zarr", shape=10, dtype="f8", compressors=b2nd.zarr.Blosc2())
    assert array.metadata.codecs[-1].to_dict()["configuration"]["typesize"] == 8
