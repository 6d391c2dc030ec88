"""The sample file of the documentation: a small field over time, with attributes."""

import blosc2
import numpy as np

from reference import *


def field(nt=12, ny=30, nx=40):
    """Waves that travel over a hill, in kelvin, to a hundredth; one corner was never measured."""
    t, y, x = np.meshgrid(np.arange(nt), np.linspace(-2, 2, ny), np.linspace(-3, 3, nx), indexing="ij")
    waves = np.sin(2 * x + t / 2) * np.cos(y) + 4 * np.exp(-(x**2) - y**2)
    out = np.round(285 + 3 * waves, 2).astype("<f4")
    out[:, :4, :5] = np.nan
    return out


def main():
    rec = recorder()
    data = field()
    array = blosc2.asarray(
        data,
        urlpath=fresh(rec.path("sample.b2nd")),
        mode="w",
        chunks=(6, 30, 40),
        blocks=(3, 10, 20),
        cparams=dict(codec=blosc2.Codec.ZSTD, clevel=9, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0], nthreads=1),
        meta={"grid": {"x": [-3.0, 3.0], "y": [-2.0, 2.0]}},
    )
    array.vlmeta["title"] = "Temperature over a hill"
    array.vlmeta["units"] = "K"
    array.vlmeta["hours"] = list(range(0, 24, 2))
    rec.array("sample.b2nd", data)
    rec.done("b2_sample.json")


main()
