"""Caterva 0.7: arrays."""

import caterva
import numpy as np
from serving import Unsupported, selection, serve


def read(asked):
    # Other frames end the process.
    if not asked.file.endswith(".caterva"):
        raise Unsupported("no array of Caterva")
    array = caterva.open(asked.file)
    values = np.frombuffer(array.to_buffer(), dtype=np.dtype((np.void, array.itemsize))).reshape(array.shape)
    return values[selection(asked.selection)].tobytes()


serve(read)
