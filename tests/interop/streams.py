"""Sends packets as docs/embedded.md describes them, with blocks that the reference has encoded, through a channel that loses and
damages some; has the tool collect them, and reads the array with the reference.

    streams.py TOOL FOLDER
"""

import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import explicit  # noqa: F401

import blosc2
import numpy as np

TOOL, FOLDER = sys.argv[1], Path(sys.argv[2])
FIRMWARE = Path(__file__).resolve().parents[1] / "embedded" / "data" / "sender.txt"
DESCRIPTION, SPLIT, WHOLE, COPIED, ZEROS, NAN, REPEAT, COUNT = range(8)
HEADER = 32


def packets(kind, stream, item, content, payload, short=False):
    """The packets of a block."""
    for offset in range(0, max(len(content), 1), payload):
        part = content[offset : offset + payload]
        last = offset + payload >= len(content)
        head = struct.pack("<BBHIHH", 0xB2, 0x40 | short << 4 | last << 3 | kind, stream, item % 2**32, offset, len(part))
        yield head + struct.pack("<I", zlib.crc32(head + part)) + part


def of_chunk(chunk):
    """The kind of a chunk of one block, and its bytes without the header."""
    flags, special = chunk[2], chunk[31] >> 4 & 7
    if special:
        return {1: ZEROS, 2: NAN, 3: REPEAT}[special], chunk[HEADER:]
    if flags & 2:
        return COPIED, chunk[HEADER:]
    assert struct.unpack_from("<I", chunk, HEADER) == (HEADER + 4,), "one block"
    return (WHOLE if flags & 0x10 else SPLIT), chunk[HEADER + 4 :]


def description(cparams, block):
    """The header of a chunk with a block that is split."""
    header = bytearray(blosc2.compress2(b"\1" + bytes(block - 1), **cparams)[:HEADER])
    assert not header[2] & 2, "not copied"
    header[2] &= ~0x10
    header[12:16] = bytes(4)
    assert struct.unpack_from("<ii", header, 4) == (block, block), "one block"
    return bytes(header)


