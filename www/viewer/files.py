"""Writes the test arrays of the viewer, and the expected results: `files.py FOLDER [--big]`.

Also writes the examples of the page: `files.py FOLDER --examples www/viewer/examples`.
"""

import argparse
import json
import shutil
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

EXAMPLES = ["field", "stack", "photo", "labels", "table", "signal"]
RANDOM = np.random.default_rng(20)


def compression(clevel, codec=blosc2.Codec.ZSTD, filters=(blosc2.Filter.SHUFFLE,), splitmode=blosc2.SplitMode.AUTO_SPLIT):
    return {"codec": codec, "clevel": clevel, "filters": list(filters), "splitmode": splitmode, "nthreads": 1}


def quantised(data, steps):
    """Rounds data so that it compresses well, to keep the examples small."""
    return np.round(data * steps) / steps


def field():
    """Travelling waves on a plane, hour by hour."""
    hour, y, x = np.meshgrid(np.arange(24), np.linspace(-3, 3, 120), np.linspace(-4, 4, 160), indexing="ij")
    swirl = np.hypot(x - np.cos(hour / 4), y - np.sin(hour / 4))
    data = 12 + 9 * np.cos(2.2 * swirl - hour / 3) * np.exp(-swirl / 3) - 2 * y
    attrs = {"title": "Temperature over a day", "units": "°C", "source": {"model": "waves", "version": [1, 2]}}
    return quantised(data, 32).astype("<f4"), {"chunks": (4, 60, 80), "blocks": (2, 30, 40)}, attrs


def stack():
    """Spots of light in noise, as in microscopy."""
    data = np.zeros((24, 192, 192), "<u2")
    y, x = np.mgrid[:192, :192]
    centres = RANDOM.uniform([0, 0, 0, 6], [24, 192, 192, 18], (40, 4))
    for z in range(len(data)):
        light = np.full((192, 192), 90.0)
        for cz, cy, cx, size in centres:
            distance = ((x - cx) ** 2 + (y - cy) ** 2) / size**2 + ((z - cz) / 4) ** 2
            light += 4000 * np.exp(-distance * 2) * (distance < 4)
        data[z] = RANDOM.poisson(light / 64) * 64
    return data, {"chunks": (8, 96, 96), "blocks": (1, 48, 48)}, {"channel": "GFP", "voxel": [0.5, 0.2, 0.2]}


def photo():
    """A synthetic landscape."""
    y, x = np.mgrid[0:1:180j, 0:1:240j]
    ridge = 0.55 + 0.12 * np.sin(5 * x + 1) + 0.05 * np.sin(17 * x) + 0.02 * np.sin(41 * x + 2)
    sun = np.exp(-(((x - 0.72) ** 2 * 1.8 + (y - 0.3) ** 2) / 0.01))
    sky = np.stack([0.95 - 0.7 * (1 - y), 0.55 - 0.15 * (1 - y) + 0 * x, 0.35 + 0.35 * (1 - y)], -1)
    sky = sky + sun[..., None] * np.array([0.6, 0.5, 0.3])
    depth = np.clip((y - ridge) / 0.45, 0, 1)[..., None]
    land = np.array([0.16, 0.13, 0.22]) * (1 - depth) + np.array([0.05, 0.2, 0.18]) * depth
    data = np.where((y > ridge)[..., None], land, sky)
    return (np.clip(data, 0, 1) * 255).astype("u1"), {"chunks": (90, 120, 3), "blocks": (45, 60, 3)}, {}


def labels():
    """Labels: the nearest of forty points."""
    y, x = np.mgrid[:200, :300]
    points = RANDOM.uniform([0, 0], [200, 300], (40, 2))
    distance = np.hypot(y[..., None] - points[:, 0], x[..., None] - points[:, 1])
    data = np.where(distance.min(-1) < 24, distance.argmin(-1) + 1, 0)
    return data.astype("<i4"), {"chunks": (100, 100), "blocks": (50, 50)}, {"what": "cells"}


def holes():
    """Values with NaN and infinities."""
    y, x = np.mgrid[:120, :200]
    data = np.exp(np.sin(x / 20) * 4 + np.cos(y / 15) * 3)
    data[30:60, 40:90] = np.nan
    data[10, 10:20] = np.inf
    data[12, 10:20] = -np.inf
    return data, {"chunks": (40, 50), "blocks": (20, 25)}, {}


