"""Programs in C with libblosc2: the one of the wheel of python-blosc2, and the one in the folder that is given.

    python capi/tests/frames.py PREFIX

Structs must have the same layout in both headers. A program that is compiled with the reference's header must print the same with both
libraries, and each library must read what the other has written.
"""

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

TESTS = Path(__file__).parent
FLAGS = ["-std=c11", "-D_DEFAULT_SOURCE", "-O1", "-Wall", "-Wextra", "-Wno-unused-function"]


def compiled(program, prefix, folder):
    """Compiles a program with the headers and the library below a folder."""
    made = folder / f"{program}-{prefix.name}"
    where = ["-I", prefix / "include", "-L", prefix / "lib", f"-Wl,-rpath,{prefix / 'lib'}", "-lblosc2"]
    subprocess.run(["cc", *FLAGS, TESTS / f"{program}.c", "-o", made, *where], check=True)
    return made


def output(program, library, *arguments):
    """What a program prints with a library."""
    variable = "DYLD_LIBRARY_PATH" if sys.platform == "darwin" else "LD_LIBRARY_PATH"
    environment = os.environ | {variable: str(library)}
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {arguments} with {library}: {done.stdout[-500:]}{done.stderr}")
    return done.stdout


def compare(what, reference, ours):
    """Ends with the first line that differs."""
    for theirs, own in zip(reference.splitlines(), ours.splitlines(), strict=True):
        if theirs != own:
            sys.exit(f"{what}: C-Blosc2 has\n{theirs}\nb2nd has\n{own}")
    print(f"{what}: {len(reference.splitlines())} lines are the same")


def main():
    ours = Path(sys.argv[1])
    reference = Path(find_spec("blosc2").origin).parent
    with tempfile.TemporaryDirectory() as temporary:
        temporary = Path(temporary)
        layouts = [output(compiled("layout", prefix, temporary), prefix / "lib") for prefix in (reference, ours)]
        compare("layouts", *layouts)
        compiled("frames", ours, temporary)
        program = compiled("frames", reference, temporary)
        folders = [temporary / name for name in ("reference", "ours")]
        libraries = [prefix / "lib" for prefix in (reference, ours)]
        for folder in folders:
            folder.mkdir()
        written = [output(program, library, "write", folder) for library, folder in zip(libraries, folders, strict=True)]
        compare("written", *written)
        read = [output(program, library, "read", folder) for library, folder in zip(libraries, folders[::-1], strict=True)]
        compare("read from each other", *read)


main()
