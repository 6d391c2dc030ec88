"""Tables that the tool prints as CSV, NDJSON and JSON, read back by pandas and DuckDB: equal to what was written.

    texts.py OUT_DIR TOOL [COMMAND ...] [--count N]

TOOL is the native program; COMMAND, such as `node www/dist/cli.js`, must print the same bytes of one table in four: it starts slowly.
"""

import argparse
import base64
import dataclasses
import datetime
import io
import math
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
sys.path[:0] = [str(GOLDEN), str(GOLDEN / "writers")]

import explicit
import blosc2
import duckdb
import numpy as np
import pandas as pd
import blosc2.ctable

from tables import chosen

TEXTS = ["", " ", "a", "é", "NaN", "null", "NULL", "a,b", 'say "hi"', "two\nlines", "tab\t", "\\N", "\\", "'", "0", "1e5", "\U0001f600"]
BYTES = [b"", b"caf\xc3\xa9", b"caf\xe9", b"\\x41", b"a,b", b'"', b"\n", b"\xff\x00\x01", b"plain"]
# pandas refuses numbers below 2.3e-308 in JSON.
FLOATS = [0.0, -0.0, 1.5, -2.5e300, 2.5e-308, 0.1, math.nan, math.inf, -math.inf]
ZONES = [None, None, "UTC", "+02:00", "-05:30", "Europe/Berlin"]
# No text is this.
NULL = "<null>"
UNITS = {"s": 10**6, "ms": 1000, "us": 1}


def column(rng):
    """The spec of a column, its type for DuckDB, and a function that draws a value."""
    kind = rng.choice(["int64", "uint8", "float64", "float32", "bool", "utf8", "string", "vlstring", "dictionary", "bytes", "vlbytes", "timestamp"])
    null = {"nullable": True} if rng.random() < 0.7 else {}
    if kind == "int64":
        return blosc2.int64(**null), int, "BIGINT", lambda: rng.choice([0, -1, 2**53 + 1, 1 - 2**63, 2**63 - 1, rng.randrange(1000)])
    if kind == "uint8":
        return blosc2.uint8(**null), int, "UTINYINT", lambda: rng.randrange(250)
    if kind == "float64":
        null = {"nullable": True, "null_value": -9.0} if null else {}
        return blosc2.float64(**null), float, "DOUBLE", lambda: rng.choice(FLOATS)
    if kind == "float32":
        null = {"nullable": True, "null_value": -9.0} if null else {}
        return blosc2.float32(**null), float, "FLOAT", lambda: float(np.float32(rng.choice([0.1, -2.5, math.nan, math.inf, 3e38])))
    if kind == "bool":
        return blosc2.bool(**null), bool, "BOOLEAN", lambda: rng.random() < 0.5
    if kind in ("utf8", "string", "vlstring", "dictionary"):
        null = {"nullable": True, "null_value": "<none>"} if null and kind in ("utf8", "string") else null
        more = {"max_length": 12} if kind == "string" else {}
        return getattr(blosc2, kind)(**more, **null), str, "VARCHAR", lambda: rng.choice(TEXTS)
    if kind in ("bytes", "vlbytes"):
        null = {"nullable": True, "null_value": b"<none>"} if null and kind == "bytes" else null
        more = {"max_length": 8} if kind == "bytes" else {}
        # Bytes of a fixed size lose the zeros at their end.
        return getattr(blosc2, kind)(**more, **null), bytes, "BLOB", lambda: rng.choice(BYTES)
    unit, zone = rng.choice(list(UNITS)), rng.choice(ZONES)
    spec = blosc2.timestamp(unit=unit, timezone=zone, **null)
    moment = lambda: np.datetime64(rng.randrange(-(10**9), 4 * 10**9), unit)
    return spec, np.datetime64, "TIMESTAMPTZ" if zone else "TIMESTAMP", moment


def write(path, rng):
    """Writes a table, and returns the names and types of its columns and their values, times as microseconds."""
    drawn = [column(rng) for _ in range(rng.randint(2, 7))]
    fields = [(f"f{n}", kind, blosc2.field(spec)) for n, (spec, kind, _, _) in enumerate(drawn)]
    row = dataclasses.make_dataclass("Row", fields)
    blosc2.ctable.compute_chunks_blocks = explicit.module.compute_chunks_blocks = chosen(16)
    table = blosc2.CTable(row, urlpath=str(path), mode="w", expected_size=64)
    values = []
    for _ in range(rng.choice([1, 3, 10, 40])):
        one = [None if spec.nullable and rng.random() < 0.3 else make() for spec, _, _, make in drawn]
        table.append(tuple(getattr(spec, "null_value", None) if cell is None else cell for cell, (spec, *_) in zip(one, drawn)))
        values.append([plain(cell, spec) for cell, (spec, *_) in zip(one, drawn)])
    table.close()
    return [f"f{n}" for n in range(len(drawn))], [sql for _, _, sql, _ in drawn], values


