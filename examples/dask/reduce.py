"""Dask reduces files on S3, through references, to a Zarr that becomes one file, while its workers are killed."""

from __future__ import annotations

import argparse
import json
import logging
import math
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import b2nd
import b2nd.zarr
import dask
import dask.array as da
import fsspec
import numpy as np
import zarr
from distributed import Client, LocalCluster
from moto.server import ThreadedMotoServer

FILES = 200
DAYS = 5
CODEC = {"cname": "zstd", "clevel": 1, "filters": ("shuffle",)}
CREDENTIALS = {"key": "example", "secret": "example"}


def tool(*args: object) -> str:
    """Run the command b2nd."""
    command = [os.environ.get("B2ND", "b2nd"), *map(str, args)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def measurements(number: int, side: int) -> np.ndarray[Any, Any]:
    """The items of a file."""
    waves = np.add.outer(np.arange(DAYS) * 7 + number, np.add.outer(np.arange(side) ** 2, np.arange(side) * 3))
    return (waves % 1009 + np.random.default_rng(number).integers(0, 8, waves.shape)).astype("i4")


def write(folder: Path, number: int, side: int) -> Path:
    """Write a file whose chunks do not divide its shape."""
    name = f"{number:03}"
    items = measurements(number, side)
    part = side * 3 // 5
    codec = b2nd.zarr.B2nd(block_shape=(1, part // 4, part // 3), **CODEC)
    array = zarr.create_array(folder / name, shape=items.shape, chunks=(2, part, part), dtype="i4", serializer=codec, compressors=None)
    array[:] = items
    tool("pack", folder / name, folder / f"{name}.b2nd")
    return folder / f"{name}.b2nd"


@contextmanager
def server() -> Iterator[dict[str, Any]]:
    """Options with which s3fs reaches an S3 server."""
    moto = ThreadedMotoServer(port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    yield {**CREDENTIALS, "client_kwargs": {"endpoint_url": f"http://{host}:{port}"}}
    moto.stop()


def upload(folder: Path, side: int, options: dict[str, Any]) -> dict[str, Any]:
    """Write and upload all files, and return references to their chunks: an array for each."""
    s3 = fsspec.filesystem("s3", **options)
    s3.mkdir("measurements")
    refs: dict[str, Any] = {"zarr.json": json.dumps({"zarr_format": 3, "node_type": "group"})}
    for number in range(FILES):
        path = write(folder, number, side)
        url = f"s3://measurements/{path.name}"
        s3.put_file(str(path), url)
        own = json.loads(tool("refs", path, "--url", url))["refs"]
        refs |= {f"{path.stem}/{key}": place for key, place in own.items()}
    return refs


def kill(cluster: LocalCluster, output: Path, killed: list[int], done: threading.Event) -> None:
    """Kill a worker each time that a further fifth of the chunks is there."""
    for part in range(1, 5):
        while len([*output.glob("c/*/*/*")]) < FILES * part // 5:
            if done.wait(0.01):
                return
        running = [worker.pid for worker in cluster.workers.values() if worker.pid and worker.pid not in killed]
        if running:
            os.kill(running[0], signal.SIGKILL)
            killed.append(running[0])


def main() -> None:
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=2000, help="of all files, decompressed (2000)")
    side = math.isqrt(parser.parse_args().megabytes * 1_000_000 // (FILES * DAYS * 4))
    with tempfile.TemporaryDirectory() as temporary, server() as options:
        folder = Path(temporary)
        refs = upload(folder, side, options)
        index = folder / "refs.json"
        index.write_text(json.dumps({"version": 1, "refs": refs}))
        store = zarr.storage.FsspecStore.from_url(
            "reference://",
            storage_options={"fo": str(index), "remote_protocol": "s3", "remote_options": {**options, "asynchronous": True}},
            read_only=True,
        )
        group = zarr.open_group(store, mode="r")
        arrays = [da.from_zarr(group[f"{number:03}"], chunks=-1) for number in range(FILES)]
        sums = da.stack([array.sum(axis=0, dtype="i8") for array in arrays])

        codec = b2nd.zarr.B2nd(block_shape=(1, 64, 64), **CODEC)
        output = folder / "sums.zarr"
        target = zarr.create_array(output, shape=sums.shape, chunks=(1, side, side), dtype="i8", serializer=codec, compressors=None)
        dask.config.set({"distributed.scheduler.allowed-failures": 10})
        killed: list[int] = []
        done = threading.Event()
        with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
            killer = threading.Thread(target=kill, args=(cluster, output, killed, done))
            killer.start()
            da.store(sums, target, lock=False)
            done.set()
            killer.join()

        packed = folder / "sums.b2nd"
        tool("pack", output, packed)
        print(tool("verify", packed).strip())
        result = b2nd.open(packed)
        for number in range(FILES):
            np.testing.assert_array_equal(result[number], measurements(number, side).sum(axis=0, dtype="i8"))
        stored = sum(path.stat().st_size for path in folder.glob("[0-9]*.b2nd"))
        print(f"{FILES} files of {FILES * DAYS * side**2 * 4 / 1e6:.0f} MB, {stored / 1e6:.0f} MB compressed, {len(refs)} references")
        print(f"{len(killed)} workers killed; {result.nbytes / 1e6:.0f} MB of sums equal NumPy's, {packed.stat().st_size / 1e6:.0f} MB in one file")


if __name__ == "__main__":
    main()
