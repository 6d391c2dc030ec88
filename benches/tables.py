"""Tables made from Parquet and written as Parquet, by the tool and by python-blosc2; and a selective condition over HTTP.

    tables.py TOOL DIRECTORY [ROWS]

`cargo xtask bench tables` calls it. TOOL is b2nd with the feature `parquet`. The table has 12 columns and 10 million rows. Each step is
a process of its own; its time, its processor time and its memory at most are printed. The rows that come back must be those that were
written.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "remote"))
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from remote import counts, server

ROWS, GROUP, BATCH = 10_000_000, 1_000_000, 65_536
CITIES = ["Aachen", "Bergen", "Córdoba", "Dublin", "Évora", "Fès", "Gdańsk"]
FROM = "import blosc2, sys; blosc2.CTable.from_parquet(sys.argv[1], urlpath=sys.argv[2], null_storage='mask', batch_size=%d).close()"
TO = "import blosc2, sys; blosc2.open(sys.argv[1], mode='r').to_parquet(sys.argv[2])"


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else ROWS
    folder.mkdir(parents=True, exist_ok=True)
    source, ours, theirs = (folder / f"{rows}.{ending}" for ending in ("parquet", "b2z", "theirs.b2z"))
    if not source.exists():
        print(f"writing {rows} rows", file=sys.stderr)
        # In a process of its own: the peak memory of a child counts what its parent had.
        writer = multiprocessing.get_context("spawn").Process(target=write, args=(source, rows))
        writer.start()
        writer.join()
        if writer.exitcode:
            sys.exit(f"writing {source}: exit status {writer.exitcode}")
    print(f"{rows} rows, {len(pq.read_schema(source))} columns, {size(source):.0f} MB of Parquet\n")
    print("| | time, s | processor time, s | memory, MB | file, MB |")
    print("|---|---|---|---|---|")
    step("table from Parquet, b2nd", [tool, "create-table", source, f"{ours}/rows"], ours)
    step("table from Parquet, python-blosc2", [sys.executable, "-c", FROM % BATCH, source, theirs], theirs)
    back, other = folder / "back.parquet", folder / "other.parquet"
    step("Parquet from a table, b2nd", [tool, "get", f"{ours}/rows", "-f", "parquet", "-o", back], back)
    step("Parquet from a table, python-blosc2", [sys.executable, "-c", TO, theirs, other], other)
    same(source, back)
    selective(tool, folder, ours, rows)


def write(path, rows):
    with pq.ParquetWriter(path.with_suffix(".part"), group(0, 1).schema) as writer:
        for start in range(0, rows, GROUP):
            writer.write_table(group(start, min(GROUP, rows - start)))
    path.with_suffix(".part").rename(path)


def group(start, rows):
    rng = np.random.default_rng(start)
    ids = np.arange(start, start + rows)
    some = lambda values: pa.array(values, mask=rng.random(rows) < 0.05)
    return pa.table(
        {
            "id": ids,
            "time": pa.array(1_700_000_000_000_000 + ids * 250_000 + rng.integers(0, 9_000, rows), pa.timestamp("us")),
            "x": some(rng.normal(0, 100, rows)),
            "y": rng.normal(20, 5, rows).astype("f4"),
            "price": np.round(rng.gamma(2, 20, rows), 2),
            "n": some(rng.integers(0, 100_000, rows).astype("i4")),
            "small": rng.integers(-5, 5, rows).astype("i1"),
            "port": rng.integers(0, 65_536, rows).astype("u2"),
            "flag": some(rng.random(rows) < 0.3),
            "city": pa.DictionaryArray.from_arrays(rng.integers(0, len(CITIES), rows).astype("i4"), CITIES),
            "name": pa.array(np.char.add("name", rng.integers(0, 5_000, rows).astype("U5"))),
            "note": some(np.char.add("entry ", (ids // 7).astype("U12"))),
        }
    )


def step(name, command, output):
    """Runs a command. Prints what it took, and how long the file is that it wrote."""
    output.unlink(missing_ok=True)
    start = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{name}: exit status {process.returncode}")
    seconds = time.perf_counter() - start
    processor = usage.ru_utime + usage.ru_stime
    print(f"| {name} | {seconds:.1f} | {processor:.1f} | {usage.ru_maxrss / 1e3:.0f} | {size(output):.1f} |", flush=True)


def size(path):
    return path.stat().st_size / 1e6


def same(source, back):
    for name in pq.read_schema(source).names:
        if not column(source, name).equals(column(back, name)):
            sys.exit(f"the values of {name} that came back differ")


def column(path, name):
    """The values of a column. Dictionaries are decoded: the order of their entries has no meaning."""
    values = pq.read_table(path, columns=[name])[name]
    if pa.types.is_dictionary(values.type):
        return pa.chunked_array([chunk.dictionary_decode() for chunk in values.chunks])
    return values


def selective(tool, folder, store, rows):
    """One row of a thousand, by a column whose values are in order."""
    first, count = rows // 2, rows // 1000
    with server(folder, 1000, delay_ms=0) as url:
        condition = f"id >= {first} and id < {first + count}"
        command = [tool, "get", f"{url}/{store.name}/rows", "--where", condition, "-f", "ndjson"]
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()
        if [json.loads(line)["id"] for line in lines] != list(range(first, first + count)):
            sys.exit("the condition selects other rows")
        read = counts(url)
    share = read["bytes"] / store.stat().st_size
    print(f"\n`{condition}`, all columns, over HTTP: {read['bytes'] / 1e6:.2f} MB, {share:.1%} of the file, {read['requests']} requests")


if __name__ == "__main__":
    main()
