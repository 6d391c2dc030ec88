"""Arrays in notebooks: the b2nd viewer as a widget.

>>> from b2nd_jupyter import Viewer
>>> view = Viewer("measurements.b2nd")        # doctest: +SKIP

The browser asks for what it shows: of a large file little is read.
"""

import io
import os
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
    """

    _esm = Path(__file__).parent / "widget.js"
    height = traitlets.Int(520, min=160).tag(sync=True)
    state = traitlets.Unicode("").tag(sync=True)
    _name = traitlets.Unicode("").tag(sync=True)
    _url = traitlets.Unicode("").tag(sync=True)
    _size = traitlets.Int(0).tag(sync=True)
    _opened = traitlets.Int(0).tag(sync=True)
    _shown = traitlets.List().tag(sync=True)
    _picked = traitlets.List().tag(sync=True)

    def __init__(self, source: Any, *, height: int = 520, state: str = "", name: str | None = None):
        super().__init__(height=height, state=state)
        self._file: io.IOBase | None = None
        self.on_msg(self._read)
        self.load(source, name=name)

    def load(self, source: Any, *, name: str | None = None) -> None:
        """Shows another file, URL or array. Raises `OSError` if the file cannot be read, `TypeError` for other objects."""
        url = source if isinstance(source, str) and source.startswith(("http://", "https://")) else ""
        file = None if url else _file_of(source)
        self._close_file()
        self._file = file
        with self.hold_sync():
            self._url = url
            self._size = file.seek(0, os.SEEK_END) if file else 0
            self._name = name or _name_of(source)
            self._opened += 1

    @property
    def selection(self) -> tuple[int | slice, ...]:
        """What is shown, as an index for the array: ``array[view.selection]``."""
        return tuple(cut if isinstance(cut, int) else slice(*cut) for cut in self._shown)

    @property
    def position(self) -> tuple[int, ...]:
        """The item that was clicked, or ``()``."""
        return tuple(self._picked)

    def close(self) -> None:
        """Closes the widget and its file."""
        self._close_file()
        super().close()

    def _close_file(self) -> None:
        if self._file:
            self._file.close()

    def _read(self, _widget: Any, message: dict, _buffers: Any) -> None:
        """Answers a request of the browser."""
        answer = {"id": message["id"]}
        offset, length = message["offset"], message["length"]
        try:
            if not 0 <= length <= MAX_READ or offset < 0:
                raise ValueError(f"{length} bytes at {offset} are too many")
            self._file.seek(offset)
            data = self._file.read(length)
        except (AttributeError, OSError, ValueError) as error:
            self.send(answer | {"error": str(error)})
        else:
            self.send(answer, [data])


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
