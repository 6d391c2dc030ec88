"""Writes arrays with an axis of channels, and composites of them by NumPy, to a folder."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(31)
MAGENTA, GREEN, CYAN, YELLOW, RED = (255, 0, 255), (0, 255, 0), (0, 255, 255), (255, 255, 0), (255, 0, 0)
expected = {}


def write(name, items, chunks, blocks, **attrs):
    cparams = dict(codec=blosc2.Codec.LZ4, clevel=1, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1, typesize=items.dtype.itemsize)
    array = blosc2.asarray(items, chunks=chunks, blocks=blocks, urlpath=str(folder / f"{name}.b2nd"), mode="w", cparams=cparams)
    for key, value in attrs.items():
        array.schunk.vlmeta[key] = value


def composite(planes, colours, ranges):
    """The picture of some planes, each with a colour and the values without and of full light."""
    image = np.zeros((*planes[0].shape, 3))
    for plane, colour, (low, high) in zip(planes, colours, ranges):
        light = np.nan_to_num(np.clip((plane.astype("f8") - low) / (high - low), 0, 1))
        image += light[..., None] * np.array(colour)
    return np.rint(image.clip(0, 255)).astype(int)


def spans(planes):
    return [(float(np.nanmin(plane)), float(np.nanmax(plane))) for plane in planes]


def look(name, planes, colours, ranges, state="", picks=8, within=None):
    """Some items of a composite: column, row, colour, the values of the channels."""
    image = composite(planes, colours, ranges)
    height, width = within or image.shape[:2]
    at = [(int(rng.integers(width)), int(rng.integers(height))) for _ in range(picks)]
    items = [[x, y, image[y, x].tolist(), [str(plane[y, x]) for plane in planes]] for x, y in at]
    expected.setdefault(name, []).append({"state": state, "ranges": ranges, "items": items})


# Two channels of a microscope, as bytes: the usual pair of colours.
y, x = np.mgrid[:200, :240]
pair = np.stack([120 + 100 * np.sin(x / 17) * np.cos(y / 23), 90 + 80 * np.cos((x + y) / 31)]).round().astype("u1")
write("pair", pair, (1, 100, 120), (1, 50, 60))
look("pair", pair, [MAGENTA, GREEN], spans(pair), "view=composite")

# Named channels, planes one above the other.
z = np.arange(6)[:, None, None]
cells = np.stack([900 + 800 * np.sin(x / (20 + 5 * c) + z / 2) * np.cos(y / 30 + c) + 100 * z for c in range(3)]).round().astype("<u2")
write("cells", cells, (1, 2, 100, 120), (1, 1, 50, 60), dims=["c", "z", "y", "x"], channel_names=["DAPI", "GFP", "RFP"])
three = [MAGENTA, GREEN, CYAN]
kept = spans(cells[:, 2])
look("cells", cells[:, 2], three, kept, "view=composite&index=0,2,0,0")
# The ranges are kept from plane to plane.
look("cells", cells[:, 3], three, kept, "view=composite&index=0,3,0,0")
look("cells", cells[:, 3], three, spans(cells[:, 3]), "view=composite&index=0,3,0,0&range=plane")
largest = cells.max(axis=1)
look("cells", largest, three, spans(largest), "view=composite&project=max:1")
# Colours, a range and what is seen, from a link.
chosen = "view=composite&index=0,2,0,0&channels=ff0000_500_1500,-,ffff00"
look("cells", cells[[0, 2], 2], [RED, YELLOW], [(500, 1500), kept[2]], chosen)

# Channels last, of doubles with NaN.
last = np.stack([np.sin(x / 19) * 1e-3, np.hypot(x, y) * 1e4], -1)
last[40:60, 50:90, 0] = np.nan
write("last", last, (100, 120, 2), (50, 60, 2), dims=["y", "x", "band"])
look("last", [last[..., 0], last[..., 1]], [MAGENTA, GREEN], spans([last[..., 0], last[..., 1]]), "view=composite", picks=12)

# More items than pixels: tiles of one value each, whose neighbours only have it as their mean.
rows, columns = np.mgrid[:2560, :2560]
tiles = np.stack([(rows // 160 * 16 + columns // 160) * 150 + 1000, 40_000 - columns // 160 * 2000])
tiles = (tiles + np.where((rows + columns) % 2, 700, -700)).astype("<u2")
write("tiles", tiles, (1, 640, 2560), (1, 64, 640))
mean = tiles.reshape(2, 16, 160, 16, 160).mean(axis=(2, 4))
image = composite(mean, [MAGENTA, GREEN], spans(tiles))
items = [[int(c * 160 + 80), int(r * 160 + 80), image[r, c].tolist(), []] for r, c in rng.integers(0, 16, (8, 2))]
expected["tiles"] = [{"state": "view=composite", "ranges": spans(tiles), "items": items}]

# A large photograph.
rows, columns = np.mgrid[:2000, :2000]
write("photo", np.stack([rows, columns, rows ^ columns], -1).astype("u1"), (500, 500, 3), (50, 500, 3))

# As OME-NGFF says it.
omero = {"channels": [{"label": "nuclei", "color": "FF8000", "window": {"start": 10, "end": 200}}, {"label": "debris", "active": False}]}
write("omero", pair, (1, 100, 120), (1, 50, 60), omero=omero)
look("omero", pair[:1], [(255, 128, 0)], [(10, 200)], "view=composite")

(folder / "expected.json").write_text(json.dumps(expected))
