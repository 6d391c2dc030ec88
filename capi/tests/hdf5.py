"""Exchanges files with hdf5plugin, and checks how the plugins are used by h5py: hdf5.py PLUGINS.

Each file is written by one process and read by another: a process has one plugin for a filter.
"""

import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CODECS = {32001: [0, 1, 2, 3, 4, 5], 32026: [0, 1, 2, 4, 5]}
DTYPES = ["u1", "<i2", "<f4", "<f8", ">i4", "S300", [("a", "<i2"), ("b", "<f8")]]
# Shapes, and chunks that do not divide them.
SHAPES = [((5000,), (1200,)), ((70, 90), (32, 40)), ((12, 20, 30), (5, 7, 30)), ((3,), (3,))]


def datasets():
    """Name, items, chunks, filter, its values, and whether a checksum comes first."""
    random = np.random.default_rng(1)
    for number, codes in CODECS.items():
        for code, shuffle in itertools.product(codes, range(3)):
            for n, ((shape, chunks), dtype) in enumerate(itertools.product(SHAPES, DTYPES)):
                if (n + code + shuffle) % 3:
                    continue
                dtype = np.dtype(dtype)
                count = int(np.prod(shape))
                bytes_ = (np.arange(count * dtype.itemsize) // 7 + random.integers(0, 2)).astype("u1")
                items = bytes_.view(dtype).reshape(shape)
                name = f"{number}-{code}-{shuffle}-{n}"
                yield name, items, chunks, number, (0, 0, 0, 0, 1 + n % 9, shuffle, code), n % 4 == 0
        noise = random.integers(0, 256, 100_000).astype("u1")
        yield f"{number}-noise", noise, (30_000,), number, (0, 0, 0, 0, 5, 1, 0), False
        yield f"{number}-default", noise // 64, (30_000,), number, (), False


def theirs():
    return not os.environ["HDF5_PLUGIN_PATH"]


def write(path):
    import h5py

    with h5py.File(path, "w") as file:
        for name, items, chunks, number, values, checksum in datasets():
            if theirs() and number == 32026 and items.itemsize > 255:
                continue  # hdf5plugin 7.1.0 does not read back what it writes.
            file.create_dataset(
                name, data=items, chunks=chunks, compression=number, compression_opts=values, fletcher32=checksum
            )


def read(path):
    import h5py

    count = 0
    with h5py.File(path) as file:
        for name, items, *_ in datasets():
            if name not in file:
                continue
            found = file[name][()]
            assert found.tobytes() == items.tobytes(), name
            count += 1
    print(f"{count} datasets")


def values(path):
    """What HDF5 stores of the values, for comparison."""
    import h5py

    with h5py.File(path) as file:
        for name in file:
            filters = file[name].id.get_create_plist()
            for at in range(filters.get_nfilters()):
                number, flags, cd_values, _ = filters.get_filter(at)
                if number > 32000:
                    print(name, flags, *cd_values)


def damage(path):
    """A damaged chunk fails with a reason."""
    import h5py

    with h5py.File(path, "w") as file:
        data = file.create_dataset("x", data=np.arange(1000), chunks=(1000,), compression=32001)
        data.id.write_direct_chunk((0,), b"\x02\x01\x21\x08" + b"\xff" * 40)
        try:
            data[:]
        except OSError as error:
            print(error)
        else:
            raise AssertionError("damage was read")


def main(plugins):
    with tempfile.TemporaryDirectory() as folder:
        ours_file, theirs_file = f"{folder}/ours.h5", f"{folder}/theirs.h5"
        step("write", ours_file, plugins)
        step("write", theirs_file)
        for path, reader in [(ours_file, plugins), (ours_file, None), (theirs_file, plugins)]:
            print(Path(path).stem, "read with", reader or "hdf5plugin", step("read", path, reader).strip())
        ours, others = (set(step("values", path).splitlines()) for path in [ours_file, theirs_file])
        assert len(others) > 250 and others <= ours, sorted(others ^ ours)[:6]
        reasons = step("damage", f"{folder}/damaged.h5", plugins)
        print(reasons, end="")
        assert "filter returned failure" in reasons, reasons
    print("passed")


def step(task, path, plugins=None):
    """A task in a process of its own, with hdf5plugin if there is no folder of plugins."""
    env = {**os.environ, "HDF5_PLUGIN_PATH": str(plugins or "")}
    done = subprocess.run([sys.executable, __file__, task, path], env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{task} {path} with {plugins}: {done.stderr}"
    return done.stdout


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        if theirs():
            import hdf5plugin  # noqa: F401
        {"write": write, "read": read, "values": values, "damage": damage}[sys.argv[1]](sys.argv[2])
        if sys.platform == "linux" and sys.argv[1] != "values":
            assert ("libH5Zblosc" in Path("/proc/self/maps").read_text()) != theirs()
