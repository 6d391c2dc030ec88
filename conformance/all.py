#!/usr/bin/env python3
"""Runs the corpus with all implementations that have an adapter, and writes `results/` and their page.

    all.py [--only WORD] [--work DIR] [--tool "TOOL…"] [--npm FOLDER]

Needs the Python versions of PYTHONS on the PATH or under pyenv, npm, cargo, and their package indexes. --tool is the
command b2nd (default: `b2nd`), --npm the folder of its built npm package (default: `www`).
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ADAPTERS = HERE / "adapters"
FRAMES = ["chunks", "frames", "arrays"]
# Name of the result; what pip installs, and for which Python; levels; adapter.
PYTHONS = [
    ("python-blosc2 4.14.1", "3.11", ["blosc2==4.14.1", "numpy"], [*FRAMES, "stores"], "python_blosc2.py"),
    ("python-blosc2 4.2.0", "3.11", ["blosc2==4.2.0", "numpy"], [*FRAMES, "stores"], "python_blosc2.py"),
    ("python-blosc2 3.0.0", "3.11", ["blosc2==3.0.0", "numpy"], FRAMES, "python_blosc2.py"),
    ("python-blosc2 2.7.1", "3.11", ["blosc2==2.7.1", "numpy", "msgpack"], FRAMES, "python_blosc2.py"),
    ("python-blosc2 2.2.9", "3.10", ["blosc2==2.2.9", "numpy<2", "msgpack"], FRAMES, "python_blosc2.py"),
    ("caterva 0.7.3", "3.9", ["caterva==0.7.3", "numpy<1.23"], ["arrays"], "caterva_arrays.py"),
    ("numcodecs 0.16.6", "3.11", ["numcodecs==0.16.6"], ["chunks"], "numcodecs_blosc.py"),
    ("hdf5plugin 7.1.0", "3.11", ["h5py==3.16.0", "hdf5plugin==7.1.0"], ["chunks"], "hdf5.py"),
]
CRATES = [("blosc2-pure-rs 0.2.4", FRAMES), ("blusc 0.0.7", ["chunks"])]
NUMCODECS_JS = "0.3.2"


def python(work, name, version, packages):
    """The interpreter of a virtual environment with these packages."""
    folder = work / name.replace(" ", "-")
    if not (folder / "ready").exists():
        known = glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python"))
        base = known[0] if known else shutil.which(f"python{version}") or sys.exit(f"Python {version} is missing")
        subprocess.check_call([base, "-m", "venv", folder])
        subprocess.check_call([folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages])
        (folder / "ready").touch()
    return folder / "bin/python"


def crates(work):
    build = ["cargo", "build", "--quiet", "--manifest-path", ADAPTERS / "rust/Cargo.toml", "--target-dir", work / "rust"]
    subprocess.check_call(build)
    return work / "rust/debug/conformance-crates"


def numcodecs_js(work):
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", work / "npm", f"numcodecs@{NUMCODECS_JS}"]
    subprocess.check_call(install)
    return work / "npm/node_modules/numcodecs"


def implementations(arguments):
    """Name, levels, whether it is served, and a function that prepares it and returns the command."""
    own = [sys.executable, ADAPTERS / "tool.py", arguments.tool]
    yield "b2nd", [], False, lambda: own
    npm = ["node", ADAPTERS / "b2nd.mjs", arguments.npm]
    yield "b2nd of npm", [*FRAMES, "stores"], True, lambda: npm
    yield f"numcodecs.js {NUMCODECS_JS}", ["chunks"], True, lambda: ["node", ADAPTERS / "numcodecs_blosc.mjs", numcodecs_js(arguments.work)]
    for name, version, packages, levels, adapter in PYTHONS:
        inner = lambda name=name, version=version, packages=packages: python(arguments.work, name, version, packages)
        yield name, levels, True, lambda inner=inner, adapter=adapter: [inner(), ADAPTERS / adapter]
    for name, levels in CRATES:
        # This one cuts slices with NumPy.
        cutter = lambda: python(arguments.work, "numpy", "3.11", ["numpy"])
        yield name, levels, True, lambda name=name, cutter=cutter: [cutter(), ADAPTERS / "crates.py", crates(arguments.work), name.split()[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="only implementations with this in their name")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "b2nd-conformance", help="folder of what is installed")
    parser.add_argument("--tool", default="b2nd")
    parser.add_argument("--npm", default=HERE.parent / "www")
    arguments = parser.parse_args()
    for name, levels, served, prepare in implementations(arguments):
        if arguments.only in name:
            print(name, flush=True)
            options = [word for level in levels for word in ("--level", level)] + ["--serve"] * served
            result = ["--json", HERE / f"results/{name.replace(' ', '-')}.json", "--name", name, "--show", "0"]
            subprocess.run([sys.executable, HERE / "run.py", *options, *result, "--", *prepare()], check=False)
    subprocess.check_call([sys.executable, HERE / "page.py"])


if __name__ == "__main__":
    main()
