"""numcodecs: chunks of Blosc1."""

from pathlib import Path

import numcodecs.blosc
import numpy as np
from serving import Unsupported, selection, serve


def read(asked):
    if not asked.file.endswith(".chunk"):
        raise Unsupported("frames")
    chunk = Path(asked.file).read_bytes()
    content = numcodecs.blosc.decompress(chunk)
    if asked.selection == "...":
        return content
    return np.frombuffer(content, dtype=np.dtype((np.void, chunk[3])))[selection(asked.selection)].tobytes()


serve(read)
