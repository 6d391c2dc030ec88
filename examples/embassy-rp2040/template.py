"""Makes log.b2nd, the array that the program's logs begin as."""

import blosc2
import numpy as np

blosc2.asarray(
    np.zeros(0, "<i2"),
    chunks=(1024,),
    blocks=(1024,),
    urlpath="log.b2nd",
    mode="w",
    contiguous=True,
    cparams=blosc2.CParams(codec=blosc2.Codec.LZ4, filters=[blosc2.Filter.SHUFFLE], filters_meta=[0]),
    meta={"unit": "0.01 degrees Celsius"},
)
