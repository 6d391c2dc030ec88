"""Reading, compared with what python-blosc2 wrote."""

import http.server
import pickle
import threading
from functools import partial

import b2nd
import blosc2
import numpy as np
import pytest

DTYPES = ["u1", "<i2", ">i4", "<f4", ">f8", "<c16", "?", "S5", "<U3", "<M8[ns]", [("a", "<i4"), ("b", ">f8", (2,))]]
SHAPES = [(), (0,), (1,), (1000,), (30, 41), (7, 0, 3), (9, 20, 33), (4, 5, 6, 7), (2, 3, 4, 5, 6)]


def values(rng, shape, dtype):
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "SU":
        return np.array([f"{n % 97}" for n in range(count)], dtype).reshape(shape)
    if dtype.kind == "V":
        made = np.zeros(shape, dtype)
        made["a"], made["b"] = rng.integers(0, 9, shape), rng.random((*shape, 2))
        return made
    return rng.integers(0, 100, shape).astype(dtype)


def written(path, array, **options):
    blosc2.asarray(array, urlpath=str(path), mode="w", **options)
    return b2nd.open(path)


def random_key(rng, shape):
    key = []
    for length in shape:
        kind = rng.integers(5)
        if kind == 0 and length:
            key.append(int(rng.integers(-length, length)))
        elif kind == 1:
            key.append(slice(*(int(n) for n in rng.integers(-length - 2, length + 3, 2)), int(rng.integers(1, 4))))
        elif kind == 2:
            key.append(slice(None, None, -int(rng.integers(1, 3))))
        else:
            key.append(slice(None))
    if rng.integers(3) == 0 and key:
        at = int(rng.integers(len(key)))
        key[at:] = [Ellipsis, *key[at + 1 :]] if rng.integers(2) else [Ellipsis]
    for _ in range(int(rng.integers(3)) // 2):
        key.insert(int(rng.integers(len(key) + 1)), None)
    return tuple(key)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_parts_are_those_of_numpy(tmp_path, dtype):
    rng = np.random.default_rng(1)
    for n, shape in enumerate(SHAPES):
        expected = values(rng, shape, dtype)
        array = written(tmp_path / f"{n}.b2nd", expected)
        assert (array.shape, array.dtype, array.ndim, array.size) == (shape, expected.dtype, len(shape), expected.size)
        assert array.nbytes == expected.nbytes
        for key in [..., (), *(random_key(rng, shape) for _ in range(12))]:
            part = array[key]
            assert type(part) is type(expected[key]) or part.shape == ()
            np.testing.assert_array_equal(part, expected[key], strict=isinstance(part, np.ndarray))
        np.testing.assert_array_equal(np.asarray(array), expected)


def test_the_result_can_be_written_to(tmp_path):
    array = written(tmp_path / "a.b2nd", np.arange(10))
    part = array[2:5]
    part[:] = 0
    assert array[2] == 2


def test_attributes(tmp_path):
    made = blosc2.asarray(np.arange(3), urlpath=str(tmp_path / "a.b2nd"), mode="w")
    made.schunk.vlmeta["title"] = "näme"
    made.schunk.vlmeta["deep"] = {"list": [1, 2.5, None, True, b"x"]}
    array = b2nd.open(tmp_path / "a.b2nd")
    assert array.attrs == {"title": "näme", "deep": {"list": [1, 2.5, None, True, b"x"]}}
    assert (array.chunks, array.blocks) == (made.chunks, made.blocks)


def test_sparse_frames_and_pickling(tmp_path):
    expected = np.arange(600.0).reshape(20, 30)
    array = written(tmp_path / "a.b2nd", expected, contiguous=False)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(array))[:, 3], expected[:, 3])


def test_threads_share_an_array(tmp_path):
    expected = np.arange(400_000.0).reshape(400, 1000)
    array = written(tmp_path / "a.b2nd", expected, chunks=(50, 1000), blocks=(10, 100))
    found = {}
    threads = [threading.Thread(target=lambda n=n: found.update({n: array[n::8]})) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        np.testing.assert_array_equal(found[n], expected[n::8])


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Answers requests for ranges, and counts their bytes."""

    sent = 0

    def do_GET(self):
        data = open(self.translate_path(self.path), "rb").read()
        if asked := self.headers.get("Range"):
            start, stop = asked.removeprefix("bytes=").split("-")
            data = data[int(start) : int(stop) + 1]
            self.send_response(206)
            size = len(open(self.translate_path(self.path), "rb").read())
            self.send_header("Content-Range", f"bytes {start}-{int(start) + len(data) - 1}/{size}")
        else:
            self.send_response(200)
        type(self).sent += len(data)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(tmp_path):
    Ranges.sent = 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_urls_are_read_in_parts(tmp_path, server):
    expected = np.random.default_rng(2).random((100, 100, 50))
    written(tmp_path / "a.b2nd", expected, chunks=(20, 100, 50), blocks=(5, 50, 50))
    array = b2nd.open(f"{server}/a.b2nd")
    np.testing.assert_array_equal(array[60:63, 10:20], expected[60:63, 10:20])
    assert Ranges.sent < expected.nbytes / 10
    np.testing.assert_array_equal(array[...], expected)
    with pytest.raises(FileNotFoundError):
        b2nd.open(f"{server}/none.b2nd")


def test_errors_say_what_is_wrong(tmp_path):
    array = written(tmp_path / "a.b2nd", np.arange(100, dtype="i4").reshape(10, 10))
    with pytest.raises(IndexError, match="10"):
        array[10]
    with pytest.raises(IndexError):
        array[0, 0, 0]
    with pytest.raises(IndexError, match="neither an integer nor a slice"):
        array[[1, 2]]
    with pytest.raises(IndexError, match="neither an integer nor a slice"):
        array[True]
    with pytest.raises(FileNotFoundError, match="none.b2nd"):
        b2nd.open(tmp_path / "none.b2nd")
    (tmp_path / "text.b2nd").write_text("no frame at all, just some text " * 9)
    with pytest.raises(b2nd.FormatError):
        b2nd.open(tmp_path / "text.b2nd")
    blosc2.SChunk(data=b"x" * 100, urlpath=str(tmp_path / "s.b2frame"), mode="w")
    with pytest.raises(ValueError):
        b2nd.open(tmp_path / "s.b2frame")
    with pytest.raises(TypeError):
        b2nd.open(tmp_path / "a.b2nd", token="x")


def test_damaged_files_never_give_values(tmp_path):
    path = tmp_path / "a.b2nd"
    expected = np.random.default_rng(3).integers(0, 9, (50, 60))
    written(path, expected)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises((b2nd.B2ndError, OSError)):
        b2nd.open(path)[...]
