"""Writes arrays of numbers, and their statistics by NumPy: `stats_files.py FOLDER`."""
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
rng = np.random.default_rng(3)
ARRAYS = {
    "normal": rng.normal(size=2000),
    "tenths": np.round(rng.random(1000), 1),
    "f4": rng.normal(size=1000).astype("f4"),
    "u1": rng.integers(0, 256, 3000).astype("u1"),
    "i2": rng.integers(-30000, 30000, 500).astype("i2"),
    "i8": rng.integers(-(2**50), 2**50, 500),
    "bool": rng.random(100) < 0.3,
    "same": np.full(50, 7.25),
    "zeros": np.zeros(10, "i4"),
    "large": np.array([-1.7e308, 1.7e308, 0, 1e308]),
    "holes": np.where(rng.random(300) < 0.2, np.nan, rng.random(300)),
    "infinite": np.array([np.inf, -np.inf, 1, 2, np.nan, 4]),
    "none": np.full(5, np.nan),
}
BINS = [1, 2, 3, 10, 64, 1000]
RANGES = [None, (0, 1), (-3.5, 200), (0.1, 0.7), (5, 5)]


def histogram(values, bins, limits):
    """Counts and ends. NumPy cannot subtract the largest numbers."""
    scale = 0.25 if np.abs(values).max(initial=0) > 1e308 else 1
    limits = limits and tuple(scale * limit for limit in limits) if scale == 1 else None
    counts, edges = np.histogram(values * scale, bins, limits)
    return {"counts": counts.tolist(), "start": edges[0] / scale, "end": edges[-1] / scale}


cases = []
for name, array in ARRAYS.items():
    file = folder / f"{name}.b2nd"
    blosc2.asarray(
        array, chunks=(300,), blocks=(100,), urlpath=str(file), mode="w",
        cparams={"codec": blosc2.Codec.LZ4, "clevel": 1, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1},
    )
    values = array.astype("f8")
    values = values[np.isfinite(values)]
    large = name == "large"
    histograms = [
        {"bins": bins, "range": limits, **histogram(values, bins, limits)}
        for bins in BINS for limits in (RANGES[:1] if large else RANGES) if limits or len(values)
    ]
    cases.append({"name": name, "file": file.name, "count": len(array), "finite": len(values), "histograms": histograms})
(folder / "cases.json").write_text(json.dumps(cases))
