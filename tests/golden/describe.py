"""Merges the records of all writers into `manifest.jsonl`. Runs with the current python-blosc2.

    describe.py GOLDEN_DIR

Adds the facts that each file itself contains. Reads every file with the current release, and notes where that fails or
differs. The early files have a manifest of their own, which is converted to the same form.
"""

import collections
import glob
import json
import os
import sys

sys.path[:0] = [
    os.path.dirname(os.path.abspath(__file__)),
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "writers"),
]

import blosc2
import reference
from facts import file_facts
from record import sha


def main():
    root = os.path.abspath(sys.argv[1])
    lines, failures = [], []
    for path in sorted(glob.glob(os.path.join(root, "*", "*.json"))):
        with open(path) as file:
            part = json.load(file)
        lines += part["lines"]
        failures += part["failures"]
        os.remove(path)
    for line in lines:
        complete(root, line)
    lines += early(root)
    lines.sort(key=lambda line: line["file"])
    with open(os.path.join(root, "manifest.jsonl"), "w") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=True) + "\n")
    for failure in failures:
        print("not written:", failure)
    for line in lines:
        if "the reference" in line.get("note", "") and "lossy" not in line["note"]:
            print("%s: %s" % (line["file"], line["note"]))
    summary(root, lines)


def complete(root, line):
    path = os.path.join(root, line["file"])
    offset = line.get("offset", 0)
    if "error" in line:
        return
    facts = file_facts(path, line["kind"], offset, blosc2.decompress2)
    facts.update(line)
    if line["kind"] == "array":
        facts.setdefault("dtype", None)
    line.update(facts)
    remark = read_back(path, line, offset)
    if remark and "reference" not in line.get("note", ""):
        line["note"] = "; ".join(filter(None, [line.get("note"), remark]))


def read_back(path, line, offset):
    """None, or what goes wrong when the current release reads the file."""
    try:
        if line["kind"] == "chunk":
            with open(path, "rb") as file:
                got = blosc2.decompress2(file.read()[offset:]) if line["nbytes"] else b""
        elif line["file"].endswith((".b2b", ".b2e")) or line["file"].split("/")[-1].startswith("objects"):
            return None  # opens as a container; the writer has read it already
        elif line["kind"] == "schunk":
            got = reference.read_schunk(path, offset)
        elif "b2nd" in line["metalayers"]:
            got = reference.read_array(path, offset).tobytes()
        else:
            return None
    except Exception as failure:
        return "the reference 4.14.1 fails on it (%s)" % str(failure).split("\n")[0][:80]
    if sha(got) != line["sha256"] and "uninitialised" not in line.get("note", ""):
        return "the reference 4.14.1 reads other values"


def early(root):
    """The lines of `early/`, in our form."""
    path = os.path.join(root, "early", "manifest-early.jsonl")
    out = []
    with open(path) as file:
        for text in file:
            old = json.loads(text)
            line = {
                "file": "early/" + old.pop("name"),
                "kind": "array" if old.pop("kind") == "caterva" else "schunk",
            }
            for part in old.get("slices", []):
                part["sel"] = ", ".join(axis(*one) for one in part["sel"]) or "..."
            if "vlmeta" in old:
                old["vlmetalayers"] = old.pop("vlmeta")
            # Their dtype only names the item size, and a super-chunk has no shape.
            old["dtype"] = None
            if line["kind"] == "schunk":
                old.pop("shape")
            line.update(old)
            out.append(line)
    return out


def axis(start, stop, step):
    return "%d:%d" % (start, stop) + (":%d" % step if step != 1 else "")


def summary(root, lines):
    count = collections.Counter(line["writer"] for line in lines)
    for writer, number in sorted(count.items()):
        print("%4d  %s" % (number, writer))
    sizes = []
    for folder, _, names in os.walk(root):
        sizes += [
            (os.path.getsize(os.path.join(folder, name)), name)
            for name in names
            if not name.endswith((".py", ".pyc", ".md", ".jsonl"))
        ]
    print(
        "%d lines, %d bytes of files, longest %s %d"
        % (len(lines), sum(s for s, _ in sizes), max(sizes)[1], max(sizes)[0])
    )


main()
