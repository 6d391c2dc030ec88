"""Exchanges random tables: pyarrow writes Parquet and Arrow, the tool makes tables of them, and python-blosc2, pyarrow, DuckDB and pandas
read what the tool wrote. Tables that python-blosc2 makes of Parquet are read by the tool.

python exchanged_tables.py TOOL FOLDER [--count N] [--seed N]
"""

import argparse
import datetime
import math
import random
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit

import blosc2
import duckdb
import pandas
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq

WORDS = ["", "a", "zz", "häß", "日本", "long " * 20, "line\nbreak", 'quo"te', "<NA>", "nul\0"]
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float32(), pa.float64()]
UNITS = ["s", "ms", "us", "ns"]
ZONES = [None, None, "UTC", "Europe/Berlin", "+02:00"]
TEXTS = [pa.string(), pa.large_string()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary(3)]
CODECS = ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]
DICTIONARIES = [pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.large_string())]
# What tables have no columns of.
REFUSED = [pa.decimal128(9, 2), pa.duration("ms"), pa.time32("s"), pa.null(), pa.map_(pa.string(), pa.int32()), pa.list_(pa.time64("us"))]


def scalar(rng):
    return rng.choice([*INTEGERS, *FLOATS, pa.bool_(), pa.timestamp(rng.choice(UNITS)), *TEXTS, pa.binary()])


def kind(rng):
    """The type of a column."""
    stamps = [pa.timestamp(rng.choice(UNITS), tz=rng.choice(ZONES)) for _ in range(4)]
    nested = [
        pa.list_(scalar(rng)),
        pa.large_list(pa.list_(scalar(rng))),
        pa.struct([("x", scalar(rng)), ("y", pa.list_(pa.int32())), ("ä b", pa.struct([("z", scalar(rng))]))]),
        pa.list_(pa.struct([("x", scalar(rng)), ("when", pa.timestamp("us"))])),
        pa.list_(rng.choice([*INTEGERS, *FLOATS]), rng.randint(1, 4)),
        pa.list_(pa.string(), 2),
    ]
    plain = [*INTEGERS, *FLOATS, pa.bool_(), *stamps, *TEXTS, *BYTES, *DICTIONARIES, pa.date32(), pa.float16(), pa.string_view()]
    return rng.choice(nested if rng.random() < 0.25 else plain)


def draw(rng, data_type, nulls):
    """A value of a type."""
    if nulls and rng.random() < 0.2:
        return None
    kinds = pa.types
    if kinds.is_integer(data_type):
        width = data_type.bit_width - (0 if kinds.is_unsigned_integer(data_type) else 1)
        low = 0 if kinds.is_unsigned_integer(data_type) else -(1 << width)
        return rng.choice([low, (1 << width) - 1, rng.randint(0, 100), rng.randint(low, (1 << width) - 1)])
    if kinds.is_floating(data_type):
        return rng.choice([rng.randint(-1000, 1000) / 8, 0.0, math.inf, math.nan])
    if kinds.is_boolean(data_type):
        return rng.random() < 0.5
    if kinds.is_timestamp(data_type):
        return rng.randint(-(10**9), 2 * 10**9)
    if kinds.is_date(data_type):
        return rng.randint(-10**4, 2 * 10**4)
    if kinds.is_dictionary(data_type):
        return rng.choice(WORDS)
    if kinds.is_fixed_size_binary(data_type):
        return rng.randbytes(data_type.byte_width)
    if kinds.is_binary(data_type) or kinds.is_large_binary(data_type):
        return rng.randbytes(rng.randint(0, 9))
    if kinds.is_fixed_size_list(data_type):
        inner = nulls and not kinds.is_primitive(data_type.value_type)
        return [draw(rng, data_type.value_type, inner) for _ in range(data_type.list_size)]
    if kinds.is_list(data_type) or kinds.is_large_list(data_type):
        return [draw(rng, data_type.value_type, nulls) for _ in range(rng.randint(0, 4))]
    if kinds.is_struct(data_type):
        return {field.name: draw(rng, field.type, nulls) for field in data_type}
    return rng.choice(WORDS)


def fields(rng):
    names = rng.sample(["a", "x y", "é", "nested.x", "nested.y", "50%", "id", "name", "last"], rng.randint(1, 7))
    return pa.schema([pa.field(name, kind(rng), nullable=rng.random() < 0.7) for name in names])


def array(rng, field, rows):
    values = [draw(rng, field.type, field.nullable) for _ in range(rows)]
    if pa.types.is_dictionary(field.type):
        return pa.array(values, field.type.value_type).dictionary_encode().cast(field.type)
    return pa.array(values, field.type)


def table(rng, schema, rows):
    return pa.table([array(rng, field, rows) for field in schema], schema=schema)


