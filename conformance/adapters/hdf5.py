"""HDF5 with hdf5plugin's filter Blosc: a chunk of Blosc1 becomes the only chunk of a dataset, which h5py reads."""

import struct
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
from serving import Unsupported, selection, serve

BLOSC1_VERSIONS = 2


def read(asked):
    stored = Path(asked.file).read_bytes() if asked.file.endswith(".chunk") else b""
    # The filter Blosc2 takes frames, of which HDF5 has one for each chunk.
    if not stored or stored[0] > BLOSC1_VERSIONS:
        raise Unsupported("no chunk of Blosc1")
    typesize, (nbytes,) = stored[3], struct.unpack_from("<i", stored, 4)
    content = decoded(stored, nbytes, hdf5plugin.Blosc())
    if asked.selection == "...":
        return content
    return np.frombuffer(content, dtype=np.dtype((np.void, typesize)))[selection(asked.selection)].tobytes()


def decoded(stored, nbytes, compression):
    with h5py.File("memory", "w", driver="core", backing_store=False) as file:
        values = file.create_dataset("values", (nbytes,), "u1", chunks=(nbytes,), compression=compression)
        values.id.write_direct_chunk((0,), stored)
        return values[...].tobytes()


serve(read)
