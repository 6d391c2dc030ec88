"""Reads 1 GB, and small windows of it, from a server that is 50 ms away: b2nd, zarrs, and python-blosc2 with fsspec.

    remote.py PROGRAM DIRECTORY [WINDOWS]

`cargo xtask bench remote` calls it. PROGRAM is b2nd-remote-bench. The whole array is read with two bandwidths; then all readers
read the same 1000 windows of 16 × 16 items, one at a time and 16 at a time. All must find the same items.
"""

import json
import random
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHAPE, WINDOW = (15_625, 16_000), 16
DELAY_MS = 50
BANDWIDTHS = 40, 100
WINDOWS = 1000
AHEAD = 16
READERS = {
    "b2nd": ("b2nd", "array.b2nd"),
    "zarrs": ("zarrs", "array.zarr"),
    "zarrs, indexes of shards kept": ("zarrs-cached", "array.zarr"),
}


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    windows = int(sys.argv[3]) if len(sys.argv) > 3 else WINDOWS
    files(program, folder)
    print(f"whole, {DELAY_MS} ms for each request\n")
    print("| MB/s | reader | s | MB | requests | of the bandwidth |")
    print("|---|---|---|---|---|---|")
    for bandwidth in BANDWIDTHS:
        with server(folder, bandwidth) as url:
            compare_whole(program, url, bandwidth)
    print(f"\n{windows} windows, {DELAY_MS} ms for each request, {BANDWIDTHS[-1]} MB/s\n")
    print("| reader | at a time | median, ms | all, s | requests | MB |")
    print("|---|---|---|---|---|---|")
    with server(folder, BANDWIDTHS[-1]) as url:
        compare_windows(program, url, windows)


def files(program, folder):
    done = folder / "written.txt"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print("writing 1 GB twice", file=sys.stderr)
        subprocess.run([program, "write", folder], check=True)
        done.touch()


@contextmanager
def server(folder, bandwidth, delay_ms=DELAY_MS):
    command = [sys.executable, HERE / "server.py", folder, str(delay_ms), str(bandwidth)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def compare_whole(program, url, bandwidth):
    rows = {name: run([program, kind, f"{url}/{file}", "whole"], url) for name, (kind, file) in READERS.items()}
    rows["python-blosc2"] = python(url, None)
    rows["one request for the file"] = plain(url)
    same(row for row in rows.values() if "sum" in row)
    for name, row in rows.items():
        share = row["bytes"] / row["seconds"] / bandwidth / 1e6
        line = bandwidth, name, f"{row['seconds']:.1f}", f"{row['bytes'] / 1e6:.0f}", row["requests"], f"{share:.2f}"
        print("|", " | ".join(map(str, line)), "|", flush=True)


def compare_windows(program, url, windows):
    chosen = random.Random(20)
    corners = [tuple(chosen.randrange(length - WINDOW) for length in SHAPE) for _ in range(windows)]
    text = "".join(f"{row} {column}\n" for row, column in corners)
    rows = {
        (name, ahead): run([program, kind, f"{url}/{file}", str(ahead)], url, text)
        for ahead in (1, AHEAD)
        for name, (kind, file) in READERS.items()
    }
    rows["python-blosc2", 1] = python(url, corners)
    same(rows.values())
    for (name, ahead), row in rows.items():
        line = name, ahead, f"{row['median'] * 1e3:.0f}", f"{row['seconds']:.1f}", row["requests"], f"{row['bytes'] / 1e6:.1f}"
        print("|", " | ".join(map(str, line)), "|", flush=True)


def same(rows):
    sums = {row["sum"] for row in rows}
    if len(sums) != 1:
        sys.exit(f"the readers found different items: {sums}")


def run(command, url, text=""):
    counts(url)
    output = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(output) | counts(url)


def python(url, corners):
    """python-blosc2, which opens URLs with fsspec. It keeps no chunks here, as the others keep none."""
    import blosc2

    counts(url)
    start = time.perf_counter()
    array = blosc2.open(f"{url}/array.b2nd", lazy=True, cache_policy=blosc2.CachePolicy.NONE)
    if corners is None:
        total, times = int(array[:].sum(dtype="u8")), [0]
    else:
        total, times = 0, []
        for row, column in corners:
            before = time.perf_counter()
            total += int(array[row : row + WINDOW, column : column + WINDOW].sum(dtype="u8"))
            times.append(time.perf_counter() - before)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "median": sorted(times)[len(times) // 2], "sum": total} | counts(url)


def plain(url):
    """What the server gives to one request."""
    counts(url)
    start = time.perf_counter()
    with urllib.request.urlopen(f"{url}/array.b2nd") as answer:
        while answer.read(1 << 20):
            pass
    return {"seconds": time.perf_counter() - start} | counts(url)


def counts(url):
    with urllib.request.urlopen(f"{url}/counts") as answer:
        return json.load(answer)


if __name__ == "__main__":
    main()
