"""Compiles the test programs of C-Blosc against this library and runs them: c_blosc.py CHECKOUT PREFIX.

CHECKOUT is a clone of C-Blosc, PREFIX what `cargo xtask build c` made. The programs see our blosc.h; of C-Blosc's own headers only
those that they include without using them are left. test_shuffle_roundtrip_* call functions that no header of blosc.h declares and
libblosc.so.1 does not export, and are left out.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

UNUSED_HEADERS = ["shuffle.h", "shuffle-generic.h", "blosc-common.h", "blosc-export.h"]


def main(checkout, prefix):
    checkout, prefix = Path(checkout).resolve(), Path(prefix).resolve()
    with tempfile.TemporaryDirectory() as folder:
        failed = run_all(checkout, prefix, Path(folder))
    print(f"{len(failed)} failed" if failed else "all passed")
    sys.exit(1 if failed else 0)


def run_all(checkout, prefix, folder):
    shutil.copytree(checkout / "tests", folder / "tests")
    (folder / "blosc").mkdir()
    shutil.copy(prefix / "include" / "blosc.h", folder / "blosc")
    for header in UNUSED_HEADERS:
        shutil.copy(checkout / "blosc" / header, folder / "blosc")
    failed = []
    programs = sorted(path for path in (folder / "tests").glob("test_*.c") if "shuffle_roundtrip" not in path.stem)
    for source in programs:
        program = compile_program(source, prefix)
        runs = list(parameters(source.with_suffix(".csv")))
        bad = [" ".join(arguments) for arguments in runs if not run(program, prefix, arguments)]
        print(f"{source.stem}: {len(runs) - len(bad)} of {len(runs)} runs", *bad, sep="\n  ")
        failed += bad or []
    program = compile_program(checkout / "compat" / "filegen.c", prefix, folder / "filegen")
    files = sorted((checkout / "compat").glob("*.cdata"))
    bad = [file.name for file in files if not run(program, prefix, ["decompress", str(file)])]
    print(f"compat: {len(files) - len(bad)} of {len(files)} files", *bad, sep="\n  ")
    return failed + bad


def compile_program(source, prefix, program=None):
    program = program or source.with_suffix("")
    include = prefix / "include"
    library = ["-L", prefix / "lib", "-lblosc", f"-Wl,-rpath,{prefix / 'lib'}"]
    subprocess.run(["cc", "-O1", "-w", "-pthread", "-I", include, source, "-o", program, *library, "-lm"], check=True)
    return program


def parameters(table):
    """The arguments of each run: lines of a table, if there is one."""
    if not table.exists():
        return [[]]
    with open(table) as lines:
        return [line for line in list(csv.reader(lines))[1:] if line]


def run(program, prefix, arguments):
    done = subprocess.run([program, *arguments], cwd=program.parent, capture_output=True, timeout=120, env=dict(os.environ))
    return done.returncode == 0


main(*sys.argv[1:])
