"""Arrays with coordinates by the reference, in files of their own and in stores, and a table in a directory.

    arrays.py OUT_DIR
"""

import dataclasses
import sys
from pathlib import Path

import blosc2
import numpy as np

TEMPERATURE = np.arange(3 * 40 * 50, dtype="f4").reshape(3, 40, 50)
LAT = np.linspace(80.0, -76.0, 40)


def plain(path):
    """Coordinates in the attributes, as xarray's `to_dict` writes them."""
    array = blosc2.asarray(TEMPERATURE, urlpath=str(path), mode="w", chunks=(1, 10, 50), blocks=(1, 5, 50))
    array.schunk.vlmeta["dims"] = ["time", "lat", "lon"]
    array.schunk.vlmeta["coords"] = {
        "time": {"dims": ["time"], "data": [0, 6, 12], "attrs": {"units": "hours since 2000-01-01"}},
        "lat": LAT.tolist(),
    }


def store(path):
    """Coordinates in arrays beside the array."""
    with blosc2.TreeStore(str(path), mode="w", threshold=0) as tree:
        temperature = blosc2.asarray(TEMPERATURE, chunks=(1, 10, 50), blocks=(1, 5, 50))
        temperature.schunk.vlmeta["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"]
        time = blosc2.asarray(np.array([0, 6, 12]))
        time.schunk.vlmeta["units"] = "hours since 2000-01-01"
        tree["/run/temperature"] = temperature
        tree["/run/time"] = time
        tree["/run/lat"] = blosc2.asarray(LAT)
        # No coordinates of an axis with 50 positions.
        tree["/run/lon"] = blosc2.asarray(np.arange(49.0))


def table(path):
    fields = [("id", int, blosc2.field(blosc2.int64())), ("name", str, blosc2.field(blosc2.utf8()))]
    rows = blosc2.CTable(dataclasses.make_dataclass("Row", fields), urlpath=str(path), mode="w", expected_size=5000)
    rows.extend({"id": np.arange(5000), "name": ["name%d" % (n % 7) for n in range(5000)]})
    rows.close()


def main():
    folder = Path(sys.argv[1])
    plain(folder / "plain.b2nd")
    store(folder / "archive.b2z")
    store(folder / "directory.b2d")
    table(folder / "table.b2d")


main()
