"""The runner tells right answers from wrong ones, refusals, crashes and waiting, called once or served.

Run with `python3 -m unittest discover conformance`.
"""

import json
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import run

GOOD = "blosc2-4.14.1/length-0.chunk"
ENTRY = next(entry for entry in run.MANIFEST["entries"] if entry["file"] == GOOD)
DAMAGED = next(entry for entry in run.MANIFEST["entries"] if entry.get("refuse") == "damaged" and "or_sha256" not in entry)
COLUMN = {"file": "table", "level": "tables", "column": "c", "sha256": run.hashlib.sha256(b'[1,{"a":2,"b":3}]').hexdigest()}
TYPES = {"string": str, "integer": int, "array": list}
# Answers by the name of the file, in both ways of asking.
READER = """
import json, sys, time
def answer(words):
    kind = words[words.index("--") + 1].rsplit("/", 1)[1]
    if kind == "slow": time.sleep(60)
    if kind == "crash": sys.exit(9)
    return {"values": (0, b"abc"), "refused": (1, b"no"), "unsupported": (3, b"never")}[kind]
if sys.argv[1:] == ["--serve"]:
    for line in sys.stdin:
        status, content = answer(json.loads(line))
        sys.stdout.buffer.write(b"%d %d\\n" % (status, len(content)) + content)
        sys.stdout.buffer.flush()
else:
    status, content = answer(sys.argv[1:])
    sys.stdout.buffer.write(content)
    sys.exit(status)
"""


class Manifest(unittest.TestCase):
    def test_fits_its_schema(self):
        schema = json.loads((HERE / "manifest.schema.json").read_text())["$defs"]["entry"]
        for entry in run.MANIFEST["entries"]:
            with self.subTest(entry["file"]):
                self.assertLessEqual(entry.keys(), schema["properties"].keys())
                self.assertGreaterEqual(entry.keys(), set(schema["required"]))
                choices = [choice for choice in schema["oneOf"] if entry.keys() >= set(choice["required"])]
                self.assertEqual(len(choices), 1, "either values, or a reason to refuse it")
                for key, value in entry.items():
                    allowed = schema["properties"][key]
                    self.assertIn(value, allowed.get("enum", [allowed.get("const", value)]))
                    self.assertIsInstance(value, TYPES[allowed["type"]] if "type" in allowed else object)

    def test_names_files_that_are_there(self):
        missing = [entry["file"] for entry in run.MANIFEST["entries"] if not (run.CORPUS / entry["file"]).exists()]
        self.assertEqual(missing, [])
        self.assertGreater(len(run.MANIFEST["entries"]), 1000)


class Verdicts(unittest.TestCase):
    def test_of_values(self):
        digest = ENTRY["sha256"]
        self.assertEqual(run.verdict(ENTRY, 0, b"", digest), "right", "an empty chunk")
        self.assertEqual(run.verdict(ENTRY, 0, b"x", digest), "wrong")
        self.assertEqual(run.verdict(ENTRY, 1, b"", digest), "refused")
        self.assertEqual(run.verdict(ENTRY, 3, b"", digest), "unsupported")
        self.assertEqual(run.verdict(ENTRY, 2, b"", digest), "crashed")
        self.assertEqual(run.verdict(ENTRY, -11, b"", digest), "crashed")
        self.assertEqual(run.verdict(ENTRY, None, b"", digest), "timeout")

    def test_of_files_to_refuse(self):
        verdicts = [run.verdict(DAMAGED, status, b"", None) for status in (0, 1, 3, -6, None)]
        self.assertEqual(verdicts, ["wrong", "right", "right", "crashed", "timeout"])

    def test_of_damaged_metadata(self):
        either = DAMAGED | {"or_sha256": run.hashlib.sha256(b"abc").hexdigest()}
        self.assertEqual([run.verdict(either, 0, content, None) for content in (b"abc", b"abd")], ["right", "wrong"])

    def test_cells_are_compared_as_json(self):
        digest = COLUMN["sha256"]
        self.assertEqual(run.verdict(COLUMN, 0, b'[ 1, {"b": 3, "a": 2} ]', digest), "right")
        self.assertEqual(run.verdict(COLUMN, 0, b'[1, {"b": 3, "a": 3}]', digest), "wrong")
        self.assertEqual(run.verdict(COLUMN, 0, b"no json", digest), "wrong")


class Drivers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.reader = Path(folder.name) / "reader.py"
        self.reader.write_text(textwrap.dedent(READER))

    def test_both_ask_the_same(self):
        for kind in (run.Once, run.Served):
            driver = kind([sys.executable, str(self.reader)], 2)
            ask = lambda name: driver.ask(["--", f"/{name}", "..."])
            with self.subTest(kind.__name__):
                self.assertEqual(ask("values"), (0, b"abc"))
                self.assertEqual(ask("refused")[0], 1)
                self.assertEqual(ask("crash")[0], 9)
                self.assertEqual(ask("slow")[0], None)
                self.assertEqual(ask("values"), (0, b"abc"), "after a crash and a pause")
                self.assertEqual(ask("unsupported")[0], 3)
            driver.close()


class Command(unittest.TestCase):
    def test_fails_if_answers_are_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            silent = [sys.executable, "-c", ""]
            call = [sys.executable, HERE / "run.py", "--file", "length-", "--json", report, "--", *silent]
            done = subprocess.run(call, capture_output=True, check=False)
            self.assertEqual(done.returncode, 1)
            values = json.loads(report.read_text())["values"]["chunks"]
            self.assertEqual(values["right"], 1, "of a chunk without items, to say nothing is right")
            self.assertGreater(values["wrong"], 1)
