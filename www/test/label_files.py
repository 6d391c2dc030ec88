"""Writes images with segmentations as nnU-Net and mlarray do, and a store of them, to a folder."""

import gzip
import json
import pickle
import sys
import types
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(47)


def write(name, items, chunks, blocks, **attrs):
    cparams = dict(codec=blosc2.Codec.ZSTD, clevel=3, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1, typesize=items.dtype.itemsize)
    array = blosc2.asarray(items, chunks=chunks, blocks=blocks, urlpath=str(folder / f"{name}.b2nd"), mode="w", cparams=cparams)
    for key, value in attrs.items():
        array.schunk.vlmeta[key] = value
    return array


# Two modalities of a body, with a liver, a tumour within, and an outside that nnU-Net marks by -1.
z, y, x = np.mgrid[:12, :60, :80]
body = np.hypot((y - 30) / 28, (x - 40) / 38) < 1
liver = ((y - 28) / 14) ** 2 + ((x - 30) / 18) ** 2 + ((z - 6) / 5) ** 2 < 1
tumour = ((y - 30) / 4) ** 2 + ((x - 34) / 5) ** 2 + ((z - 6) / 3) ** 2 < 1
labels = np.where(tumour, 2, np.where(liver, 1, np.where(body, 0, -1))).astype("i1")
image = np.stack([body * 100.0 + liver * 50 + z, np.sin(x / 9) * 40 + y]).astype("<f4")
image += rng.normal(0, 3, image.shape).astype("<f4")
# As mlarray describes space: no axis labels, spacing for each axis of space.
spatial = {
    "spacing": [3.0, 0.5, 0.5],
    "origin": [-20.0, 5.0, 7.0],
    "direction": [[1, 0, 0], [0, 1, 0], [0, 0, -1]],
    "axis_labels": ["channel", "spatial_z", "spatial_y", "spatial_x"],
    "axis_units": ["mm", "mm", "mm"],
}
names = {"background": 0, "liver": 1, "tumour": 2}
colours = {"colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}, {"label-value": 2, "rgba": [0, 255, 0, 255]}]}
# It pickles them, with the shape as a list of a class of its own.
module = types.ModuleType("mlarray.meta")
module._FrozenList = type("_FrozenList", (list,), {"__module__": "mlarray.meta", "__reduce__": lambda self: (module._FrozenList, (list(self),))})
sys.modules["mlarray"], sys.modules["mlarray.meta"] = types.ModuleType("mlarray"), module
meta = {"spatial": spatial | {"shape": module._FrozenList(image.shape), "affine": None}, "is_seg": {"is_seg": False}}
write("case", image, (1, 12, 60, 80), (1, 4, 30, 40), mlarray=gzip.compress(pickle.dumps(meta, protocol=5), mtime=0))
write("case_seg", labels[None], (1, 12, 60, 80), (1, 4, 30, 40), labels=names, **{"image-label": colours})
write("huge_seg", np.full((1800, 2400), 2**60, "<i8"), (300, 2400), (100, 600))
write("many_seg", np.arange(1800 * 2400, dtype="<i4").reshape(1800, 2400), (300, 2400), (100, 600))
write("wrong", np.zeros((3, 3), "i1"), (3, 3), (3, 3))
# A colour image, with the channels last.
colour = np.stack([x[0] * 3, y[0] * 4, x[0] * 0 + 90], -1).astype("u1")
write("colour", colour, (60, 80, 3), (30, 80, 3))
write("colour_seg", (labels[6] == 1), (60, 80), (30, 80))
# An image that is larger than the screen, in which each label has one place.
rows, columns = np.mgrid[:1800, :2400]
write("large", (rows + columns).astype("<u2"), (300, 2400), (100, 600))
write("large_seg", (rows // 600 * 4 + columns // 600).astype("<u2"), (300, 2400), (100, 600))

with blosc2.TreeStore(str(folder / "cases.b2z"), mode="w") as store:
    for key, items in [("/a/ct", image[0]), ("/a/ct_seg", labels), ("/b/ct", image[1])]:
        store[key] = blosc2.asarray(items, chunks=(12, 60, 80), blocks=(4, 30, 40))

count = {str(label): int((labels == label).sum()) for label in (1, 2)}
plane = {str(label): int((labels[6] == label).sum()) for label in (1, 2)}
(folder / "expected.json").write_text(json.dumps({"count": count, "plane": plane}))