def normal(data_type, inner=False):
    """The type in which the values come back."""
    kinds = pa.types
    if kinds.is_large_string(data_type) or kinds.is_string_view(data_type):
        return pa.string()
    if kinds.is_large_binary(data_type) or kinds.is_fixed_size_binary(data_type):
        return pa.binary()
    if kinds.is_dictionary(data_type):
        return pa.string() if inner else DICTIONARIES[0]
    if kinds.is_date32(data_type):
        return pa.timestamp("s")
    if kinds.is_float16(data_type):
        return pa.float32()
    if kinds.is_fixed_size_list(data_type) and kinds.is_primitive(data_type.value_type) and not inner:
        return pa.list_(pa.field("item", data_type.value_type), data_type.list_size)
    if kinds.is_nested(data_type) and not kinds.is_struct(data_type):
        return pa.list_(pa.field("item", normal(data_type.value_type, True)))
    if kinds.is_struct(data_type):
        return pa.struct([(field.name, normal(field.type, True)) for field in data_type])
    return data_type


def same(found, expected):
    if isinstance(expected, float) and isinstance(found, float):
        return found == expected or math.isnan(found) and math.isnan(expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(same(found[name], expected[name]) for name in expected)
    if isinstance(expected, datetime.date) and not isinstance(expected, datetime.datetime):
        expected = datetime.datetime.combine(expected, datetime.time())
    return found == expected


def usual(made):
    """A table in the types in which it comes back."""
    return made.cast(pa.schema([pa.field(field.name, normal(field.type)) for field in made.schema]))


def stored(data_type, path):
    """Parquet has no seconds."""
    if pa.types.is_struct(data_type):
        return pa.struct([(field.name, stored(field.type, path)) for field in data_type])
    if pa.types.is_list(data_type):
        return pa.list_(pa.field("item", stored(data_type.value_type, path)))
    is_seconds = pa.types.is_timestamp(data_type) and data_type.unit == "s"
    return pa.timestamp("ms", data_type.tz) if is_seconds and Path(path).suffix == ".parquet" else data_type


def compare(found, expected, where, types=True):
    assert found.column_names == expected.column_names, (where, found.column_names)
    assert found.num_rows == expected.num_rows, (where, found.num_rows, expected.num_rows)
    for field in expected.schema:
        column, wanted = found[field.name], expected[field.name]
        if types:
            assert column.type == stored(normal(field.type), where), (where, field, column.type)
        values, wanted = column.to_pylist(), wanted.to_pylist()
        at = next((at for at, pair in enumerate(zip(values, wanted)) if not same(*pair)), None)
        assert at is None, (where, field, at, values[at], wanted[at])


def write(rng, made, path):
    """Writes a table as Parquet or Arrow, in one of many ways."""
    if path.suffix == ".parquet":
        codec, rows = rng.choice(CODECS), rng.choice([1 << 20, 1000])
        pq.write_table(
            made, path, compression=codec, row_group_size=rows, data_page_version=rng.choice(["1.0", "2.0"]), version="2.6",
            use_dictionary=rng.random() < 0.7, write_page_index=rng.random() < 0.5,
        )
    elif path.suffix == ".feather":
        feather.write_feather(made, path, compression=rng.choice(["uncompressed", "lz4", "zstd"]), chunksize=rng.choice([None, 700]))
    else:
        new = pa.ipc.new_stream if rng.random() < 0.5 else pa.ipc.new_file
        with new(path, made.schema) as writer:
            writer.write_table(made, max_chunksize=rng.choice([None, 700]))


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path)
    with pa.OSFile(str(path)) as file:
        is_file = file.read(6) == b"ARROW1"
        file.seek(0)
        return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(file).read_all()


