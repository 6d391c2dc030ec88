"""Reads the logs that tests/library/logs.rs and tests/library/cards.rs wrote, and the memory that the firmware printed after its power had failed, and
compares their rows with those that were logged."""

import json
import re
import sys
import tempfile
from pathlib import Path

import blosc2
import numpy as np

FIRMWARE = Path(__file__).resolve().parents[1] / "embedded" / "data" / "logger.txt"


def of_firmware():
    """The frame in the memory of tests/embedded/src/bin/logger.rs, and the rows that it should have."""
    lines = FIRMWARE.read_text().splitlines()
    memory = bytearray(b"\xff" * 8192)
    for line in lines:
        if match := re.fullmatch("([0-9a-f]{8}) ([0-9a-f]{32})", line):
            at = int(match[1], 16)
            memory[at : at + 16] = bytes.fromhex(match[2])
        elif match := re.fullmatch(r"(\d+) failures, (\d+) rows at (\d+)", line):
            failures, count, frame = map(int, match.groups())
    n = np.arange(count)
    rows = np.stack([n, n // 7, (n * 40503 % 65536) >> 12], axis=1).astype("<i2")
    return bytes(memory), frame, rows, failures


def check(path, offset, rows, what):
    array = blosc2.open(str(path), mode="r", offset=offset)
    assert array.shape == rows.shape and array.dtype == rows.dtype, f"{what}: {array.shape} {array.dtype}"
    assert array[...].tobytes() == rows.tobytes(), f"{what}: rows differ"


folder = Path(sys.argv[1]) / "logs"
cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
for case in cases:
    rows = np.frombuffer((folder / f"{case['name']}.plain").read_bytes(), case["dtype"]).reshape(case["shape"])
    check(folder / f"{case['name']}.b2nd", case["offset"], rows, case)
cards = Path(sys.argv[1]) / "cards"
rows = np.frombuffer((cards / "plain").read_bytes(), "<i2").reshape(-1, 3)
check(cards / "card.bin", 0, rows, "the log on a card")
check(cards / "stream.b2nd", 0, rows[:777], "the frame that was written to a stream")
memory, frame, rows, failures = of_firmware()
assert failures > 10 and len(rows) > 50, "too little was logged"
with tempfile.TemporaryDirectory() as temporary:
    path = Path(temporary) / "memory.bin"
    path.write_bytes(memory)
    check(path, frame, rows, "firmware")
print(f"{len(cases)} logs, those of cards and that of the firmware read by {blosc2.__version__}")
sys.exit(0 if cases else "no logs")
