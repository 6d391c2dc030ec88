"""What adapters in Python share: they give a function that reads, and answer one request or, with --serve, many.

    ADAPTER [--offset N] [--early-bitshuffle] [--member KEY] [--column NAME] -- FILE SELECTION
    ADAPTER --serve
"""

import argparse
import json
import sys

REFUSED, CALL, UNSUPPORTED = 1, 2, 3


class Unsupported(Exception):
    """The implementation has no means to read this kind of file."""


def index(part):
    """An axis of a selection, as NumPy takes it."""
    if part == "...":
        return Ellipsis
    if ":" in part:
        return slice(*(int(bound) if bound.strip() else None for bound in part.split(":")))
    return int(part)


def selection(text):
    return tuple(index(part.strip()) for part in text.split(",") if part.strip())


def answer(read, words):
    """Exit status and bytes: values, or the reason why there are none."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    for name in ("file", "selection", "--member", "--column"):
        parser.add_argument(name)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--early-bitshuffle", action="store_true")
    asked = parser.parse_args(words)
    try:
        return 0, read(asked)
    except (Unsupported, ImportError, NotImplementedError) as error:
        return UNSUPPORTED, str(error).encode()
    except Exception as error:  # whatever an implementation raises is its way to refuse
        return REFUSED, f"{type(error).__name__}: {error}".encode()


def serve(read):
    output = sys.stdout.buffer
    if sys.argv[1:] != ["--serve"]:
        status, content = answer(read, sys.argv[1:])
        (sys.stderr.buffer if status else output).write(content)
        sys.exit(status)
    for line in sys.stdin:
        status, content = answer(read, json.loads(line))
        output.write(b"%d %d\n" % (status, len(content)) + content)
        output.flush()
