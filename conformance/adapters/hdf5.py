"""HDF5 with hdf5plugin's filters Blosc and Blosc2: a chunk becomes the only chunk of a dataset, which h5py reads."""

import struct
from pathlib import Path

import h5py
import hdf5plugin
import numpy as np
from serving import Unsupported, selection, serve

BLOSC1_VERSIONS = 2
FRAME_FIELDS = [(">q", 30), (">i", 48), (">i", 58)]


def read(asked):
    path = Path(asked.file)
    if path.is_dir() or asked.offset or asked.member or asked.column:
        raise Unsupported("only chunks and contiguous frames are stored in HDF5")
    stored = path.read_bytes()
    if not stored:
        raise Unsupported("chunks of HDF5 are not empty")
    blosc1 = path.suffix == ".chunk" and stored[0] <= BLOSC1_VERSIONS
    if path.suffix == ".chunk" and not blosc1:
        raise Unsupported("a chunk of HDF5 is a chunk of Blosc1 or a frame")
    if blosc1:
        typesize, (nbytes,) = stored[3], struct.unpack_from("<i", stored, 4)
    else:
        (nbytes,), (typesize,), (chunksize,) = (struct.unpack_from(form, stored, at) for form, at in FRAME_FIELDS)
        if nbytes > chunksize:
            raise Unsupported("a chunk of HDF5 is a frame of one chunk")
    if not nbytes:
        raise Unsupported("chunks of HDF5 are not empty")
    content = decoded(stored, nbytes, hdf5plugin.Blosc() if blosc1 else hdf5plugin.Blosc2())
    if asked.selection == "...":
        return content
    return np.frombuffer(content, dtype=np.dtype((np.void, typesize)))[selection(asked.selection)].tobytes()


def decoded(stored, nbytes, compression):
    with h5py.File("memory", "w", driver="core", backing_store=False) as file:
        values = file.create_dataset("values", (nbytes,), "u1", chunks=(nbytes,), compression=compression)
        values.id.write_direct_chunk((0,), stored)
        return values[...].tobytes()


serve(read)
