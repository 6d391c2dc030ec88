"""Reads the frames that tests/library/frames.rs wrote, and compares their values with the original ones. An additional
argument skips what old releases of the reference do not support."""

import ast
import json
import sys
from pathlib import Path

import blosc2
import numpy as np

DELTA, NDCELL, BYTEDELTA, LONG = 3, 32, 35, 255


def dtype_of(text):
    return np.dtype(ast.literal_eval(text)) if text[0] in "[{" else np.dtype(text)


def chunks_of(schunk, case):
    """Its plain chunks. Old releases do not tell how many there are."""
    counts = [-(-length // chunk) for length, chunk in zip(case.get("shape", []), case.get("chunks", []))]
    count = case["nchunks"] if case["kind"] == "schunk" else int(np.prod(counts, dtype=int))
    return [bytes(schunk.decompress_chunk(number)) for number in range(count)]


def assembled(chunks, case):
    """The items of an array, put together from its chunks: blocks in C order, each in C order, with padding."""
    shape, chunk, block = (np.array(case[name], int) for name in ("shape", "chunks", "blocks"))
    ndim, counts, tiles = len(shape), -(-shape // chunk), -(-chunk // block)
    whole = np.zeros([*(counts * chunk), case["itemsize"]], np.uint8)
    for number, plain in enumerate(chunks):
        items = np.frombuffer(plain, np.uint8).reshape([*tiles, *block, case["itemsize"]])
        order = [axis for pair in zip(range(ndim), range(ndim, 2 * ndim)) for axis in pair]
        items = items.transpose([*order, 2 * ndim]).reshape([*(tiles * block), case["itemsize"]])
        origin = np.array(np.unravel_index(number, counts) if ndim else [], int) * chunk
        place = tuple(slice(start, start + length) for start, length in zip(origin, chunk))
        whole[place] = items[tuple(slice(0, length) for length in chunk)]
    return whole[tuple(slice(0, length) for length in shape)].tobytes()


def values(frame, case, is_old):
    schunk = getattr(frame, "schunk", frame)
    if case["kind"] == "schunk":
        return b"".join(chunks_of(schunk, case))
    # Slices are wrong with DELTA (B4), and were with long items (B17).
    if is_old or case["kind"] == "caterva" or DELTA in case["filters"]:
        return assembled(chunks_of(schunk, case), case)
    whole = frame[...]
    # Copies of records leave out what lies between their fields.
    places = [] if whole.dtype.names else slices(frame.shape)
    same = all(frame[place].tobytes() == whole[place].tobytes() for place in places)
    return whole.tobytes() if same else b"other slices"


def slices(shape):
    """Parts of an array, whose blocks are read one by one."""
    random = np.random.default_rng(len(shape))
    for _ in range(3 if shape else 0):
        bounds = [sorted(random.integers(0, length + 1, 2)) for length in shape]
        yield tuple(slice(*bound) for bound in bounds)


def wrong(case, folder, is_old):
    path = str(folder / f"{case['name']}.b2nd")
    plain = (folder / f"{case['name']}.plain").read_bytes()
    frame = blosc2.open(path, mode="r")
    if not is_old and case["kind"] == "array":
        if tuple(frame.shape) != tuple(case["shape"]):
            return f"shape {frame.shape}"
        if frame.dtype != dtype_of(case["dtype"]):
            return f"dtype {frame.dtype}"
        if "attrs" in case and frame.schunk.vlmeta.getall() != case["attrs"]:
            return f"attributes {frame.schunk.vlmeta.getall()}"
    # The reference gives whatever the memory holds for items that were never written.
    if not case.get("has_values", True) or 0 in case.get("shape", []):
        return None
    return None if values(frame, case, is_old) == plain else "values"


def is_known(case):
    """Whether releases before 2.5 read it: frames of version 3, NDCELL, BYTEDELTA and a split mode came later."""
    later = case.get("variable") or {NDCELL, BYTEDELTA} & {*case["filters"]} or case["splitmode"] == "forward_compat"
    # Their NumPy has arrays of 32 dimensions at most, and `assembled` needs two for each and one more.
    shape = case.get("shape", [])
    return not later and case["itemsize"] <= LONG and 0 not in shape and len(shape) < 16


folder = Path(sys.argv[1]) / "frames"
is_old = len(sys.argv) > 2
cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
failures = 0
read = 0
for case in cases:
    if is_old and not is_known(case):
        continue
    read += 1
    try:
        reason = wrong(case, folder, is_old)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    if reason:
        failures += 1
        print(f"{reason}: {case}")
print(f"{read} frames read by {blosc2.__version__}")
sys.exit(f"{failures} of {read} frames differ" if failures or not read else 0)
