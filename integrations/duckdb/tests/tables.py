"""Compares the rows that DuckDB reads by the extension with those that python-blosc2 has written: `tables.jsonl` says what these are.

    tables.py EXTENSION FOLDER

`tests/interop/tables.py` writes such a folder, as `tests/golden/tables` is one.
"""

import json
import math
import sys
from pathlib import Path

import duckdb
import numpy as np


def main():
    extension, folder = sys.argv[1], Path(sys.argv[2])
    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    connection.load_extension(extension)
    compared = 0
    for line in (folder / "tables.jsonl").read_text(encoding="utf-8").splitlines():
        compared += compare(connection, folder, json.loads(line))
    print(compared, "columns")
    assert compared > 40, "some tables were not read"
    errors(connection, folder)


def compare(connection, folder, facts):
    """Each column by itself, and all at once."""
    source = connection.from_query("SELECT * FROM read_b2z(%s)" % quoted(folder / facts["path"]))
    columns = {column["name"]: column for column in facts["columns"]}
    assert source.columns == list(columns), (facts["path"], source.columns)
    [(rows,)] = source.query("t", "SELECT count(*) FROM t").fetchall()
    assert rows == facts["rows"], (facts["path"], rows)
    selected = ", ".join(selection(name, columns[name]["kind"]) for name in columns)
    together = source.query("t", "SELECT %s FROM t" % selected).fetchall()
    for place, (name, column) in enumerate(columns.items()):
        alone = source.query("t", "SELECT %s FROM t" % selection(name, column["kind"])).fetchall()
        found = [row[0] for row in alone]
        assert list(map(str, found)) == [str(row[place]) for row in together], (facts["path"], name)
        for one, told in zip(found, column["cells"], strict=True):
            assert same(column["kind"], one, told), (facts["path"], name, column["kind"], one, told)
    return len(columns)


def quoted(path):
    return "'%s'" % str(path).replace("'", "''")


def selection(name, kind):
    name = '"%s"' % name.replace('"', '""')
    return "epoch_ns(%s)" % name if kind == "timestamp" else name


def same(kind, found, told):
    if told is None or found is None:
        return found is told
    if kind == "timestamp":
        return found == np.datetime64(told, "ns").astype("i8")
    if kind in ("object", "complex64", "complex128"):
        return True
    if kind == "bytes":
        return found == told.encode("latin-1")
    if kind == "vlbytes":
        return found == bytes.fromhex(told["bin"])
    if kind.startswith("float"):
        # JSON has no NaN and no infinity.
        return found == (float(told) if isinstance(told, str) else told) or told == "NaN" and math.isnan(found)
    if kind == "ndarray":
        return all(same("float", *pair) for pair in zip(found, flat(told), strict=True))
    return found == told


def flat(told):
    return [item for part in told for item in flat(part)] if isinstance(told, list) else [told]


def errors(connection, folder):
    """Each says which file it is about, and the connection goes on."""
    for path, part in [("missing.b2z", "missing.b2z"), ("tables.jsonl", "tables.jsonl"), ("nested.b2z/array", "nested.b2z/array")]:
        try:
            connection.execute("SELECT * FROM read_b2z(%s)" % quoted(folder / path)).fetchall()
        except duckdb.Error as error:
            assert part in str(error), error
        else:
            sys.exit("%s was read" % path)
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


main()
