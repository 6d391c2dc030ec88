"""Functions for files, for all writers."""

import os
import shutil


def fresh(path):
    """The path with nothing there."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)
    return path
