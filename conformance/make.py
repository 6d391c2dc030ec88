#!/usr/bin/env python3
"""Writes `manifest.json`, the corpus of files with what they must decode to.

    make.py [--check]

The values behind the digests are those that were given to the writers, or those that the reference decodes where a codec
or a filter is lossy (`tests/golden/README.md`). With --check nothing is written: the exit status is 1 if the manifest
is not that of the golden files.
"""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "tests/golden"
FILTERS = {1: "shuffle", 2: "bitshuffle", 3: "delta", 4: "trunc-prec", 32: "ndcell", 33: "ndmean", 34: "bytedelta-2.9", 35: "bytedelta", 36: "int-trunc"}
LEVELS = {"chunk": "chunks", "schunk": "frames", "array": "arrays"}
# Prefixes of file names that tell what the frame or chunk has in it.
CONTENTS = {"dict": "dictionary", "special": "special-values", "fill": "special-values", "variable": "variable-chunks"}
# Nothing in this file tells that it is older than most of its version; the others of its age do.
EARLY_BITSHUFFLE = "early/cat0.2.2-3d-i4-zstd-bitshuf.caterva"
# Only metadata behind the chunks are damaged here. A reader that does not look there finds the values of the whole file,
# `patterns.values("<i4", (30, 20))` of the writers.
TRAILERS = {f"damaged/x-frame-{name}.b2nd" for name in ("length-huge", "trailer-cut", "trailer-length-0", "trailer-length-huge")}
UNDAMAGED = "53c6c672b8dde49104ab3b0c0b28575a70f763168212255108ff60619ea11b98"


def lines(name):
    with open(GOLDEN / name, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def features(line):
    """What a reader must know to decode the file."""
    if "chunk_version" in line:
        yield "chunk-header-16" if line["chunk_version"] <= 2 else "chunk-header-32"
    if line.get("frame_version"):
        yield f"frame-{line['frame_version']}"
    if (GOLDEN / line["file"]).is_dir():
        yield "sparse-frame"
    if line["kind"] == "array":
        yield from (name for name in ("b2nd", "caterva") if name in line.get("metalayers", {}))
        if line.get("dtype") and "[" in line["dtype"]:
            yield "structured-dtype"
        if "shape" in line and not line["shape"]:
            yield "0-dimensions"
    if line.get("codec"):
        yield line["codec"]
    yield from (FILTERS[slot[0]] for slot in line.get("filters", []) if slot[0])
    if line.get("typesize", 0) > 255:
        yield "large-items"
    yield from (feature for word, feature in CONTENTS.items() if Path(line["file"]).name.startswith(word))
    if "uninitialised" in line.get("note", ""):
        yield "uninitialised"
    if line["file"].startswith("early/"):
        yield "beta"


def values(line):
    """An entry for a file of the manifest of golden files, or nothing for references to other files."""
    entry = {"file": line["file"], "level": LEVELS[line["kind"]], "writer": line["writer"]}
    if "error" in line:
        if not line["file"].startswith("damaged/"):
            return None
        entry["refuse"] = "damaged" if line["error"] == "format" else "unsupported"
        return entry | ({"or_sha256": UNDAMAGED} if line["file"] in TRAILERS else {}) | note(line)
    entry["features"] = sorted(set(features(line)))
    if "offset" in line:
        entry["offset"] = line["offset"]
    if line["file"] == EARLY_BITSHUFFLE:
        entry["early_bitshuffle"] = True
    entry |= {key: line[key] for key in ("shape", "dtype", "typesize", "nbytes") if line.get(key) is not None}
    if "uninitialised:" in line.get("note", ""):
        entry["uninitialised"] = True
    entry["basis"] = "reference" if "lossy" in line.get("note", "") else "original"
    entry["sha256"] = line["sha256"]
    entry["slices"] = [{"selection": cut["sel"], "sha256": cut["sha256"]} for cut in line.get("slices", [])]
    return entry | note(line)


def note(line):
    return {"note": line["note"]} if "note" in line else {}


def members():
    """An entry for each member of each store."""
    for store in lines("stores/stores.jsonl"):
        for key, digest in sorted(store["members"].items()):
            yield {
                "file": f"stores/{store['path']}",
                "level": "stores",
                "writer": "python-blosc2 4.14.1",
                "features": [store["kind"]],
                "member": key,
                "basis": "original",
                "sha256": digest,
            }


def columns():
    """An entry for each column of each table."""
    for table in lines("tables/tables.jsonl"):
        for column in table["columns"]:
            yield {
                "file": f"tables/{table['path']}",
                "level": "tables",
                "writer": "python-blosc2 4.14.1",
                "features": [column["kind"]],
                "column": column["name"],
                "rows": table["rows"],
                "basis": "reference",
                "sha256": hashlib.sha256(canonical(column["cells"])).hexdigest(),
            }


def canonical(cells):
    """The JSON whose digest stands for the cells of a column."""
    return json.dumps(cells, sort_keys=True, separators=(",", ":")).encode()


def manifest():
    """The text: a line for each entry, so that changes can be read."""
    files = [entry for entry in map(values, lines("manifest.jsonl")) if entry]
    entries = [*files, *members(), *columns()]
    head = json.dumps({"$schema": "manifest.schema.json", "corpus": "../tests/golden", "version": 1})[:-1]
    return head + ', "entries": [\n' + ",\n".join(map(json.dumps, entries)) + "\n]}\n"


def main():
    path, text = HERE / "manifest.json", manifest()
    if "--check" in sys.argv[1:]:
        sys.exit(path.read_text() != text and "conformance/manifest.json is not up to date: run conformance/make.py")
    path.write_text(text)


if __name__ == "__main__":
    main()
