#!/usr/bin/env python3
"""Asks an implementation for the values of the corpus, and compares them with the manifest.

    run.py [--serve] [--level L]… [--feature F]… [--file WORD] [--json OUT] [--name NAME] [--timeout S] -- COMMAND…

Prints a table of the levels, and files that fail, by how they do. The exit status is 0 if every answer is right. `README.md` says how
the command is called and what its exit status means.
"""

import argparse
import collections
import contextlib
import datetime
import hashlib
import json
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
MANIFEST = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
CORPUS = (HERE / MANIFEST["corpus"]).resolve()
WHOLE = "..."
REFUSALS = {1: "refused", 3: "unsupported"}
# From the worst to the best: the verdict on a file is the worst of its answers.
VERDICTS = ["wrong", "crashed", "timeout", "refused", "unsupported", "right"]


class Once:
    """A process for each request."""

    def __init__(self, command, timeout):
        self.command, self.timeout = command, timeout

    def ask(self, request):
        try:
            done = subprocess.run([*self.command, *request], capture_output=True, timeout=self.timeout, check=False)
        except subprocess.TimeoutExpired:
            return None, b""
        return done.returncode, done.stdout if done.returncode == 0 else done.stderr

    def close(self):
        pass


class Served:
    """One process that answers requests line by line, and is started again after it has ended."""

    def __init__(self, command, timeout):
        self.command, self.timeout, self.process = [*command, "--serve"], timeout, None

    def ask(self, request):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        late = threading.Event()
        timer = threading.Timer(self.timeout, lambda: (late.set(), self.process.kill()))
        timer.start()
        try:
            return self.exchange(request)
        except (OSError, ValueError):
            status = self.close()
            return (None, b"") if late.is_set() else (status or 2, b"the process ended")
        finally:
            timer.cancel()

    def exchange(self, request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        status, length = map(int, self.process.stdout.readline().split())
        answer = self.process.stdout.read(length)
        if len(answer) != length:
            raise ValueError("the answer ends early")
        return status, answer

    def close(self):
        if self.process is None:
            return 0
        process, self.process = self.process, None
        # Nobody may read any more.
        with contextlib.suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        return process.wait()


def requests(entry):
    """Each request for a file, with the digest of the right answer: none if it must be refused."""
    options = []
    for key in ("offset", "member", "column"):
        if key in entry:
            options += [f"--{key}", str(entry[key])]
    if entry.get("early_bitshuffle"):
        options += ["--early-bitshuffle"]
    wanted = [{"selection": WHOLE, "sha256": entry.get("sha256")}, *entry.get("slices", [])]
    for one in wanted:
        yield [*options, "--", str(CORPUS / entry["file"]), one["selection"]], one["sha256"]


def verdict(entry, status, answer, digest):
    if status is None:
        return "timeout"
    if status in REFUSALS:
        return "right" if "refuse" in entry else REFUSALS[status]
    if status != 0:
        return "crashed"
    if entry.get("uninitialised"):
        return "right"
    return "right" if digest_of(entry, answer) in (digest, entry.get("or_sha256", digest)) else "wrong"


def digest_of(entry, answer):
    """Cells of tables are compared as JSON, whose spaces and order of keys do not matter."""
    if "column" in entry:
        try:
            answer = json.dumps(json.loads(answer), sort_keys=True, separators=(",", ":")).encode()
        except ValueError:
            return None
    return hashlib.sha256(answer).hexdigest()


def judge(driver, entry):
    """The worst answer for a file: verdict, selection and message."""
    found = []
    for request, digest in requests(entry):
        status, answer = driver.ask(request)
        got = verdict(entry, status, answer, digest)
        text = answer[:500].decode("utf-8", "replace") if got in ("refused", "unsupported", "crashed") else ""
        found.append((VERDICTS.index(got), request[-1], text.replace(f"{CORPUS}/", "").strip().split("\n")[-1][-200:]))
    rank, selection, text = min(found)
    return {"verdict": VERDICTS[rank], "selection": selection, "message": text}


def chosen(arguments):
    for entry in MANIFEST["entries"]:
        level = not arguments.level or entry["level"] in arguments.level
        feature = not arguments.feature or set(arguments.feature) & set(entry.get("features", []))
        if level and feature and arguments.file in entry["file"]:
            yield entry


def report(arguments, judged):
    """What is kept of a run: counts by level and feature, and the files that are not right, by verdict and message."""
    levels, features, refusals = (collections.defaultdict(collections.Counter) for _ in range(3))
    others = collections.defaultdict(list)
    for entry, result in judged:
        (refusals if "refuse" in entry else levels)[entry["level"]][result["verdict"]] += 1
        for feature in entry.get("features", []):
            features[f"{entry['level']}/{feature}"][result["verdict"]] += 1
        if result["verdict"] != "right":
            which = [entry["file"], entry.get("member", entry.get("column")), f"[{result['selection']}]"]
            message = result["message"].replace(entry["file"], "FILE")
            others[result["verdict"], message].append(" ".join(filter(None, which)))
    return {
        "name": arguments.name,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "values": levels,
        "refusals": refusals,
        "features": features,
        "others": [{"verdict": key[0], "message": key[1], "files": files} for key, files in sorted(others.items(), key=urgency)],
    }


def urgency(other):
    (verdict, message), files = other
    return VERDICTS.index(verdict), -len(files), message


def show(report, most):
    print(f"{'':22}" + "".join(f"{verdict:>12}" for verdict in reversed(VERDICTS)))
    for title in ("values", "refusals"):
        for level, counts in report[title].items():
            print(f"{title:10}{level:12}" + "".join(f"{counts.get(verdict, 0):12}" for verdict in reversed(VERDICTS)))
    for other in report["others"]:
        print(f"\n{other['verdict']}: {len(other['files'])} files. {other['message']}")
        print("".join(f"  {file}\n" for file in other["files"][:most]), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--serve", action="store_true", help="start the command once, and ask it line by line")
    parser.add_argument("--level", action="append", choices=["chunks", "frames", "arrays", "stores", "tables"])
    parser.add_argument("--feature", action="append", help="only files that need one of these")
    parser.add_argument("--file", default="", help="only files whose path has this in it")
    parser.add_argument("--json", type=Path, help="write the report to this file")
    parser.add_argument("--name", default="", help="implementation and version, for the report")
    parser.add_argument("--timeout", type=float, default=10, help="seconds for an answer")
    parser.add_argument("--show", type=int, default=5, help="files to print of those that fail alike")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    driver = (Served if arguments.serve else Once)(arguments.command, arguments.timeout)
    judged = [(entry, judge(driver, entry)) for entry in chosen(arguments)]
    driver.close()
    done = report(arguments, judged)
    show(done, arguments.show)
    if arguments.json:
        arguments.json.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.exit(bool(done["others"]) or not judged)


if __name__ == "__main__":
    main()
