"""Writes 512³ items of int16, smooth with noise as from a scanner, unless the file exists: `remote_file.py FILE`."""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

path, side = Path(sys.argv[1]), 512
if not path.exists():
    noise = np.random.default_rng(512)
    axis = np.linspace(-1, 1, side, dtype="f4")
    y, x = np.meshgrid(axis, axis, indexing="ij")
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    planes = 16
    shapes = {"chunks": (planes, side, side), "blocks": (1, side // 2, side)}
    cparams = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
    array = blosc2.empty((side,) * 3, dtype="<i2", urlpath=str(part), mode="w", cparams=cparams, **shapes)
    for start in range(0, side, planes):
        z = axis[start : start + planes, None, None]
        body = 900 * np.exp(-3 * (x**2 + y**2 + z**2)) + 300 * np.sin(7 * x + 5 * z) * np.cos(6 * y - 2 * z)
        array[start : start + planes] = body + noise.normal(0, 40, body.shape)
    part.rename(path)
