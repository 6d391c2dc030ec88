"""An HTTP server of files, as far away as it is told: with ranges, ETags, a delay before each answer, and a bandwidth that all
connections share.

    server.py FOLDER DELAY_MS MEGABYTES_PER_SECOND

It prints its port. `GET /counts` returns how many requests and bytes there were since the last such request.
"""

import asyncio
import json
import re
import sys
from pathlib import Path

PIECE = 64 << 10
# What may be sent at once after a pause, in seconds: sleeps are not exact.
BURST = 0.02


class Server:
    def __init__(self, folder, delay, rate):
        self.folder, self.delay, self.rate = Path(folder), delay, rate
        self.free_at = 0.0
        self.requests = self.bytes = 0

    async def connection(self, reader, writer):
        try:
            while line := await reader.readline():
                method, path, _ = line.decode().split()
                headers = {}
                while (line := (await reader.readline()).decode().strip()):
                    name, _, value = line.partition(":")
                    headers[name.lower()] = value.strip()
                await self.answer(writer, method, path, headers)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def answer(self, writer, method, path, headers):
        if path == "/counts":
            body = json.dumps({"requests": self.requests, "bytes": self.bytes}).encode()
            self.requests = self.bytes = 0
            return self.head(writer, "200 OK", len(body), []) or writer.write(body)
        self.requests += 1
        await asyncio.sleep(self.delay)
        file = self.folder / path.lstrip("/")
        if ".." in path or not file.is_file():
            return self.head(writer, "404 Not Found", 0, [])
        stat = file.stat()
        first, end, fields = 0, stat.st_size, ["Accept-Ranges: bytes", f'ETag: "{stat.st_mtime_ns:x}"']
        if wanted := re.fullmatch(r"bytes=(\d*)-(\d*)", headers.get("range", "")):
            low, high = wanted.groups()
            first = int(low) if low else max(0, end - int(high))
            end = min(end, int(high) + 1) if low and high else end
            if first >= stat.st_size:
                return self.head(writer, "416 Range Not Satisfiable", 0, [f"Content-Range: bytes */{stat.st_size}"])
            fields.append(f"Content-Range: bytes {first}-{end - 1}/{stat.st_size}")
        fields.append("Last-Modified: Wed, 01 Jan 2025 00:00:00 GMT")
        self.head(writer, "206 Partial Content" if wanted else "200 OK", end - first, fields)
        if method == "GET":
            await self.body(writer, file, first, end)

    def head(self, writer, status, length, fields):
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {length}", *fields]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def body(self, writer, file, first, end):
        self.bytes += end - first
        with open(file, "rb", buffering=0) as source:
            source.seek(first)
            while first < end:
                piece = source.read(min(PIECE, end - first))
                await self.turn(len(piece))
                writer.write(piece)
                await writer.drain()
                first += len(piece)

    async def turn(self, nbytes):
        """Waits until these bytes may be sent."""
        now = asyncio.get_running_loop().time()
        at = max(self.free_at, now - BURST)
        self.free_at = at + nbytes / self.rate
        await asyncio.sleep(max(0.0, at - now))


async def main():
    folder, delay, rate = sys.argv[1:4]
    served = Server(folder, float(delay) / 1e3, float(rate) * 1e6)
    server = await asyncio.start_server(served.connection, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