def table():
    """Measurements of stations."""
    rows = 5000
    data = np.zeros(rows, [("when", "<M8[s]"), ("station", "<U8"), ("kelvin", "<f4"), ("count", "<i4"), ("valid", "?")])
    data["when"] = np.datetime64("2024-02-28T22:00:00") + np.arange(rows) * np.timedelta64(600, "s")
    data["station"] = np.array(["Åre", "Bergen", "Cádiz", "Delft"])[np.arange(rows) % 4]
    data["kelvin"] = 280 + 8 * np.sin(np.arange(rows) / 144 * 2 * np.pi) + RANDOM.normal(0, 1, rows)
    data["count"] = RANDOM.integers(0, 1000, rows)
    data["valid"] = RANDOM.random(rows) < 0.95
    return data, {"chunks": (1000,), "blocks": (250,)}, {}


def signal():
    """A damped chirp."""
    t = np.linspace(0, 20, 100_000)
    data = np.sin(2 * np.pi * (0.2 + t / 8) * t) * np.exp(-((t - 10) ** 2) / 30) + RANDOM.normal(0, 0.01, len(t))
    return quantised(data, 128), {"chunks": (50_000,), "blocks": (5_000,)}, {"rate": 5_000}


def traces():
    time = np.arange(2000) / 100
    return np.stack([np.sin(time * (k + 1) / 3) + k for k in range(6)]).astype("<f4"), {"chunks": (3, 500), "blocks": (1, 100)}, {}


def waves():
    y, x = np.mgrid[-1:1:64j, -1:1:96j]
    return ((x + 1j * y) ** 3).astype("<c8"), {"chunks": (32, 48), "blocks": (16, 24)}, {}


def words():
    return np.array([f"word {k} – ünï" if k % 7 else "" for k in range(50)], "<U14"), {"chunks": (20,), "blocks": (10,)}, {}


def dates():
    data = np.datetime64("1999-12-25") + np.arange(400) * np.timedelta64(1, "D")
    data[5] = np.datetime64("NaT")
    return data, {"chunks": (100,), "blocks": (50,)}, {}


def scalar():
    return np.array(42.125), {"chunks": (), "blocks": ()}, {"unit": "m"}


def large():
    data = (np.arange(30, dtype="<i8").reshape(6, 5) - 15) * 2**58 // 3
    return data, {"chunks": (3, 5), "blocks": (3, 5)}, {}


def mixture():
    y, x, z, w = np.ogrid[:7, :6, :9, :8]
    return (y * 1000 + x * 100 + z * 10 + w).astype(">i2"), {"chunks": (3, 3, 4, 4), "blocks": (2, 2, 2, 4)}, {}


def sprite():
    """RGBA that fades out to the right."""
    y, x = np.mgrid[:40, :50]
    return np.stack([y * 6, x * 5, 0 * x + 200, 255 - x * 5], -1).astype("u1"), {"chunks": (40, 50, 4), "blocks": (20, 25, 4)}, {}


def named():
    return np.arange(120, dtype="<i2").reshape(4, 5, 6), {"chunks": (2, 5, 6), "blocks": (1, 5, 6)}, {"dims": ["time", "row", "column"]}


def long():
    return np.array([f"line {k}: " + "word " * 14 for k in range(9)], "<U90"), {"chunks": (9,), "blocks": (9,)}, {}


def warmer():
    """The field with a slope that identifies each item."""
    data, shape, _ = field()
    return data + (np.arange(160) / 32).astype("<f4"), shape, {}


def other():
    """A second stack. Its difference from the first one alternates in sign between planes."""
    z, y, x = np.ogrid[:24, :192, :192]
    return (900 + 60 * z + x - y + 0 * x * y).astype("<u2"), {"chunks": (6, 64, 192), "blocks": (2, 32, 64)}, {}


