"""Imported by every script that writes files with the current python-blosc2: they must not depend on the machine.

Left to itself the reference chooses chunks and blocks by the sizes of the processor's caches, and takes as many
threads as there are cores, which put blocks in the order in which they finish. After this import it uses one thread,
and makes no array whose chunks and blocks are not given.
"""

import sys

import blosc2

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
