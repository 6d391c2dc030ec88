"""Writes values that MessagePack does not have as attributes and as objects: `extension_files.py FOLDER`."""
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
CPARAMS = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
PLACE = {"chunks": (4,), "blocks": (2,), "cparams": CPARAMS, "mode": "w"}
COUNT = np.arange(5, dtype="i4")
VALUES = {
    "complex": 1 - 2.5j,
    "tuple": (1.0, 2, ("a", b"b")),
    "empty": (),
    "set": {1.0, 2, "x"},
    "sets": {(1, 2), frozenset([3j])},
    "tensor": np.arange(6, dtype="<f4").reshape(2, 3),
    "structured": np.zeros(2, [("x", "<i2"), ("y", "S3", (2,))]),
    "objects": np.array([1.0, "a", None, {2}, b"c"], dtype=object),
    "frame": blosc2.asarray(COUNT, **PLACE),
    "reference": blosc2.Ref.from_object(blosc2.asarray(COUNT, urlpath=str(folder / "other.b2nd"), **PLACE)),
    "nested": [{"deep": (1.0, {"of": {(0.0, 1j)}})}, [np.float64(3.0), 1j]],
}
array = blosc2.asarray(COUNT, urlpath=str(folder / "0.b2nd"), **PLACE, meta={"pair": (1.0, "x")})
objects = blosc2.ObjectArray(urlpath=str(folder / "1.b2b"), mode="w", cparams=CPARAMS)
for name, value in VALUES.items():
    array.schunk.vlmeta[name] = value
    objects.append(value)
(folder / "cases.json").write_text(json.dumps(list(VALUES)))