def tissue():
    """Cells in three colours, as in microscopy: membranes, nuclei, and spots between them."""
    z, y, x = np.meshgrid(np.arange(8), np.arange(240), np.arange(320), indexing="ij")
    random = np.random.default_rng(8)
    centres = random.uniform([0, 0, 0], [8, 240, 320], (60, 3))
    distance = np.sort([np.hypot(np.hypot(y - cy, x - cx), 6 * (z - cz)) for cz, cy, cx in centres], axis=0)[:2]
    membranes = 3000 * np.exp(-((distance[1] - distance[0]) ** 2) / 12)
    nuclei = 2600 / (1 + np.exp((distance[0] - 11) / 1.5))
    spots = sum(3500 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2 + 25 * (z - cz) ** 2) / 5) for cz, cy, cx in random.uniform([0, 0, 0], [8, 240, 320], (120, 3)))
    data = random.poisson((np.stack([membranes, nuclei, spots]) + 120) / 16) * 16
    attrs = {"dims": ["c", "z", "y", "x"], "channel_names": ["membranes", "nuclei", "spots"], "voxel": [1, 0.5, 0.2, 0.2], "units": ["", "µm", "µm", "µm"]}
    return data.astype("<u2"), {"chunks": (1, 4, 120, 160), "blocks": (1, 1, 60, 80)}, attrs


def sixteen():
    """The maximum number of axes, of lengths 2 and 3."""
    shape = (2,) * 8 + (1,) * 4 + (3, 3, 2, 3)
    return np.arange(np.prod(shape), dtype="<i4").reshape(shape), {"chunks": shape, "blocks": shape}, {}


ARRAYS = [field, stack, photo, labels, holes, table, signal, traces, waves, words, dates, scalar, large, mixture, sprite, named, sixteen, long, warmer, other, tissue]


def unknown(path):
    """Compressed by a custom codec."""

    def encode(source, target, meta, schunk):
        packed = zlib.compress(bytes(source))
        target[: len(packed)] = np.frombuffer(packed, "u1")
        return len(packed)

    blosc2.register_codec("mystery", 201, encode, encode)
    cparams = compression(5, 201, [blosc2.Filter.NOFILTER], blosc2.SplitMode.NEVER_SPLIT)
    data = np.arange(6000, dtype="<i4").reshape(60, 100)
    blosc2.asarray(data, urlpath=str(path), mode="w", chunks=(30, 50), blocks=(15, 25), cparams=cparams, meta={"origin": "a cave"}, dparams={"nthreads": 1})


def store(path):
    """A store of two arrays in a directory or an archive."""
    with blosc2.DictStore(str(path), mode="w", cparams=blosc2.CParams(**compression(5))) as tree:
        for name, data in {"/a/ramp": np.arange(60, dtype="<i4").reshape(6, 10), "/flat": np.full((4, 4), 7.5)}.items():
            tree[name] = blosc2.asarray(data, chunks=data.shape, blocks=data.shape, cparams=compression(5))


def rows(path):
    """A table of 1000 rows."""

    @dataclass
    class Row:
        number: int = blosc2.field(blosc2.int64())
        share: float = blosc2.field(blosc2.float64())

    cparams = blosc2.CParams(**compression(5))
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", cparams=cparams, create_summary_index=False)
    table.extend({"number": np.arange(1000), "share": np.arange(1000) / 8})
    table.close()


def many(path):
    """250 000 chunks in some kB: half of them zeros, half NaN, stored only in the index."""
    blosc2.zeros((4000, 4000), dtype="<f4", chunks=(8, 8), blocks=(8, 8), cparams=compression(5), urlpath=str(path), mode="w")
    frame = path.read_bytes()
    header = frame[: int.from_bytes(frame[11:15], "big")]
    trailer = frame[-int.from_bytes(frame[-22:-18], "big") :]
    nan = np.random.default_rng(1).random(250_000) < 0.5
    index = np.where(nan, np.uint64(0x82 << 56), np.uint64(0x81 << 56)).astype("<u8")
    chunk = blosc2.compress2(index, typesize=8, blocksize=16384, **compression(9))
    length = len(header) + len(chunk) + len(trailer)
    path.write_bytes(header[:16] + length.to_bytes(8, "big") + header[24:] + chunk + trailer)


def wide(path):
    """160 GB of zeros."""
    blosc2.zeros((200_000, 200_000), dtype="<f4", chunks=(2000, 2000), blocks=(200, 2000), cparams=compression(5), urlpath=str(path), mode="w")


