"""Crates of Rust, by the program in `rust/`, which decodes whole files. Slices are taken of these.

    crates.py PROGRAM blusc|blosc2-pure-rs --serve
"""

import json
import subprocess
import sys

import numpy as np
from serving import Unsupported, selection, serve

PROGRAM, LIBRARY = sys.argv[1:3]
del sys.argv[1:3]


def read(asked):
    if asked.member or asked.column:
        raise Unsupported("stores and tables")
    if asked.early_bitshuffle:
        raise Unsupported("the bitshuffle of early releases")
    array = asked.file.endswith((".b2nd", ".caterva"))
    kind = "chunk" if asked.file.endswith(".chunk") else "array" if array else "frame"
    command = [PROGRAM, LIBRARY, kind, asked.file, str(asked.offset)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 3:
        raise Unsupported(kind)
    if done.returncode == 1:
        raise ValueError(done.stderr.decode())
    if done.returncode:
        # So that the runner sees it.
        sys.stderr.buffer.write(done.stderr)
        sys.exit(101)
    head, content = done.stdout.split(b"\n", 1)
    if asked.selection == "...":
        return content
    typesize, shape = json.loads(head)
    values = np.frombuffer(content, dtype=np.dtype((np.void, typesize))).reshape(shape)
    return values[selection(asked.selection)].tobytes()


serve(read)
