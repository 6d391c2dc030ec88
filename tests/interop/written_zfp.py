"""Has the tool make arrays with ZFP, and compares their chunks with those that the reference makes, to the byte.

    written_zfp.py TOOL FOLDER [COUNT]
"""

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import explicit  # noqa: F401
import blosc2

from choices import Draw
from floats import ZFP_ACC, ZFP_PREC, ZFP_RATE, written_zfp

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 100
SEED = 35
# The flag of a chunk that is a copy, and those of one whose items are all equal.
COPIED = 1 << 1
SPECIAL = 7 << 4


def option(codec, meta):
    """The codec as the tool spells it."""
    exponent = meta - 256 if meta > 127 else meta
    return {ZFP_ACC: f"zfp_acc:1e{exponent}", ZFP_PREC: f"zfp_prec:{meta}", ZFP_RATE: f"zfp_rate:{meta}"}[codec]


def chunks_of(array):
    return [array.schunk.get_chunk(n) for n in range(array.schunk.nchunks)]


def lens(shape):
    return ",".join(map(str, shape))


def compare(number):
    """How many chunks are equal; 0 if none are encoded, or the array was left out."""
    data, chunks, blocks, codec, meta = written_zfp(Draw(SEED, number))
    source, path = FOLDER / f"{number}.npy", FOLDER / f"{number}.b2nd"
    what = f"{number}: {data.dtype} {data.shape} {chunks} {blocks} {option(codec, meta)}"
    np.save(source, data)
    path.unlink(missing_ok=True)
    options = ["--chunks", lens(chunks), "--blocks", lens(blocks), "--codec", option(codec, meta)]
    subprocess.run([TOOL, "create", source, path, *options], check=True)
    array = blosc2.open(str(path), mode="r")
    ours = chunks_of(array)
    # The reference overwrites other memory where a chunk does not get smaller.
    if any(chunk[2] & COPIED for chunk in ours):
        return 0
    cparams = dict(codec=blosc2.Codec(codec), codec_meta=meta, filters=[blosc2.Filter.NOFILTER], nthreads=1)
    reference = FOLDER / f"{number}-reference.b2nd"
    blosc2.asarray(data, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=str(reference), mode="w")
    theirs = chunks_of(blosc2.open(str(reference), mode="r"))
    # Not all chunks of equal items are special ones of the reference's.
    encoded = [not chunk[31] & SPECIAL for chunk in ours]
    ours, theirs = ([*itertools.compress(chunks, encoded)] for chunks in (ours, theirs))
    if ours != theirs:
        sys.exit(f"{what}: chunks of {[*map(len, ours)]} bytes differ from those of {[*map(len, theirs)]}")
    header = array.schunk.cparams
    if (header.codec, header.codec_meta) != (blosc2.Codec(codec), meta):
        sys.exit(f"{what}: the frame has {header}")
    return len(ours)


FOLDER.mkdir(parents=True, exist_ok=True)
counts = [compare(number) for number in range(COUNT)]
left_out = counts.count(0)
if left_out > COUNT // 4:
    sys.exit(f"{left_out} of {COUNT} arrays with ZFP were left out")
print(f"{COUNT - left_out} arrays with ZFP have {sum(counts)} chunks equal to the reference's")