def plain(cell, spec):
    if isinstance(cell, np.datetime64):
        return int(cell.astype("<i8")) * UNITS[spec.unit]
    return cell


def alike(one, other):
    """Whether values are the same: NaN is NaN, and not null."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and one == other


def compare(what, wanted, found):
    assert len(wanted) == len(found), f"{what}: {len(found)} rows, not {len(wanted)}"
    for at, (row, other) in enumerate(zip(wanted, found)):
        for column, (one, cell) in enumerate(zip(row, other, strict=True)):
            assert alike(one, cell), f"{what}: row {at}, column {column}: {cell!r}, not {one!r}"


def unescaped(text):
    """The bytes of `--bytes escapes`."""
    return re.sub(rb"\\x(..)", lambda found: bytes.fromhex(found[1].decode()), text.encode())


def microseconds(text):
    moment = datetime.datetime.fromisoformat(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.timezone.utc)
    return (moment - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


def by_duckdb(path, names, types, read, blob):
    """The rows of a file by DuckDB."""
    made = {"BLOB": blob, "TIMESTAMP": "epoch_us({})", "TIMESTAMPTZ": "epoch_us({})"}
    columns = ", ".join(made.get(sql, "{}").format(name) for name, sql in zip(names, types))
    read_as = {name: "VARCHAR" if sql == "BLOB" else sql for name, sql in zip(names, types)}
    return duckdb.sql(f"SET TimeZone='UTC'; SELECT {columns} FROM {read.format(path=path, types=read_as)}").fetchall()


def integer(text):
    return int(text) if text.lstrip("-").isdigit() else int(float(text))


def of_text(cell, sql, to_bytes):
    """The value of a cell that pandas read as text."""
    if not isinstance(cell, str):
        return None
    parse = {
        "VARCHAR": str, "BLOB": to_bytes, "TIMESTAMP": microseconds, "TIMESTAMPTZ": microseconds,
        "DOUBLE": float, "FLOAT": lambda text: float(np.float32(text)), "BOOLEAN": lambda text: {"true": True, "false": False}[text.lower()],
    }
    return parse.get(sql, integer)(cell)


def by_pandas_csv(text, types):
    frame = pd.read_csv(io.BytesIO(text), dtype=str, keep_default_na=False, na_values=[NULL])
    return [[of_text(cell, sql, unescaped) for cell, sql in zip(row, types)] for row in frame.itertuples(index=False)]


def by_pandas_json(text, types, lines):
    frame = pd.read_json(io.BytesIO(text), lines=lines, dtype=False, precise_float=True)
    # NaN is a text: what pandas calls so is null.
    as_text = lambda cell: cell if isinstance(cell, str) else None if pd.isna(cell) else str(cell)
    return [[of_text(as_text(cell), sql, base64.b64decode) for cell, sql in zip(row, types)] for row in frame.astype(object).itertuples(index=False)]


def rounded(rows):
    """Rows with integers as pandas has them beside null in JSON: as floats."""
    return [[float(cell) if type(cell) is int else cell for cell in row] for row in rows]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("tool")
    parser.add_argument("command", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for number in range(given.count):
        rng = random.Random(f"texts {number}")
        path = given.folder / f"{number:03}.b2z"
        path.unlink(missing_ok=True)
        names, types, values = write(path, rng)

        def printed(*words):
            words = ["get", str(path), *words]
            # Both at a time.
            programs = [[given.tool], *([given.command] if given.command and number % 4 == 0 else [])]
            running = [subprocess.Popen([*program, *words], stdout=subprocess.PIPE) for program in programs]
            text, *others = [program.communicate()[0] for program in running]
            assert not any(program.returncode for program in running), words
            assert all(text == other for other in others), f"{words}: {given.command} prints other bytes"
            return text

        file = given.folder / "text"
        file.write_bytes(printed("-f", "csv"))
        csv = "read_csv('{path}', header=true, delim=',', quote='\"', escape='\"', columns={types}, allow_quoted_nulls=false, auto_detect=false)"
        compare(f"{path}: CSV by DuckDB", values, by_duckdb(file, names, types, csv, "{}::BLOB"))
        compare(f"{path}: CSV by pandas", values, by_pandas_csv(printed("-f", "csv", "--null", NULL), types))
        for form, lines in [("ndjson", True), ("json", False)]:
            text = printed("-f", form, "--bytes", "base64")
            file.write_bytes(text)
            read = f"read_json('{{path}}', format='{'newline_delimited' if lines else 'array'}', columns={{types}})"
            compare(f"{path}: {form} by DuckDB", values, by_duckdb(file, names, types, read, "from_base64({})"))
            compare(f"{path}: {form} by pandas", rounded(values), rounded(by_pandas_json(text, types, lines)))
    print(f"{given.count} tables read back")


main()