class Exchange:
    def __init__(self, tool, folder, rng):
        self.tool, self.folder, self.rng = tool, folder, rng
        self.place = folder / rng.choice(["store.b2z", "store.b2z/group/people", "store.b2d/people", "store.b2d"])

    def run(self, *words, fails=None):
        done = subprocess.run([self.tool, *map(str, words)], capture_output=True)
        if fails is not None:
            assert done.returncode == fails, (words, done.returncode, done.stderr.decode())
            return done.stderr.decode()
        assert done.returncode == 0, (words, done.stderr.decode())
        return done.stdout

    def reference(self, mode="r"):
        """The table in python-blosc2, and what to close."""
        store = next(part for part in [self.place, *self.place.parents] if part.suffix in (".b2z", ".b2d"))
        if store == self.place:
            opened = blosc2.open(str(store), mode=mode)
            return opened, [opened]
        opened = blosc2.TreeStore(str(store), mode=mode)
        found = opened["/" + str(self.place.relative_to(store))]
        return found, [found, opened]

    def check(self, expected):
        self.run("verify", next(part for part in [self.place, *self.place.parents] if part.suffix in (".b2z", ".b2d")))
        opened, all_opened = self.reference()
        compare(opened.to_arrow(), expected, "python-blosc2", types=False)
        for one in all_opened:
            one.close()
        out = self.folder / self.rng.choice(["out.parquet", "out.arrow", "out.feather"])
        self.run("get", self.place, "-o", out)
        compare(read(out), expected, out.name)
        self.part(expected)
        return out

    def part(self, expected):
        """Some rows and columns."""
        rows, names = expected.num_rows, self.rng.sample(expected.column_names, min(2, expected.num_columns))
        start, step = self.rng.randint(0, rows), self.rng.randint(1, 5)
        selection = f"{start}:{rows}:{step}"
        columns = ",".join('"' + name + '"' for name in names)
        out = self.folder / "part.parquet"
        out.write_bytes(self.run("get", self.place, selection, "--columns", columns, "-f", "parquet"))
        expected = usual(expected)
        compare(pq.read_table(out), expected.select(names).take(pa.array(range(start, rows, step), pa.int64())), out.name)
        number = next((field.name for field in expected.schema if pa.types.is_integer(field.type)), None)
        if number:
            out = self.folder / "part.arrow"
            self.run("get", self.place, "--where", f"`{number}` > 50", "-o", out)
            compare(read(out), expected.filter(pc.greater(expected[number], pa.scalar(50, expected[number].type))), out.name)

    def others(self, out, expected):
        """DuckDB and pandas read what the tool wrote."""
        plain = [field.name for field in expected.schema if not pa.types.is_nested(field.type) and not pa.types.is_timestamp(field.type)]
        names = ", ".join('"' + name.replace('"', '""') + '"' for name in plain)
        if out.suffix == ".parquet" and plain:
            found = duckdb.connect().sql(f"select {names} from read_parquet('{out}')").fetchall()
            wanted = list(zip(*(expected[name].to_pylist() for name in plain)))
            assert same([list(row) for row in found], [list(row) for row in wanted]), "DuckDB"
        numbers = [f.name for f in expected.schema if pa.types.is_integer(f.type) or pa.types.is_timestamp(f.type) and f.type.unit != "s"]
        if out.suffix == ".parquet" and numbers:
            frame, wanted = pandas.read_parquet(out), usual(expected)
            pandas.testing.assert_frame_equal(frame[numbers], wanted.select(numbers).to_pandas())


def exchange(tool, folder, rng):
    one = Exchange(tool, folder, rng)
    schema = fields(rng)
    first = table(rng, schema, rng.choice([0, 1, 7, 100, 3000]))
    source = folder / rng.choice(["in.parquet", "in.parquet", "in.feather", "in.arrow"])
    write(rng, first, source)
    first = read(source)
    one.run("create-table", source, one.place)
    one.others(one.check(first), first)
    more = table(rng, schema, rng.choice([1, 30]))
    source = folder / rng.choice(["more.parquet", "more.arrow"])
    write(rng, more, source)
    one.run("append-rows", one.place, source)
    both = pa.concat_tables([first, more.cast(first.schema)], promote_options="none").unify_dictionaries()
    whole = one.check(both)
    # What the tool wrote, it reads again.
    one.run("create-table", whole, folder / "again.b2z")
    one.run("get", folder / "again.b2z", "-o", folder / "again.arrow")
    compare(read(folder / "again.arrow"), usual(read(whole)), "again.arrow")
    # The reference makes a table of what the tool wrote, and the tool reads it.
    out = folder / "whole.parquet"
    one.run("get", one.place, "-o", out)
    simple = [f.name for f in schema if not pa.types.is_nested(f.type)]
    if simple and both.num_rows:
        other = folder / "reference.b2z"
        blosc2.CTable.from_parquet(str(out), columns=simple, urlpath=str(other), null_storage="mask").close()
        back = folder / "back.parquet"
        one.run("get", other, "-o", back)
        compare(pq.read_table(back), both.select(simple), "from_parquet", types=False)


def refused(tool, folder):
    """Types that tables do not have are errors that tell the column and the type."""
    one = Exchange(tool, folder, random.Random(0))
    for number, data_type in enumerate(REFUSED):
        path = folder / f"refused-{number}.parquet"
        pq.write_table(pa.table({"fine": pa.array([1]), "odd one": pa.array([None], data_type)}), path)
        told = one.run("create-table", path, one.place, fails=3)
        assert "odd one" in told and path.name in told, told
        assert not one.place.exists()
        one.run("create-table", path, one.place, "--schema", "fine=int64?")
        shutil.rmtree(one.place) if one.place.is_dir() else one.place.unlink()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=28)
    options = parser.parse_args()
    explicit.take_one_chunk()
    for number in range(options.count):
        folder = options.folder / f"{number:03}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            exchange(options.tool, folder, random.Random(f"{options.seed} {number}"))
        except BaseException:
            print(folder)
            raise
        shutil.rmtree(folder)
    refused(options.tool, options.folder)
    print(f"{options.count} tables were exchanged")


if __name__ == "__main__":
    main()
