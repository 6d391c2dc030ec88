"""The backend of xarray."""

import blosc2
import numpy as np
import pytest
import xarray


def write(path, array, **attrs):
    made = blosc2.asarray(array, urlpath=str(path), mode="w", chunks=(5, *array.shape[1:]))
    for name, value in attrs.items():
        made.schunk.vlmeta[name] = value
    return path


def test_names_coordinates_and_parts(tmp_path):
    expected = np.arange(2400.0).reshape(20, 10, 12)
    coords = {"time": {"data": list(range(20)), "attrs": {"units": "days since 2000-01-01"}}, "x": [n / 2 for n in range(12)]}
    path = write(tmp_path / "t2m.b2nd", expected, dims=["time", "y", "x"], coords=coords, long_name="warm")
    dataset = xarray.open_dataset(path)
    array = dataset["t2m"]
    assert array.dims == ("time", "y", "x")
    assert array.attrs["long_name"] == "warm"
    assert array.time.values[1] == np.datetime64("2000-01-02")
    assert list(array.x.values[:3]) == [0.0, 0.5, 1.0]
    np.testing.assert_array_equal(array.sel(x=1.5, time="2000-01-04"), expected[3, :, 3])
    np.testing.assert_array_equal(array[::-3, [1, 5], -2], expected[::-3, [1, 5], -2])


def test_dask_takes_the_chunks(tmp_path):
    expected = np.arange(200).reshape(20, 10)
    dataset = xarray.open_dataset(write(tmp_path / "a.b2nd", expected), engine="b2nd", chunks={})
    assert dataset["a"].dims == ("dim_0", "dim_1")
    assert dataset["a"].chunks == ((5, 5, 5, 5), (10,))
    assert int(dataset["a"].sum()) == expected.sum()


def test_regular_axes(tmp_path):
    path = write(tmp_path / "a.b2nd", np.zeros((3, 4)), spacing=[2.0, 0.5], origin=[1.0, 0.0], axes=["y", "x"], units=["mm", "mm"])
    dataset = xarray.open_dataset(path)
    assert list(dataset.y.values) == [1.0, 3.0, 5.0]
    assert dataset.x.attrs == {"units": "mm"}


def test_ngff(tmp_path):
    scale = [{"type": "scale", "scale": [2.0, 1.0]}]
    image = {"axes": [{"name": "y", "unit": "micrometer"}, {"name": "x"}], "datasets": [{"path": "0", "coordinateTransformations": scale}]}
    dataset = xarray.open_dataset(write(tmp_path / "a.b2nd", np.zeros((3, 4)), multiscales=[image]))
    assert list(dataset.y.values) == [0.0, 2.0, 4.0]


def test_hostile_attributes_are_left_alone(tmp_path):
    for n, attrs in enumerate([{"dims": ["x", "x"]}, {"dims": 5}, {"coords": [1]}, {"multiscales": [7]}, {"dims": ["a", "b", "c"]}]):
        dataset = xarray.open_dataset(write(tmp_path / f"v{n}.b2nd", np.zeros((3, 4)), **attrs))
        assert dataset[f"v{n}"].dims == ("dim_0", "dim_1")


def test_missing_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        xarray.open_dataset(tmp_path / "none.b2nd", engine="b2nd")
