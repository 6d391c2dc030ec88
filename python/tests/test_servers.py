"""Servers that fail, or send other bytes than those that were asked for: each time an error, never values."""

import http.server
import socket
import threading

import b2nd
import b2nd.zarr
import blosc2
import numpy as np
import pytest
import zarr

ITEMS = np.random.default_rng(1).random((100, 100)) + 1
PARTS = (np.s_[:, :], np.s_[60:62, 60:62])


class Server(http.server.BaseHTTPRequestHandler):
    """Answers requests for ranges, or fails as it is told."""

    protocol_version = "HTTP/1.1"
    files = {}
    mode = "works"

    def do_GET(self):
        body = self.files.get(self.path)
        if body is None or self.mode in ("500", "403", "404"):
            return self.answer(404 if body is None else int(self.mode), b"")
        if self.mode == "closes":
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        asked = self.headers.get("Range")
        if not asked or self.mode == "ignores ranges":
            return self.answer(200, body)
        start, last = asked.removeprefix("bytes=").split("-")
        part = body[int(start) : int(last) + 1 if last else None]
        headers = {"Content-Range": f"bytes {start}-{int(start) + len(part) - 1}/{len(body)}"}
        if self.mode == "sends a page":
            part = (b"<html>not found</html>" * len(part))[: len(part)]
        return self.answer(206, part[: len(part) // 2] if self.mode == "sends half" else part, headers)

    do_HEAD = do_GET

    def answer(self, status, body, headers={}):
        self.send_response(status)
        for name, value in {**headers, "Accept-Ranges": "bytes", "Content-Length": len(body)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    # As it is stored, any bytes would be items.
    for name, level in (("a", 5), ("raw", 0)):
        path = folder / f"{name}.b2nd"
        blosc2.asarray(ITEMS, chunks=(50, 50), blocks=(10, 10), urlpath=str(path), cparams={"clevel": level})
        Server.files[f"/{name}.b2nd"] = path.read_bytes()
        codec = b2nd.zarr.B2nd(block_shape=(10, 10), clevel=level)
        array = zarr.create_array(folder / name, shape=ITEMS.shape, chunks=(50, 50), dtype="f8", serializer=codec, compressors=None)
        array[...] = ITEMS
        for file in (folder / name).rglob("*"):
            if file.is_file():
                Server.files[f"/{file.relative_to(folder)}"] = file.read_bytes()
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def by_references(url):
    options = {"remote_protocol": "http", "asynchronous": True, "remote_options": {"asynchronous": True}}
    store = zarr.storage.FsspecStore.from_url("reference://", storage_options={"fo": b2nd.refs(f"{url}.b2nd"), **options}, read_only=True)
    return zarr.open_array(store, mode="r", zarr_format=3)


def as_zarr(url):
    return zarr.open_array(url, mode="r", zarr_format=3)


@pytest.mark.parametrize("mode", ["500", "403", "404", "closes", "sends half", "sends a page", "ignores ranges"])
@pytest.mark.parametrize("name", ["a", "raw"])
@pytest.mark.parametrize("opened", [lambda url: b2nd.open(f"{url}.b2nd"), by_references, as_zarr], ids=["open", "references", "zarr"])
def test_nothing_is_made_up(server, opened, name, mode):
    try:
        for part in PARTS:
            Server.mode = "works"
            array = opened(f"{server}/{name}")
            Server.mode = mode
            # Zarr says that chunks that are not there have the fill value. Whole chunks take no ranges.
            values = {"404": 0, "ignores ranges": ITEMS[part]}.get(mode) if opened is as_zarr else None
            whole = opened is as_zarr and mode in ("sends half", "sends a page") and part == PARTS[0]
            if values is None and not whole:
                with pytest.raises((b2nd.B2ndError, OSError, RuntimeError, _client_error())):
                    array[part]
            else:
                np.testing.assert_array_equal(array[part], ITEMS[part] if whole else values)
    finally:
        Server.mode = "works"


def _client_error():
    import aiohttp

    return aiohttp.ClientError