def sent(rows, cparams, per_block, payload, random):
    """Packets, each with the rows of its block."""
    row, typesize = rows[0].nbytes, cparams["typesize"]
    block = per_block * row
    cparams = cparams | {"blocksize": block}
    start = number = 0
    while start < len(rows):
        if number % 4 == 0:
            for packet in packets(DESCRIPTION, 9, start * row // typesize, description(cparams, block), payload):
                yield packet, None
        # Now and then a block is short.
        count = per_block if random.random() < 0.9 else random.integers(1, per_block + 1)
        count = min(count, len(rows) - start)
        plain = rows[start : start + count].tobytes()
        short = count < per_block
        kind, content = of_chunk(blosc2.compress2(plain, **cparams))
        content = (struct.pack("<H", len(plain)) if short else b"") + content
        for packet in packets(kind, 9, start * row // typesize, content, payload, short):
            yield packet, range(start, start + count)
        start, number = start + count, number + 1
    yield from ((packet, None) for packet in packets(COUNT, 9, len(rows) * row // typesize, b"", payload))


def signals(random):
    walk = np.cumsum(random.normal(size=(3000, 3)), axis=0)
    yield "<i2", (walk * 100).astype("<i2"), 2, 40
    yield "<i2", (walk * 100).astype("<i2"), 6, 50
    yield "<f4", np.where(np.arange(3000) % 500 < 200, np.float32("nan"), walk[:, 0]).astype("<f4"), 4, 128
    yield "<f8", walk.astype("<f8"), 8, 64
    yield "|u1", random.integers(0, 4, 5000).astype("u1"), 1, 256
    still = np.zeros(4000, "<i4")
    still[1000:1500] = 7
    yield "<i4", still, 4, 100


def check(name, dtype, rows, cparams, per_block, random):
    payload = int(random.choice([4, 35, 100, 228, 2000]))
    stream, lost = bytearray(), set()
    for packet, block in sent(rows, cparams, per_block, payload, random):
        chance = random.random() if payload > 4 or random.random() < 0.1 else 1
        if chance < 0.05:
            packet = b"" if chance < 0.02 else packet[:-1] if chance < 0.03 else packet[:-1] + bytes([packet[-1] ^ 1])
            lost.update(block or ())
        stream += packet
        if chance > 0.97:
            stream += packet + b"noise"
    path = FOLDER / f"{name}.b2nd"
    path.unlink(missing_ok=True)
    row = [f"--row={','.join(map(str, rows.shape[1:]))}"] if rows.ndim > 1 else []
    command = [TOOL, "collect", "-", "-o", path, "--dtype", dtype, *row, "--json", "--chunks", ",".join(map(str, (500, *rows.shape[1:])))]
    done = subprocess.run(list(map(str, command)), input=bytes(stream), capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.decode()}")
    said = json.loads(done.stdout)
    array = blosc2.open(str(path), mode="r")
    values, collected = array[...], array.schunk.vlmeta["collected"]
    told = {at for start, end in collected["lost"] for at in range(start, end)}
    assert said["lost"] == collected["lost"] and collected["stream"] == 9, name
    # The last packet tells how many there are, and may be lost, too.
    assert len(values) <= len(rows) and len(rows) - len(values) <= 2 * per_block, f"{name}: {len(values)} rows of {len(rows)}"
    assert told == {at for at in lost if at < len(values)}, f"{name}: other rows are lost"
    kept = [at for at in range(len(values)) if at not in told]
    assert values[kept].tobytes() == rows[kept].tobytes(), f"{name}: rows differ"
    return len(kept), len(told)


def of_firmware():
    """The packets that tests/embedded/src/bin/sender.rs printed, and the rows that they should have."""
    stream, left = bytearray(), 0
    for line in FIRMWARE.read_text().splitlines():
        if match := re.fullmatch(r"packet (\d+)", line):
            left = int(match[1])
        elif match := re.fullmatch(r"(\d+) rows", line):
            n = np.arange(int(match[1]))
        else:
            part = bytes.fromhex(line)[:left]
            stream, left = stream + part, left - len(part)
    return bytes(stream), np.stack([n, n // 7, (n * 40503 % 65536) >> 12], axis=1).astype("<u2")


def firmware():
    path = FOLDER / "firmware.b2nd"
    path.unlink(missing_ok=True)
    stream, rows = of_firmware()
    subprocess.run([TOOL, "collect", "-", "-o", str(path), "--dtype", "<u2", "--row", "3"], input=stream, check=True, capture_output=True)
    array = blosc2.open(str(path), mode="r")
    assert (array[...] == rows).all() and array.schunk.vlmeta["collected"]["lost"] == [], "firmware"
    assert len(stream) < rows.nbytes, "longer than the rows"
    return len(stream) / rows.nbytes


FOLDER.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(11)
filters = [[], ["SHUFFLE"], ["BITSHUFFLE"], ["SHUFFLE", "BYTEDELTA"], ["DELTA", "SHUFFLE"]]
kept = told = count = 0
for codec in ["LZ4", "BLOSCLZ", "ZSTD", "ZLIB"]:
    for names in filters:
        for number, (dtype, rows, typesize, per_block) in enumerate(signals(random)):
            cparams = {"codec": blosc2.Codec[codec], "clevel": 5, "typesize": typesize, "nthreads": 1,
                       "filters": [blosc2.Filter[name] for name in names] or [blosc2.Filter.NOFILTER],
                       "filters_meta": [typesize if name == "BYTEDELTA" else 0 for name in names] or [0]}
            there, missing = check(f"{codec}-{'-'.join(names)}-{number}", dtype, rows, cparams, per_block, random)
            kept, told, count = kept + there, told + missing, count + 1
assert kept > 100_000 and told > 1000, "too little was sent or lost"
share = firmware()
print(f"The packets of the firmware have {share:.0%} of the bytes of its rows.")
print(f"{count} streams of {blosc2.__version__}: {kept} rows are the same, {told} were lost and told")
