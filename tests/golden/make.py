"""Writes the golden files again.

    make.py [--venvs DIR] [--only WORD] [--out DIR]

Makes a virtual environment per release (needs the Python versions of RELEASES on the PATH or under pyenv, and a package
index that pip can reach), runs the writer scripts in them, then `describe.py`. Everything is seeded: the same releases
write the same files, but for what they take from the clock or from uninitialised memory.
`early/` is not made here: see early/README.md.
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
B2 = ["b2_pipelines", "b2_dtypes", "b2_shapes", "b2_specials", "b2_frames"]

# environment, Python, what pip installs, writers
RELEASES = [
    (CURRENT, "3.12", ["blosc2==4.14.1"], B2),
]


def python(version):
    """The interpreter of this minor version."""
    pyenv = glob.glob(os.path.join(os.path.expanduser("~"), ".pyenv", "versions", version + ".*", "bin", "python"))
    return pyenv[0] if pyenv else shutil.which("python" + version) or sys.exit("Python %s is missing: install it" % version)


def environment(folder, version, wants):
    """The Python of a virtual environment that has the packages."""
    inner = os.path.join(folder, "bin", "python")
    ready = os.path.join(folder, "ready")
    if not os.path.exists(ready):
        subprocess.check_call([python(version), "-m", "venv", folder])
        subprocess.check_call([inner, "-m", "pip", "install", "-q"] + wants)
        open(ready, "w").close()
    return inner


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--venvs", default=os.path.join(tempfile.gettempdir(), "golden-venvs"))
    parser.add_argument("--only", default="", help="only releases and writers whose name holds this; no manifest then")
    parser.add_argument("--out", default=HERE)
    args = parser.parse_args()
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([HERE, os.path.join(HERE, "writers")]), PYTHONHASHSEED="0")
    for name, version, wants, writers in RELEASES:
        if not args.only:
            shutil.rmtree(os.path.join(args.out, name), ignore_errors=True)
        for writer in writers:
            if args.only in name or args.only in writer:
                print(name, writer, flush=True)
                inner = environment(os.path.join(args.venvs, name), version, wants)
                subprocess.check_call([inner, "-B", os.path.join(HERE, "writers", writer + ".py"), args.out], env=env)
    if not args.only:
        inner = environment(os.path.join(args.venvs, CURRENT), "3.12", ["blosc2==4.14.1"])
        subprocess.check_call([inner, "-B", os.path.join(HERE, "describe.py"), args.out], env=env)


main()
