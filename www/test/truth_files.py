"""Writes arrays that viewers easily show wrongly or incompletely, and their values by NumPy, to a folder."""

import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(14)


def options(dtype, chunks, blocks, name):
    cparams = dict(codec=blosc2.Codec.LZ4, clevel=1, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1, typesize=np.dtype(dtype).itemsize)
    return dict(chunks=chunks, blocks=blocks, urlpath=str(folder / f"{name}.b2nd"), mode="w", cparams=cparams)


def write(name, items, chunks, blocks):
    return blosc2.asarray(items, **options(items.dtype, chunks, blocks, name))


# Hardly anything among many zeros.
plane = np.zeros((4000, 4000), "<f4")
plane[2001, 1001] = 1000
plane[[10, 3999], [20, 3998]] = np.nan
write("needle", plane, (500, 500), (125, 250))

# Neighbours differ everywhere.
z, y, x = np.ogrid[:3, :2304, :2304]
write("neighbours", ((y * 7 + x * 13 + z * 29) % 65521).astype("<u2"), (1, 256, 2304), (1, 32, 256))

# Two spikes in a long line.
line = np.zeros(10_000_000, "<f4")
line[[3_333_333, 7_777_777]] = [5, -3]
write("spikes", line, (1_000_000,), (50_000,))

# Values that are computed from another file.
operand = write("operand", np.arange(600, dtype="<i4").reshape(30, 20), (10, 12), (5, 4))
(operand * 2 - 1).save(str(folder / "lazy.b2nd"), cparams=options("<i4", None, None, "lazy")["cparams"])

# Several values in a field.
several = np.zeros(3, [("v", "V3", (2,)), ("c", "<c8", (2,)), ("s", "S2", (2,)), ("n", "<i2", (2, 2))])
several["v"] = [b"abc", b"d\0f"]
several["c"] = [1 + 2j, 3 - 1j]
several["s"] = [b"x", b"yz"]
several["n"] = np.arange(12).reshape(3, 2, 2)
write("several", several, (3,), (3,))

# 31 MB that do not compress.
noise = rng.integers(0, 2**32, 7_800_000, "<u4")
write("noise", noise, (300_000,), (20_000,))

# Integers that doubles do not tell apart.
write("gradient", np.uint64(2**63) + np.arange(12_000, dtype="<u8").reshape(100, 120), (50, 60), (25, 30))

# On both sides of zero.
write("signs", (np.arange(6400, dtype="<f8").reshape(80, 80) - 3200) / 64, (40, 40), (20, 20))

# Large, and with little between.
write("plateau", 1.7e18 + np.arange(6400, dtype="<f8").reshape(80, 80) * 4096, (40, 40), (20, 20))

# Of 6 × 8 chunks half were written.
partly = blosc2.uninit((60, 80), "<i4", **options("<i4", (10, 10), (5, 5), "partly"))
for row in range(6):
    for column in range(row % 2, 8, 2):
        partly[row * 10 : row * 10 + 10, column * 10 : column * 10 + 10] = np.arange(100).reshape(10, 10) - 50

# The same of a volume.
hollow = blosc2.uninit((8, 60, 80), "<i4", **options("<i4", (4, 30, 40), (2, 15, 20), "hollow"))
hollow[:4, :30] = np.arange(4 * 30 * 80).reshape(4, 30, 80)

# Along the first axis lie NaN, infinities of both signs, and of large integers neighbours.
odd = rng.normal(size=(5, 20, 30))
odd[1, 3, 4] = np.nan
odd[[0, 2], 5, [6, 7]] = np.inf
odd[4, 5, 8] = -np.inf
odd[:, 9, 9] = [np.inf, -np.inf, 1, 2, 3]
write("odd", odd, (2, 10, 30), (1, 5, 30))
write("tall", 2**60 + rng.permutation(4 * 20 * 30).reshape(4, 20, 30), (2, 10, 30), (1, 5, 30))

# What text formats have trouble with.
write("floats", np.array([1e308, -1e308, -0.0, 0.1, 5e-324, np.nan, np.inf, -np.inf]), (8,), (8,))
inner = np.dtype([("x", "<f8"), ("y", "<i8")])
nested = np.zeros(3, [("at", inner), ("grid", "<i2", (2, 2)), ("name", "<U4"), ("z", "<c8")])
nested["at"]["x"] = [1e308, -0.0, np.nan]
nested["at"]["y"] = [2**62, -1, 0]
nested["grid"] = np.arange(12).reshape(3, 2, 2)
nested["name"] = ["a,b", 'a"b', ""]
nested["z"] = [1 + 2j, -0.0 - 1j, 0]
write("nested", nested, (3,), (3,))

