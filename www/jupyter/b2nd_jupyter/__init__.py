"""Arrays in notebooks: the b2nd viewer as a widget.

>>> from b2nd_jupyter import Viewer
>>> view = Viewer("measurements.b2nd")        # doctest: +SKIP

The browser asks for what it shows: of a large file little is read.
"""

import io
import itertools
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

__all__ = ["Viewer"]
__version__ = "0.1.0"

MAX_READ = 2**28
"""The most bytes of an answer to one request of the browser."""


class Viewer(anywidget.AnyWidget):
    """Shows a file, a URL or an array.

    Parameters
    ----------
    source
        The path of a file that the kernel can read: `.b2nd`, `.b2frame`, `.b2z`, `.b2e`, `.npy`, TIFF, ….
        A URL, which the browser reads: its server must allow that (CORS).
        A NumPy array, or a `blosc2.NDArray` or `blosc2.SChunk`.
        Bytes of a file.
    height
        The height of the widget in pixels.
    state
        What is shown: the parameters of a link of the viewer, such as ``"view=planes&index=3,0,0"``.
    name
        What the viewer calls it. Default: the name of the file.
    labels
        A segmentation that lies over the image: anything that `source` can be, with integers and the lengths of the last axes.
    """

    _esm = Path(__file__).parent / "widget.js"
    height = traitlets.Int(520, min=160).tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)
    _files = traitlets.List().tag(sync=True)
    _shown = traitlets.List().tag(sync=True)
    _picked = traitlets.List().tag(sync=True)

    def __init__(self, source: Any, *, height: int = 520, state: str = "", name: str | None = None, labels: Any = None):
        super().__init__(height=height, state=state)
        self._open: dict[int, io.IOBase | None] = {}
        self.on_msg(self._read)
        self.load(source, name=name, labels=labels)

    def load(self, source: Any, *, name: str | None = None, labels: Any = None) -> None:
        """Shows another file, URL or array. Raises `OSError` if a file cannot be read, `TypeError` for other objects."""
        sources = [source] if labels is None else [source, labels]
        files: list[io.IOBase | None] = []
        try:
            for one in sources:
                files.append(None if _is_url(one) else _file_of(one))
        except BaseException:
            _close(files)
            raise
        _close(self._open.values())
        # A read that the browser asked for before this must not get the bytes of another file.
        self._open = {next(_numbers): file for file in files}
        self._files = [
            {
                "name": name if name and one is source else _name_of(one),
                "url": one if file is None else "",
                "size": file.seek(0, os.SEEK_END) if file else 0,
                "number": number,
            }
            for one, (number, file) in zip(sources, self._open.items(), strict=True)
        ]

    @property
    def selection(self) -> tuple[int | slice, ...]:
        """What is shown, as an index for the array: ``array[view.selection]``."""
        return tuple(cut if isinstance(cut, int) else slice(*cut) for cut in self._shown)

    @property
    def position(self) -> tuple[int, ...]:
        """The item that was clicked, or ``()``."""
        return tuple(self._picked)

    def close(self) -> None:
        """Closes the widget and its files."""
        _close(self._open.values())
        self._open = {}
        super().close()

    def _read(self, _widget: Any, message: dict, _buffers: Any) -> None:
        """Answers a request of the browser."""
        answer = {"id": message["id"]}
        offset, length = message["offset"], message["length"]
        try:
            if not 0 <= length <= MAX_READ or offset < 0:
                raise ValueError(f"{length} bytes at {offset} are too many")
            file = self._open.get(message["file"])
            if file is None:
                raise ValueError("the file has changed")
            file.seek(offset)
            data = file.read(length)
        except (OSError, ValueError) as error:
            self.send(answer | {"error": str(error)})
        else:
            self.send(answer, [data])


_numbers = itertools.count()


def _close(files: Iterable[io.IOBase | None]) -> None:
    for file in files:
        if file:
            file.close()


def _is_url(source: Any) -> bool:
    return isinstance(source, str) and source.startswith(("http://", "https://"))


def _file_of(source: Any) -> io.IOBase:
    """What is read of a source."""
    if isinstance(source, str | os.PathLike):
        return open(source, "rb")
    if isinstance(source, bytes | bytearray | memoryview):
        return io.BytesIO(source)
    # Arrays of python-blosc2, in memory or in a file.
    schunk = getattr(source, "schunk", source)
    if hasattr(schunk, "to_cframe"):
        path = getattr(schunk, "urlpath", None)
        return open(path, "rb") if path and os.path.isfile(path) else io.BytesIO(source.to_cframe())
    if hasattr(source, "__array__"):
        import numpy

        file = io.BytesIO()
        numpy.save(file, numpy.asarray(source), allow_pickle=False)
        return file
    raise TypeError(f"{type(source).__name__} is neither a path, a URL, bytes nor an array")


def _name_of(source: Any) -> str:
    if isinstance(source, str | os.PathLike):
        return os.path.basename(os.fspath(source).rstrip("/")) or str(source)
    shape = getattr(source, "shape", None)
    return "bytes" if shape is None else f"array of shape {tuple(shape)}"
