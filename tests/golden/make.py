"""Writes the golden files again.

    make.py [--venvs DIR] [--only WORD] [--out DIR]

Creates a virtual environment per release, runs the writer scripts in it, then `describe.py`. This needs the Python
versions of RELEASES on the PATH or under pyenv, and a package index for pip. All data are seeded: the same releases
write the same files, except for times and uninitialised memory. `early/README.md` says how `early/` was made.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CURRENT = "blosc2-4.14.1"
B2 = ["b2_pipelines", "b2_dtypes", "b2_shapes", "b2_specials", "b2_frames", "b2_references", "b2_chunks", "b2_damaged", "b2_sample"]
SOURCE = [
    "numpy<1.20",
    "setuptools<58",
    "wheel",
    "cython<3",
    "setuptools_scm==6.4.2",
]  # what the oldest need to build


def b2(version, python="3.11", numpy="numpy"):
    return ("blosc2-" + version, python, [["blosc2==" + version, numpy, "msgpack"]], ["old_blosc2"])


def caterva(version):
    return ("caterva-" + version, "3.9", [["caterva==" + version, "numpy<1.23"]], ["caterva_arrays"])


def built(package, version, extra=()):
    """From source: C-Blosc comes along and is compiled."""
    return (
        package + "-" + version,
        "3.6",
        [SOURCE + list(extra), ["--no-build-isolation", "%s==%s" % (package, version)]],
        ["blosc1"],
    )


# environment and folder, Python, what pip installs step by step, writers
RELEASES = [
    (CURRENT, "3.12", [["blosc2==4.14.1"]], B2),
    b2("0.1.4", "3.8", "numpy<1.23"),
    b2("0.1.10", "3.8", "numpy<1.23"),
    b2("0.2.0", "3.9", "numpy<1.23"),
    b2("0.3.2", "3.9", "numpy<1.23"),
    b2("0.4.1", "3.9", "numpy<1.23"),
    b2("0.5.2", "3.9", "numpy<1.23"),
    b2("0.6.6", "3.9", "numpy<1.23"),
    b2("2.0.0", "3.10", "numpy<1.25"),
    b2("2.2.9", "3.10", "numpy<2"),
    b2("2.5.1", "3.10", "numpy<2"),
    b2("2.7.1"),
    b2("3.0.0"),
    b2("4.2.0"),
    caterva("0.6.0"),
    caterva("0.7.0"),
    caterva("0.7.3"),
    built("blosc", "1.1"),
    built("blosc", "1.2.0"),
    built("blosc", "1.2.8"),
    built("blosc", "1.3.3"),
    built("blosc", "1.5.1", ["scikit-build", "cmake"]),
    ("blosc-1.10.0", "3.8", [["blosc==1.10.0", "numpy<1.23"]], ["blosc1"]),
    ("blosc-1.11.1", "3.11", [["blosc==1.11.1", "numpy"]], ["blosc1"]),
    built("numcodecs", "0.4.1", ["msgpack"]),
    ("numcodecs-0.7.3", "3.8", [["numcodecs==0.7.3", "numpy<1.23"]], ["blosc1"]),
    ("numcodecs-0.16.1", "3.11", [["numcodecs==0.16.1", "numpy"]], ["blosc1"]),
]


def python(version):
    """The interpreter of this minor version."""
    pyenv = glob.glob(
        os.path.join(os.path.expanduser("~"), ".pyenv", "versions", version + ".*", "bin", "python")
    )
    return (
        pyenv[0]
        if pyenv
        else shutil.which("python" + version) or sys.exit("Python %s is missing: install it" % version)
    )


def environment(folder, version, wants):
    """The Python of a virtual environment, with the packages installed step by step."""
    inner = os.path.join(folder, "bin", "python")
    ready = os.path.join(folder, "ready")
    if not os.path.exists(ready):
        subprocess.check_call([python(version), "-m", "venv", folder])
        for step in wants:
            subprocess.check_call([inner, "-m", "pip", "install", "-q"] + step)
        open(ready, "w").close()
    return inner


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--venvs", default=os.path.join(tempfile.gettempdir(), "golden-venvs"))
    parser.add_argument(
        "--only", default="", help="only releases and writers whose name holds this; no manifest then"
    )
    parser.add_argument("--out", default=HERE)
    args = parser.parse_args()
    env = dict(
        os.environ, PYTHONPATH=os.pathsep.join([HERE, os.path.join(HERE, "writers")]), PYTHONHASHSEED="0"
    )
    for name, version, wants, writers in RELEASES:
        if not args.only:
            shutil.rmtree(os.path.join(args.out, name), ignore_errors=True)
        for writer in writers:
            if args.only in name or args.only in writer:
                print(name, writer, flush=True)
                inner = environment(os.path.join(args.venvs, name), version, wants)
                subprocess.check_call(
                    [inner, "-B", os.path.join(HERE, "writers", writer + ".py"), args.out], env=env
                )
    if not args.only:
        inner = environment(os.path.join(args.venvs, CURRENT), "3.12", [["blosc2==4.14.1"]])
        subprocess.check_call([inner, "-B", os.path.join(HERE, "describe.py"), args.out], env=env)


main()
