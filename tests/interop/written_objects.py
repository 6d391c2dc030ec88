"""Has the tool make sequences of objects of JSON lines, reads them with the reference, which appends to them, and reads that.

python written_objects.py TOOL FOLDER [--count N]
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit  # noqa: F401

import blosc2


def value(rng, depth=0):
    kinds = ["null", "bool", "int", "float", "text"] + ["list", "map"] * (depth < 3)
    match rng.choice(kinds):
        case "null":
            return None
        case "bool":
            return rng.random() < 0.5
        case "int":
            return rng.choice([0, -1, 127, 128, 2**31, -(2**63), 2**64 - 1, rng.randrange(10**9)])
        case "float":
            return rng.uniform(-1e9, 1e9)
        case "text":
            return "".join(rng.choices("abc äλ\n\"\\", k=rng.choice([0, 3, 40, 300])))
        case "list":
            return [value(rng, depth + 1) for _ in range(rng.randint(0, 5))]
        case _:
            return {f"k{n}": value(rng, depth + 1) for n in range(rng.randint(0, 5))}


def draw_list(rng, kind):
    if rng.random() < 0.2:
        return None
    draw = (lambda: rng.randint(-(2**63), 2**63 - 1)) if kind == "int64?" else (lambda: rng.choice(["", "é", "x" * 50]))
    return [draw() for _ in range(rng.randint(0, 6))]


def items(path):
    opened = blosc2.open(str(path), mode="r")
    return list(opened.items) if isinstance(opened, blosc2.BatchArray) else [opened[n] for n in range(len(opened))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for number in range(options.count):
        rng = random.Random(number)
        objects = [value(rng) for _ in range(rng.choice([1, 2, 30, 700]))]
        path = options.folder / f"{number:03}.b2b"
        lists = rng.choice([None, None, ["--lists", "int64?"], ["--lists", "text?"]])
        draw = lambda: value(rng) if lists is None else draw_list(rng, lists[1])
        objects = objects if lists is None else [draw() for _ in objects]
        choices = rng.choice([["--single"], [], ["--batch", "10"], ["--batch", "64", "--block", "7"], ["--codec", "lz4"]])
        lines = "".join(json.dumps(item) + "\n" for item in objects)
        command = [options.tool, "create-objects", "-", path, *choices, *(lists or [])]
        subprocess.run(command, input=lines.encode(), check=True)
        assert items(path) == objects, path
        opened = blosc2.open(str(path), mode="a")
        more = [draw() for _ in range(3)]
        if lists:
            assert isinstance(opened, blosc2.ListArray), opened
            opened.extend(more)
            opened.flush()
        elif isinstance(opened, blosc2.BatchArray):
            opened.append(more)
        else:
            opened.extend(more)
        printed = subprocess.run([options.tool, "get", path, "-f", "ndjson"], capture_output=True, check=True).stdout
        assert [json.loads(line) for line in printed.decode().split("\n")[:-1]] == objects + more, path
        subprocess.run([options.tool, "verify", path], capture_output=True, check=True)
    print(f"{options.count} sequences of objects are those of their lines")


if __name__ == "__main__":
    main()
