"""The command `b2nd`, native or of the npm package. Its exit status is that of the protocol.

    tool.py "TOOL…" [--offset N] [--early-bitshuffle] [--member KEY] [--column NAME] -- FILE SELECTION
"""

import argparse
import csv
import io
import json
import shlex
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser()
    for name in ("file", "selection", "--member", "--column", "--offset"):
        parser.add_argument(name, default="")
    parser.add_argument("--early-bitshuffle", action="store_true")
    tool, *rest = sys.argv[1:]
    asked = parser.parse_args(rest)
    command = [*shlex.split(tool), "get"]
    command += ["--offset", asked.offset] if asked.offset else []
    command += ["--early-bitshuffle"] if asked.early_bitshuffle else []
    path = asked.file + asked.member
    if asked.column:
        escaped, hexadecimal = (cells(command, path, asked.column, form) for form in ("escapes", "hex"))
        print(json.dumps([text(*both) for both in zip(escaped, hexadecimal)]))
    else:
        sys.exit(subprocess.run([*command, "-f", "raw", "--", path, asked.selection], check=False).returncode)


def cells(command, path, name, form):
    """The cells of a column, with bytes in this form."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([name])
    command = [*command, "--columns", line.getvalue(), "-f", "json", "--bytes", form, "--", path]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    return [cell for row in json.loads(done.stdout) for cell in row.values()]


def text(escaped, hexadecimal):
    """Of bytes, a character for each byte, as the corpus has it."""
    return escaped if escaped == hexadecimal else bytes.fromhex(hexadecimal).decode("latin1")


main()
