"""Has the tool make arrays with ZFP, and compares their chunks with those that the reference makes, to the byte.

    written_zfp.py TOOL FOLDER [COUNT]
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "golden"))
sys.path.append(str(Path(__file__).resolve().parents[1] / "golden" / "writers"))

import blosc2

from choices import Draw
from floats import ZFP_ACC, ZFP_PREC, ZFP_RATE, written_zfp

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 60
SEED = 35


def option(codec, meta):
    """The codec as the tool spells it."""
    exponent = meta - 256 if meta > 127 else meta
    return {ZFP_ACC: f"zfp_acc:1e{exponent}", ZFP_PREC: f"zfp_prec:{meta}", ZFP_RATE: f"zfp_rate:{meta}"}[codec]


def lens(shape):
    return ",".join(map(str, shape))


def reference(path, data, chunks, blocks, codec, meta):
    cparams = dict(codec=blosc2.Codec(codec), codec_meta=meta, filters=[blosc2.Filter.NOFILTER], nthreads=1)
    path.unlink(missing_ok=True)
    array = blosc2.asarray(data, chunks=chunks, blocks=blocks, cparams=cparams, urlpath=str(path), mode="w")
    return array


def compare(number):
    data, chunks, blocks, codec, meta = written_zfp(Draw(SEED, number))
    source, ours = FOLDER / f"{number}.npy", FOLDER / f"{number}.b2nd"
    np.save(source, data)
    options = ["--chunks", lens(chunks), "--blocks", lens(blocks), "--codec", option(codec, meta), "--clevel", "5"]
    subprocess.run([TOOL, "--force", "create", source, ours, *options], check=True)
    theirs = reference(FOLDER / f"{number}-reference.b2nd", data, chunks, blocks, codec, meta).schunk
    written = blosc2.open(str(ours), mode="r")
    assert np.array_equal(np.asarray(written[...]).view("u1"), np.asarray(blosc2.open(theirs.urlpath)[...]).view("u1"))
    chunk_lists = [[schunk.get_chunk(n) for n in range(schunk.nchunks)] for schunk in (written.schunk, theirs)]
    what = f"{number}: {data.dtype} {data.shape} {chunks} {blocks} {option(codec, meta)}"
    for n, (one, other) in enumerate(zip(*chunk_lists, strict=True)):
        if one != other:
            sys.exit(f"{what}: chunk {n} has {len(one)} bytes, not the reference's {len(other)}")
    # The reference continues what the tool began.
    assert (written.schunk.cparams.codec, written.schunk.cparams.codec_meta) == (blosc2.Codec(codec), meta), what
    return len(chunk_lists[0])


FOLDER.mkdir(parents=True, exist_ok=True)
total = sum(compare(number) for number in range(COUNT))
print(f"{COUNT} arrays with ZFP, {total} chunks equal to the reference's")