def planes(path):
    """Large pictures."""
    ramp = np.arange(3200 * 3200, dtype="<u4").reshape(3200, 3200)
    data = np.stack([((ramp * 7 + z * 91) >> 4).astype("<u2") for z in range(4)])
    blosc2.asarray(data, urlpath=str(path), mode="w", chunks=(1, 800, 3200), blocks=(1, 100, 3200), cparams=compression(1))


def sparse(path):
    data = np.add.outer(np.arange(60) * 100, np.arange(90)).astype("<i2")
    data[:20, :30] = 0
    blosc2.asarray(data, urlpath=str(path), mode="w", contiguous=False, chunks=(20, 30), blocks=(10, 15), cparams=compression(5))


def big(path):
    """512³ items that hardly compress: 167 MB."""
    if path.exists():
        return
    shapes = {"chunks": (16, 512, 512), "blocks": (1, 256, 512)}
    array = blosc2.empty((512, 512, 512), dtype="<i2", urlpath=str(path), mode="w", cparams=compression(1), **shapes)
    y, x = np.mgrid[:512, :512]
    for z in range(0, 512, 16):
        planes = np.arange(z, z + 16)[:, None, None]
        wave = 9000 * np.sin(x / 40 + planes / 30) * np.cos(y / 50)
        array[z : z + 16] = wave + RANDOM.integers(0, 128, (16, 512, 512))


def text(value):
    """Values as in JSON: dates and non-finite numbers as text."""
    if isinstance(value, np.void):
        return [text(value[name]) for name in value.dtype.names]
    value = value.tolist() if isinstance(value, np.generic) and value.dtype.kind != "M" else value
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, float) and np.isfinite(value) or isinstance(value, (bool, str)):
        return value
    return value if isinstance(value, int) and abs(value) < 2**53 else str(value)


def expected(data, array):
    facts = {"shape": list(data.shape), "dtype": array.dtype.str if not array.dtype.names else str(array.dtype), "cbytes": int(array.schunk.cbytes)}
    picks = [tuple(int(RANDOM.integers(0, n)) for n in data.shape) for _ in range(8)]
    facts["values"] = [[list(at), text(data[at])] for at in picks]
    if data.dtype.kind in "iuf":
        finite = data[np.isfinite(data)].astype("f8")
        facts |= {"min": text(finite.min()), "max": text(finite.max()), "mean": text(finite.mean()), "std": text(finite.std())}
        facts |= {"nan": int(np.isnan(data).sum()), "inf": int(np.isinf(data).sum()), "count": data.size}
    if data.ndim >= 2 and data.dtype.kind in "iuf":
        plane = data[(0,) * (data.ndim - 2)]
        finite = plane[np.isfinite(plane)]
        facts["plane"] = {"min": text(finite.min()), "max": text(finite.max()), "row": [text(v) for v in plane[0]][:50]}
    return facts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--examples", type=Path)
    parser.add_argument("--big", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    facts = {}
    for make in ARRAYS:
        data, shape, attrs = make()
        path = options.folder / f"{make.__name__}.b2nd"
        cparams = compression(7 if make.__name__ in EXAMPLES else 5)
        array = blosc2.asarray(data, urlpath=str(path), mode="w", cparams=cparams, **shape)
        for name, value in attrs.items():
            array.schunk.vlmeta[name] = value
        facts[make.__name__] = expected(data, array)
    shutil.rmtree(options.folder / "sparse.b2nd", ignore_errors=True)
    sparse(options.folder / "sparse.b2nd")
    for make in [many, wide, planes]:
        make(options.folder / f"{make.__name__}.b2nd")
    store(options.folder / "store.b2d")
    store(options.folder / "store.b2z")
    rows(options.folder / "rows.b2z")
    (options.folder / "unknown.b2nd").unlink(missing_ok=True)
    unknown(options.folder / "unknown.b2nd")
    whole = (options.folder / "field.b2nd").read_bytes()
    (options.folder / "truncated.b2nd").write_bytes(whole[: len(whole) // 2])
    if options.big:
        big(options.folder / "big.b2nd")
    (options.folder / "expected.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1))
    if options.examples:
        options.examples.mkdir(exist_ok=True)
        for name in EXAMPLES:
            shutil.copy(options.folder / f"{name}.b2nd", options.examples)


main()
