"""Makes the files that python-blosc2 writes independent of the machine. All scripts that write files import it.

By default the reference chooses chunks and blocks by the sizes of the processor's caches. It uses as many threads as
there are cores, which write blocks in the order in which they finish. After this import it uses one thread, and fails
for arrays whose chunks or blocks are not given.
"""

import sys

import blosc2
import numpy as np

blosc2.set_nthreads(1)
# As an attribute, `blosc2.ndarray` is a function.
module = sys.modules["blosc2.ndarray"]
choose = module.compute_chunks_blocks


def shapes_given(shape, chunks, blocks, *arguments, **options):
    """Empty arrays have no choice."""
    if (chunks is None or blocks is None) and 0 not in shape:
        raise TypeError("without `chunks` and `blocks` the reference chooses them by the processor's caches")
    return choose(shape, chunks, blocks, *arguments, **options)


module.compute_chunks_blocks = shapes_given


def one_chunk(shape, chunks=None, blocks=None, dtype=np.uint8, **more):
    """Chunks and blocks in place of those by the processor's caches."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    chunks = chunks or tuple(max(1, length) for length in shape)
    return tuple(chunks), tuple(blocks or chunks)


def take_one_chunk():
    """For scripts that let the reference make arrays of its own: they have one chunk and one block."""
    module.compute_chunks_blocks = one_chunk


def let_it_choose():
    """For benchmarks, once all files are written."""
    module.compute_chunks_blocks = choose