blosc2.zeros((200_000, 200_000), "<f8", **options("<f8", (10_000, 10_000), (100, 10_000), "zeros"))


def described(name, items, chunks, blocks, **attrs):
    array = write(name, items, chunks, blocks)
    for key, value in attrs.items():
        array.schunk.vlmeta[key] = value


# Axes with names, units and coordinates, as several conventions have them.
volume = np.arange(8 * 60 * 80, dtype="<u2").reshape(8, 60, 80)
described("voxels", volume, (4, 30, 40), (2, 15, 20), dims=["z", "y", "x"], units=["µm"] * 3, voxel=[2.0, 0.5, 0.25])
axes = [{"name": "c", "type": "channel"}] + [{"name": name, "type": "space", "unit": "micrometer"} for name in "yx"]
scale = [{"type": "scale", "scale": [1, 0.5, 0.5]}, {"type": "translation", "translation": [0, 100, 200]}]
image = {"version": "0.4", "axes": axes, "datasets": [{"path": "0", "coordinateTransformations": scale}]}
described("ngff", volume[:3], (1, 30, 40), (1, 15, 20), multiscales=[image])
hours = {"dims": ["time"], "data": list(range(0, 2400, 10)), "attrs": {"units": "hours since 2001-02-03"}}
described("series", np.sin(np.arange(240) / 20), (60,), (30,), dims=["time"], coords={"time": hours}, units="K")
depths = {"depth": [0.0, 1.0, 3.0, 10.0, 30.0, 100.0], "lat": {"data": [float(v) for v in range(90, -91, -5)], "attrs": {"units": "degrees_north"}}}
described("ocean", np.arange(6 * 37, dtype="<f4").reshape(6, 37), (6, 37), (3, 37), dims=["depth", "lat"], coords=depths)

described("zcyx", np.arange(20 * 2 * 6 * 8, dtype="<u2").reshape(20, 2, 6, 8), (10, 1, 6, 8), (5, 1, 6, 8), axes="zcyx", pixel_size=[2.0, 0.5, 0.25], units=["µm"] * 3)

# More NaN than marks that anybody counts, and one infinity.
infinite = np.zeros((2200, 2200), "<f4")
infinite[:5] = np.nan
infinite[1500, 1600] = np.inf
write("infinite", infinite, (550, 550), (110, 550))

# One item is far from all others.
hot = rng.normal(size=(90, 90))
hot[10, 10] = 1e6
write("hot", hot, (90, 90), (30, 90))

# One of 12 chunks is damaged.
array = write("damaged", rng.integers(0, 9, (60, 80)).astype("f8"), (20, 20), (10, 20))
chunk = array.schunk.get_chunk(5)
del array
path = folder / "damaged.b2nd"
frame = bytearray(path.read_bytes())
start = frame.index(chunk[32:80]) - 32
frame[start + 32 : start + 40] = b"\xff" * 8
path.write_bytes(frame)
# One of 24 blocks, in the second of two chunks, is damaged.
array = write("spoiled", rng.integers(0, 9, (60, 80)).astype("f8"), (30, 80), (10, 20))
chunk = array.schunk.get_chunk(1)
del array
path = folder / "spoiled.b2nd"
frame = bytearray(path.read_bytes())
start = frame.index(chunk[32:80]) - 32
at = start + int.from_bytes(chunk[32 + 4 * 6 :][:4], "little")
frame[at + 4 : at + 12] = b"\xff" * 8
path.write_bytes(frame)
(folder / "cut.b2nd").write_bytes((folder / "needle.b2nd").read_bytes()[:-400])

samples = {}
for name in ["needle", "neighbours", "spikes", "gradient", "signs", "plateau"]:
    array = blosc2.open(str(folder / f"{name}.b2nd"), mode="r")
    places = [tuple(int(rng.integers(0, n)) for n in array.shape) for _ in range(20)]
    samples[name] = [[list(at), str(array[at][()])] for at in places]
(folder / "expected.json").write_text(json.dumps(samples))
