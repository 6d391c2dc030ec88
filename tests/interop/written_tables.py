"""Writes random tables with the tool, compares what the reference reads, lets it append to them, and compares what the tool reads.

python written_tables.py TOOL FOLDER [--count N] [--seed N]
"""

import argparse
import dataclasses
import json
import math
import operator
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit

import blosc2
import numpy as np

NAMES = ["a", "x y", "é", "nested.x", "nested.y", "other.deep.z", "50%", "id", "name", "last"]
WORDS = ["", "a", "zz", "häß", "日本", "long " * 20, "line\nbreak", 'quo"te', "<NA>"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
UNITS = ["s", "ms", "us", "ns"]
BATCHES = {"serializer": "msgpack", "batch_rows": 2048}
CODECS = ["lz4", "lz4hc:9", "zstd:1+bitshuffle", "zlib:3+shuffle", "blosclz+shuffle"]
MASK = {"nullable": True, "null_storage": "mask"}


def column(rng):
    """The entry of the schema, how the nulls of the column are written, and a function that draws a value."""
    kind = rng.choice([*INTEGERS, "float32", "float64", "bool", "timestamp", "string", "bytes", "utf8", "utf8", "vlstring", "vlbytes", "dictionary", "dictionary", "list", "struct", "ndarray"])
    nulls = rng.choice([None, "mask", "value"])
    own = dict(MASK) if nulls == "mask" else {}
    word = lambda: rng.choice(WORDS)
    if kind in INTEGERS:
        if nulls == "value":
            own = {"nullable": True, "null_value": int(np.iinfo(kind).max)}
        return {"kind": kind, **own}, bool(own), lambda: rng.randint(max(-100, int(np.iinfo(kind).min)), 100)
    if kind.startswith("float"):
        if nulls == "value":
            own = {"nullable": True, "null_value": -1.5}
        return {"kind": kind, **own}, bool(own), lambda: rng.randint(-1000, 1000) / 8 + 0.0625
    if kind == "bool":
        if nulls == "value":
            own = {"nullable": True, "null_value": 255}
        return {"kind": kind, **own}, bool(own), lambda: rng.random() < 0.5
    if kind == "timestamp":
        unit = rng.choice(UNITS)
        zone = {"timezone": "Europe/Berlin"} if rng.random() < 0.3 else {}
        return {"kind": kind, "unit": unit, **zone, **own}, bool(own), lambda: str(np.datetime64(rng.randint(-(10**9), 10**9), unit))
    if kind in ("string", "utf8"):
        if nulls == "value":
            own = {"nullable": True, "null_value": "NULL"}
        size = {"max_length": 110} if kind == "string" else {}
        return {"kind": kind, **size, **own}, bool(own), word
    if kind == "bytes":
        return {"kind": kind, "max_length": 8, **own}, bool(own), lambda: "x" * rng.randint(0, 8)
    nullable = bool(nulls)
    if kind == "vlstring":
        return {"kind": kind, "nullable": nullable, **BATCHES}, nullable, word
    if kind == "vlbytes":
        return {"kind": kind, "nullable": nullable, **BATCHES}, nullable, lambda: "y" * rng.randint(0, 30)
    if kind == "dictionary":
        texts = {"kind": "vlstring", "nullable": False, **BATCHES}
        entry = {"kind": kind, "index_type": {"kind": "int32"}, "value_type": texts, "ordered": rng.random() < 0.5, "nullable": nullable, "null_code": -1}
        return entry, nullable, word
    if kind == "list":
        entry = {"kind": kind, "item": {"kind": "int64"}, "nullable": nullable, "storage": "batch", **BATCHES}
        return entry, nullable, lambda: [rng.randint(0, 9) for _ in range(rng.randint(0, 4))]
    if kind == "struct":
        fields = [{"name": "x", "kind": "int32"}, {"name": "y", "kind": "string", "max_length": 110}]
        return {"kind": kind, "fields": fields, "nullable": False}, False, lambda: {"x": rng.randint(0, 9), "y": word()}
    return {"kind": "ndarray", "item_shape": [2, 3], "dtype_str": "<f4"}, False, lambda: [[rng.randint(0, 9) / 2 for _ in range(3)] for _ in range(2)]


def plain(value):
    """A cell as JSON has it."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.datetime64):
        return str(value)
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


class Table:
    """A table, and what it must have."""

    def __init__(self, tool, path, key, rng):
        self.tool, self.path, self.key, self.rng = tool, path, key, rng
        names = [name for name in NAMES if rng.random() < 0.5] or ["only"]
        self.columns = {name: column(rng) for name in names}
        self.codecs = {name: rng.choice(CODECS) for name in names if rng.random() < 0.3}
        self.rows = []

    def run(self, *words, text=None):
        done = subprocess.run([self.tool, *map(str, words)], input=text, capture_output=True)
        assert done.returncode == 0, (words, done.stderr.decode())
        return done.stdout

    def draw(self, count):
        def cell(entry, nullable, make):
            return None if nullable and self.rng.random() < 0.25 else make()

        return [{name: cell(*of) for name, of in self.columns.items()} for _ in range(count)]

    @property
    def place(self):
        return f"{self.path}{self.key}"

    def lines(self, rows):
        return "".join(json.dumps(row) + "\n" for row in rows).encode()

    def create(self):
        schema = json.dumps([{"name": name, **entry} for name, (entry, _, _) in self.columns.items()])
        self.rows = self.draw(self.rng.choice([0, 1, 5, 30, 3000]))
        words = ["create-table", "-", self.place, "--from", "ndjson", "--schema", schema, "--attr", 'note="hi"']
        words += self.rng.choice([[], [], ["--codec", "lz4"], ["--codec", "auto", "--filters", "auto"]])
        words += [f"--column-codec={name}={codec}" for name, codec in self.codecs.items()]
        self.run(*words, text=self.lines(self.rows))
        self.check_codecs()

    def check_codecs(self):
        """The reference finds the parameters of columns, in their arrays and in the schema."""
        if not self.path.is_dir() and self.path.suffix != ".b2z":
            return
        table, opened = self.open("r")
        entries = {entry["name"]: entry for entry in table._schema_dict_with_computed()["columns"]}
        for name, codec in self.codecs.items():
            stored = table._cols[name]
            expected = blosc2.Codec[codec.split(":")[0].split("+")[0].upper()]
            assert entries[name]["cparams"]["codec"] == expected.value, (name, entries[name])
            if isinstance(stored, blosc2.NDArray):
                assert stored.cparams.codec == expected, (name, codec, stored.cparams)
            kind, ordered = entries[name]["kind"], self.columns[name][0].get("ordered")
            assert kind != "dictionary" or entries[name]["ordered"] == ordered
        for one in opened:
            one.close()

    def append_by_tool(self):
        rows = self.draw(self.rng.choice([1, 7]))
        before = self.stale()
        self.run("append-rows", self.place, "-", "--from", "ndjson", text=self.lines(rows))
        self.rows += rows
        assert self.stale() == before

    def stale(self):
        """Whether the index of each column is stale."""
        columns = json.loads(self.run("info", "--json", self.place))["columns"]
        return {column["name"]: "index" in column and column["index"]["stale"] for column in columns}

    def open(self, mode):
        """The table, and what closes it."""
        if self.path.suffix == ".b2e":
            return blosc2.ctable_from_cframe(self.path.read_bytes()), []
        if not self.key:
            table = blosc2.open(str(self.path), mode=mode)
            return table, [table]
        store = blosc2.TreeStore(str(self.path), mode=mode)
        table = store[self.key]
        return table, [table, store]

    def append_by_reference(self):
        if self.path.suffix == ".b2e":
            return
        rows = self.draw(3)
        table, opened = self.open("a")
        for row in rows:
            values = {name: self.stored(name, value) for name, value in row.items()}
            table.append(tuple(values.values()))
        for one in opened:
            one.close()
        self.rows += rows

    def delete_by_reference(self):
        # Appending after the last row was deleted leaves texts where they are.
        if self.path.suffix == ".b2e" or len(self.rows) < 3:
            return
        row = self.rng.randrange(len(self.rows) - 1)
        table, opened = self.open("a")
        table.delete(row)
        for one in opened:
            one.close()
        del self.rows[row]

    def drop_by_tool(self):
        if len(self.columns) < 2:
            return
        name = self.rng.choice(list(self.columns))
        self.run("drop-columns", self.place, name)
        del self.columns[name]
        for row in self.rows:
            del row[name]

    def add_by_tool(self):
        columns = {name: column(self.rng) for name in ("added", "more.added")}
        schema = json.dumps([{"name": name, **entry} for name, (entry, _, _) in columns.items()])
        cells = [{name: None if nullable and self.rng.random() < 0.25 else make() for name, (_, nullable, make) in columns.items()} for _ in self.rows]
        self.run("add-columns", self.place, "-", "--from", "ndjson", "--schema", schema, text=self.lines(cells))
        self.columns |= columns
        self.rows = [row | more for row, more in zip(self.rows, cells, strict=True)]

    def compute_by_tool(self):
        """Adds a column that is computed from others, which both read. The reference computes with what null cells hold."""
        option = self.rng.choice(["--computed", "--generated"])
        # The reference does not append large integers of 64 bits that it has computed.
        kinds = {*INTEGERS, "float32", "float64"} - ({"uint64"} if option == "--generated" else set())
        inputs = [name for name, (entry, _, _) in self.columns.items() if name.isidentifier() and entry["kind"] in kinds]
        if not inputs or not self.rows or self.path.suffix == ".b2e":
            return
        left, right = self.rng.choice(inputs), self.rng.choice(inputs)
        number = self.rng.randint(1, 9)
        text = self.rng.choice(["{} + {n}*{}", "({} - {}) / 4.0", "where({} > {}, {n}, -1)", "abs({}) * 0.5 + {}", "{n} <= {} < {} + 3", "-minimum({}, {})", "sqrt(abs({} * 1.0 * {}))", "floor({} / 2.5) - {}"]).format(left, right, n=number)
        self.run("add-columns", self.place, option, f"computed = {text}")
        self.check_computed(text, left, right, option)
        if option == "--generated":
            self.append_by_tool()
            self.check_computed(text, left, right, option)
            nulls = len(self.rows)
            # The reference fails to compute it for a single row, or of a null that no value stands for.
            has_masks = any(nullable and "null_value" not in entry for entry, nullable, _ in (self.columns[left], self.columns[right]))
            if "where" not in text and not has_masks:
                self.append_by_reference()
            self.check_computed(text, left, right, option, nulls)
            self.set_by_reference(left, 5)
            # In a tree store the reference does not note it (format.md, B22).
            if not self.key:
                stale = subprocess.run([self.tool, "get", self.place], capture_output=True)
                assert stale.returncode == 3 and b"is stale" in stale.stderr, stale
            self.run("refresh-columns", self.place)
            self.check_computed(text, left, right, option)
        self.run("drop-columns", self.place, "computed")

    def check_computed(self, text, left, right, option, nulls=None):
        """Compares a column that is computed from two others. After so many rows cells are not null, since the reference appended them."""
        read = json.loads(self.run("get", self.place, "-f", "json", "--columns", f"computed,{left},{right}"))
        assert [(row[left], row[right]) for row in read] == [(row[left], row[right]) for row in self.rows]
        table, opened = self.open("r")
        assert "computed" in table.col_names and table["computed"].is_computed == (option == "--computed")
        assert table["computed"].is_generated == (option == "--generated")
        values = table["computed"][:]
        for number, (row, value) in enumerate(zip(read, values, strict=True)):
            if row[left] is None or (right in text and row[right] is None):
                assert row["computed"] is None or number >= (nulls or len(read)), (text, row)
                continue
            found = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.get(row["computed"], row["computed"]) if isinstance(row["computed"], str) else row["computed"]
            # The reference adds floats of 32 bits in another order.
            assert np.isclose(float(found), float(value), rtol=1e-5, equal_nan=True), (text, row, value)
        for one in opened:
            one.close()

    def set_by_reference(self, name, value):
        table, opened = self.open("a")
        table[name][0] = value
        for one in opened:
            one.close()
        self.rows[0][name] = value

    def rename_by_tool(self):
        name, new = self.rng.choice(list(self.columns)), self.rng.choice(["new", "new.one", "ü/%"])
        self.run("rename-column", self.place, name, new)
        self.columns = {new if old == name else old: of for old, of in self.columns.items()}
        self.rows = [{new if old == name else old: cell for old, cell in row.items()} for row in self.rows]

    def stored(self, name, value):
        """A cell as the reference takes it."""
        entry = self.columns[name][0]
        if value is None:
            return entry.get("null_value")
        if entry["kind"] == "timestamp":
            return np.datetime64(value, entry["unit"])
        if entry["kind"] in ("bytes", "vlbytes"):
            return value.encode()
        return np.array(value, "f4") if entry["kind"] == "ndarray" else value

    def compare(self):
        self.run("verify", self.path)
        read = json.loads(self.run("get", self.place, "-f", "json"))
        for name, (entry, _, _) in self.columns.items():
            expected = [row[name] for row in self.rows]
            # The tool tells that times with a time zone are those of UTC.
            zoned = "timezone" in entry
            cells = [cell.removesuffix("Z") if zoned and cell else cell for cell in (row[name] for row in read)]
            assert same(cells, expected), (name, entry, cells[:9], expected[:9])
        table, opened = self.open("r")
        assert len(table) == len(self.rows)
        assert list(table.col_names) == list(self.columns)
        assert dict(table.vlmeta[:]) == {"note": "hi"}
        for name, (entry, _, _) in self.columns.items():
            expected = [row[name] for row in self.rows]
            nulls = table[name].is_null() if self.rows else []
            values = table[name][:] if self.rows else []
            found = [None if null else plain(value) for null, value in zip(nulls, values, strict=True)]
            if entry["kind"] == "bool":
                found = [None if value is None else bool(value) for value in found]
            assert same(found, expected), (name, entry, found[:9], expected[:9])
            self.select(table, name, entry, expected)
        for one in opened:
            one.close()

    def select(self, table, name, entry, expected):
        """The reference uses the summaries for this. It does not leave out values that stand for null."""
        if entry["kind"] in ("utf8", "string", "dictionary", "vlstring") and self.rng.random() < 0.3:
            count = self.run("get", self.place, "--where", f"`{name}` == 'zz'", "--count")
            assert int(count) == expected.count("zz"), (name, entry, count)
        if entry["kind"] in INTEGERS and "null_value" in entry:
            return
        if entry["kind"] not in [*INTEGERS, "float32", "float64"] or not name.isidentifier() or not expected:
            return
        limit = self.rng.randint(0, 50)
        found = table.where(f"{name} > {limit}")
        wanted = sum(value is not None and value > limit for value in expected)
        count = int(self.run("get", self.place, "--where", f"`{name}` > {limit}", "--count"))
        assert len(found) == wanted == count, (name, entry, limit, len(found), wanted, count)


def condition(rng, depth=2):
    """A condition on the table of `conditions`, with the parentheses that the reference needs.

    The reference compares integers with a fraction as if it were whole, and takes the opposite of a comparison of texts for true where the
    text is null. Such conditions are left out.
    """
    if depth and rng.random() < 0.7:
        left, right = condition(rng, depth - 1), condition(rng, depth - 1)
        return f"({left} {rng.choice('&|')} {right})"
    test = rng.choice(["==", "!=", "<", "<=", ">", ">="])
    numbers = [f"(x {test} {rng.randint(-5, 5)})", f"(y {test} {rng.randint(-20, 20) / 4})", f"(x {test} y)", f"(id {test} {rng.randint(0, 200)})"]
    word = f"(s {test} {rng.choice(WORDS[1:3])!r})"
    return rng.choice([word, f"(~{rng.choice(numbers)})", *numbers])


def conditions(tool, folder, count, rng):
    """Random conditions choose the rows that the reference's choose, and random orders are its orders."""
    path = folder / "conditions.b2z"
    path.unlink(missing_ok=True)
    draw = {"x": lambda: rng.randint(-5, 5), "y": lambda: rng.randint(-20, 20) / 4, "s": lambda: rng.choice(WORDS[:4])}
    rows = [{"id": number, **{name: make() if rng.random() < 0.8 else None for name, make in draw.items()}} for number in range(200)]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    schema = "id=int32,x=int16?,y=float64?,s=text?"
    subprocess.run([tool, "create-table", "-", path, "--from", "ndjson", "--schema", schema], input=lines, check=True)
    table = blosc2.CTable.open(str(path), mode="r")
    for _ in range(count):
        text = condition(rng)
        expected = [int(number) for number in table.where(text)["id"][:]]
        words = [tool, "get", path, "--columns", "id", "-f", "csv", "--where", text]
        found = subprocess.run(words, capture_output=True, check=True).stdout.split()[1:]
        assert [int(number) for number in found] == expected, (text, found, expected)
    arithmetic(tool, path, rows, count, rng)
    for _ in range(count // 2):
        keys = rng.sample(["x", "y", "s"], rng.randint(1, 3)) + ["id"]
        # The reference ignores the keys behind a text in descending order.
        ascending = [key == "s" or rng.random() < 0.5 for key in keys]
        expected = [int(row.id) for row in table.iter_sorted(keys, ascending)]
        words = [tool, "get", path, "--columns", "id", "-f", "csv"]
        words += ["--sort=" + ",".join(key if up else "-" + key for key, up in zip(keys, ascending))]
        limit = rng.choice([None, 1, 17, 200])
        words += [] if limit is None else ["--limit", str(limit)]
        found = subprocess.run(words, capture_output=True, check=True).stdout.split()[1:]
        assert [int(number) for number in found] == expected[:limit], (words, found, expected)
    table.close()


def indexes(tool, folder, number, rng):
    """The tool finds the rows by the indexes that the reference makes, of all kinds and also after rows were deleted."""

    @dataclasses.dataclass
    class Row:
        x: int = blosc2.field(getattr(blosc2, rng.choice(INTEGERS))(), chunks=(512,), blocks=(64,))
        y: float = blosc2.field(getattr(blosc2, rng.choice(["float32", "float64"]))(), chunks=(512,), blocks=(64,))
        z: int = blosc2.field(blosc2.int32(nullable=True), chunks=(512,), blocks=(64,))
        b: bool = blosc2.field(blosc2.bool(), chunks=(512,), blocks=(64,))

    path = folder / f"indexes.{number}.{rng.choice(['b2z', 'b2d'])}"
    count, room = rng.choice([(1, 1), (70, 70), (1500, 1500), (1500, 4000), (2000, 100)])
    distinct = rng.choice([3, 40, 120])
    rows = [(rng.randrange(distinct), rng.choice([math.nan, *(n / 4 for n in range(distinct))]), None if rng.random() < 0.2 else rng.randrange(distinct) - 20, rng.random() < 0.02) for _ in range(count)]
    table = blosc2.CTable(Row, urlpath=str(path), mode="w", expected_size=room)
    table.extend(dict(zip("xyzb", map(list, zip(*rows)))))
    for name in "xyzb":
        if rng.random() < 0.8:
            table.create_index(name, kind=rng.choice([blosc2.IndexKind.FULL] * 4 + [blosc2.IndexKind.PARTIAL, blosc2.IndexKind.BUCKET, blosc2.IndexKind.SUMMARY]))
    deleted = rng.sample(range(count), count // 20)
    if deleted:
        table.delete(deleted)
    table.close()
    rows = [row for number, row in enumerate(rows) if number not in deleted]

    def test():
        """A comparison of the condition, and whether it is true of a row; null is unknown."""
        name, sign = rng.choice("xyz"), rng.choice(["==", "!=", "<", "<=", ">", ">="])
        at, number = "xyz".index(name), rng.randrange(-3, distinct + 3) - (20 if name == "z" else 0)
        if rng.random() < 0.1:
            return "z is null", lambda row: row[2] is None
        if rng.random() < 0.1:
            return "b", lambda row: row[3]
        compare = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[sign]
        return f"{name} {sign} {number}", lambda row: None if row[at] is None else compare(row[at], number)

    def whole(depth):
        if not depth or rng.random() < 0.4:
            return test()
        (left, a), (right, b) = whole(depth - 1), whole(depth - 1)
        choice = rng.randrange(3)
        if choice == 0:
            return f"({left} and {right})", lambda row: False if a(row) is False or b(row) is False else None if None in (a(row), b(row)) else True
        if choice == 1:
            return f"({left} or {right})", lambda row: True if a(row) is True or b(row) is True else None if None in (a(row), b(row)) else False
        return f"not ({left})", lambda row: None if a(row) is None else not a(row)

    for _ in range(12):
        text, is_true = whole(2)
        expected = [row for row in rows if is_true(row)]
        found = subprocess.run([tool, "get", path, "--where", text, "-f", "ndjson"], capture_output=True, check=True).stdout.splitlines()
        found = [json.loads(line) for line in found]
        assert [row["x"] for row in found] == [row[0] for row in expected], (path, text, len(found), len(expected))
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def arithmetic(tool, path, rows, count, rng):
    """Random arithmetic has the values that NumPy computes, also where the reference has other ones, as for remainders."""
    dtypes = {"id": "int32", "x": "int16", "y": "float64"}
    values = {name: np.array([row[name] or 0 for row in rows], dtype) for name, dtype in dtypes.items()}
    is_null = {name: np.array([row[name] is None for row in rows]) for name in dtypes}
    functions = {name: getattr(np, name) for name in ("abs", "sqrt", "floor", "minimum", "isnan")}

    def term(depth):
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(["x", "y", "id", "x", "y", str(rng.randint(0, 9)), str(rng.randint(1, 40) / 8)])
        left, right = term(depth - 1), term(depth - 1)
        function = rng.choice(["abs({})", "-{}", "sqrt(abs({}))", "floor({} * 0.5)", "minimum({}, {})"])
        return rng.choice([f"({left} {rng.choice(['+', '-', '*', '/', '//', '%'])} {right})", function.format(f"({left})", f"({right})")])

    def comparison():
        text = f"({term(3)} {rng.choice(['==', '!=', '<', '<=', '>', '>='])} {term(2)})"
        nulls = [is_null[name] for name in dtypes if name in re.findall(r"\w+", text)]
        truth = np.broadcast_to(eval(text, {**functions, **values}), len(rows))
        return text, truth, ~np.logical_or.reduce([np.zeros(len(rows), bool), *nulls])

    def condition(depth):
        """A condition, what is true of it, and what is known."""
        if depth == 0 or rng.random() < 0.3:
            return comparison()
        (left, a, known_a), (right, b, known_b) = condition(depth - 1), condition(depth - 1)
        if rng.random() < 0.5:
            return f"({left} & {right})", a & b, known_a & known_b | known_a & ~a | known_b & ~b
        return f"~({left} | {right})", ~(a | b), known_a & known_b | known_a & a | known_b & b

    tried = 0
    while tried < count * 2:
        with np.errstate(all="ignore"):
            try:
                text, truth, known = condition(2)
            except (OverflowError, ZeroDivisionError):
                continue
        if not re.search(r"\b(id|x|y)\b", text):
            continue
        done = subprocess.run([tool, "get", path, "--columns", "id", "-f", "csv", "--where", text], capture_output=True)
        assert done.returncode == 0, (text, done.stderr)
        found = [int(number) for number in done.stdout.split()[1:]]
        assert found == np.flatnonzero(truth & known).tolist(), (text, found, np.flatnonzero(truth & known).tolist())
        tried += 1


def same(found, expected):
    if isinstance(found, float) and isinstance(expected, (float, int)):
        return found == expected or math.isnan(found) and math.isnan(expected)
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(same, found, expected))
    return found == expected


PLACES = [("b2z", "/group/people"), ("b2d", ""), ("b2z", ""), ("b2d", "/people"), ("b2e", "")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()
    explicit.take_one_chunk()
    for number in range(options.count):
        rng = random.Random(f"{options.seed} {number}")
        folder = options.folder / f"{number:03}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        extension, key = PLACES[number % len(PLACES)]
        table = Table(options.tool, folder / f"store.{extension}", key, rng)
        try:
            for change in [table.create, table.append_by_reference, table.append_by_tool, table.delete_by_reference, table.rename_by_tool, table.append_by_tool, table.drop_by_tool, table.add_by_tool, table.compute_by_tool, table.append_by_reference, table.append_by_tool]:
                change()
                table.compare()
        except BaseException:
            print(table.place, change.__name__)
            raise
        shutil.rmtree(folder)
    conditions(options.tool, options.folder, options.count, random.Random(options.seed))
    for number in range(options.count):
        indexes(options.tool, options.folder, number, random.Random(f"indexes {options.seed} {number}"))
    print(f"{options.count} tables are what both wrote")


if __name__ == "__main__":
    main()
