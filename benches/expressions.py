"""Expressions of arrays, by the tool and by python-blosc2, on one processor.

    expressions.py TOOL DIRECTORY [ITEMS]

`cargo xtask bench expressions` calls it. The arrays have 20 million items, in LZ4 with shuffle. The tool is a process that opens the
files and writes the items of the result to a file in memory. python-blosc2, which has been started before, opens the files and makes an
array of NumPy. Both take turns, and the medians of their processor times are compared. The results must be equal.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "golden"))
import explicit
import blosc2
import numpy as np

ITEMS, ROUNDS = 20_000_000, 5
CHUNKS, BLOCKS = (1 << 20,), (1 << 15,)
EXPRESSIONS = [
    "a + 2*b",
    "(a - b) / (a + b)",
    "sqrt(a)",
    "sin(a)",
    "exp(-a*b)",
    "where(a > b, a, b)",
    "(a > 0.5) & (b < 0.25)",
    "i*2 + 1",
    "f * f + f",
    "sum(a*b)",
    "mean(a)",
    "max(a - b)",
]


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    items = int(sys.argv[3]) if len(sys.argv) > 3 else ITEMS
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    files = write(folder, items)
    explicit.let_it_choose()
    memory = Path("/dev/shm") if Path("/dev/shm").is_dir() else folder
    output = memory / f"b2nd-expressions-{os.getpid()}.raw"
    print("| expression | b2nd, ms | python-blosc2, ms | its time over b2nd's |\n|---|---:|---:|---:|")
    ratios = []
    try:
        for expression in EXPRESSIONS:
            ours, theirs = compare(tool, expression, files, output)
            ratios.append(theirs / ours)
            print(f"| `{expression}` | {ours * 1e3:.0f} | {theirs * 1e3:.0f} | {ratios[-1]:.2f} |", flush=True)
    finally:
        output.unlink(missing_ok=True)
    print(f"| geometric mean | | | {statistics.geometric_mean(ratios):.2f} |")


def write(folder, items):
    """Writes the operands. Returns their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(28)
    arrays = {
        "a": lambda: np.round(rng.random(items), 4),
        "b": lambda: np.round(rng.random(items), 4),
        "f": lambda: np.round(rng.random(items), 3).astype("f4"),
        "i": lambda: rng.integers(0, 1000, items).astype("i4"),
    }
    cparams = {"codec": blosc2.Codec.LZ4, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE]}
    files = {}
    for name, make in arrays.items():
        files[name] = folder / f"{name}-{items}.b2nd"
        blosc2.asarray(make(), urlpath=files[name], mode="w", chunks=CHUNKS, blocks=BLOCKS, cparams=cparams)
    return files


def compare(tool, expression, files, output):
    """The medians of both processor times, in seconds."""
    used = {name: path for name, path in files.items() if re.search(rf"\b{name}\b", expression)}
    command = [tool, "eval", expression, *(f"{name}={path}" for name, path in used.items()), "-f", "raw", "-o", output]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        process = subprocess.Popen(list(map(str, command)))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{expression}: exit status {process.returncode}")
        ours.append(usage.ru_utime + usage.ru_stime)
        start = time.process_time()
        operands = {name: blosc2.open(path, mode="r") for name, path in used.items()}
        result = np.asarray(blosc2.lazyexpr(expression, operands)[()])
        theirs.append(time.process_time() - start)
    found = np.fromfile(output, dtype=result.dtype)
    if not np.allclose(found, result.ravel(), rtol=1e-6, equal_nan=True):
        sys.exit(f"{expression}: the results differ")
    return statistics.median(ours), statistics.median(theirs)


if __name__ == "__main__":
    main()
