"""Writes a store of images with smaller copies of themselves: `level_files.py FOLDER`.

Each copy has 10 000 more than the means of the one before, so that it is seen which is shown.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
CPARAMS = dict(codec=blosc2.Codec.ZSTD, clevel=3, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1)
SHAPE = (5001, 3000)


def compressed(items):
    return blosc2.asarray(items, chunks=(500, 3000), blocks=(125, 750), cparams=CPARAMS | {"typesize": items.itemsize})


def smaller(items):
    """Means of two by two items; the last row stands alone."""
    rows = np.concatenate([items, items[-1:]]) if len(items) % 2 else items
    return (rows.reshape(len(rows) // 2, 2, -1, 2).mean((1, 3)) + 10_000).astype(items.dtype)


rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]]
image = (rows // 8 + columns // 4).astype("<i2")
levels = [image]
for _ in range(2):
    levels.append(smaller(levels[-1]))
with blosc2.TreeStore(str(folder / "levels.b2z"), mode="w") as store:
    for k, level in enumerate(levels):
        store[f"/listed/{'full half quarter'.split()[k]}"] = compressed(level)
        store[f"/numbered/s{k}"] = compressed(level)
    # Another image beside them, and one of another kind.
    store["/numbered/s9"] = compressed(np.zeros((20, 20), "<i2"))
    store["/numbered/s8"] = compressed(levels[1].astype("<f4"))
    axes = [{"name": name, "type": "space", "unit": "micrometer"} for name in "yx"]
    datasets = [
        {"path": path, "coordinateTransformations": [{"type": "scale", "scale": [0.5 * 2**k, 0.25 * 2**k]}]}
        for k, path in enumerate("full half quarter".split())
    ]
    store.get_subtree("/listed").vlmeta["multiscales"] = [{"version": "0.4", "axes": axes, "datasets": datasets}]
