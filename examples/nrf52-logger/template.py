"""Makes log.b2nd, the array that the program's logs begin as."""

import blosc2
import numpy as np

blosc2.asarray(
    np.zeros((0, 2), "<i4"),
    chunks=(512, 2),
    blocks=(512, 2),
    urlpath="log.b2nd",
    mode="w",
    contiguous=True,
    cparams=blosc2.CParams(codec=blosc2.Codec.LZ4, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0]),
    meta={"columns": ["seconds since the reset", "0.25 degrees Celsius"]},
)
