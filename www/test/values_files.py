"""Writes arrays of many dtypes with attributes, and their values in JSON: `values_files.py FOLDER`."""
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

folder = Path(sys.argv[1])
shape = (5, 4)
count = np.arange(20).reshape(shape)
ARRAYS = {f"{order}{kind}": (count - 7).astype(f"{order}{kind}") for order in "<>" for kind in ("i2", "i4", "f4", "f8", "c8", "c16")}
ARRAYS |= {kind: (count * 12).astype(kind) for kind in ("u1", "u2", "u4", "i1")}
ARRAYS |= {"i8": (count - 7) * 2**58, "u8": count.astype("u8") * 2**59, "f2": (count / 8 - 1).astype("f2")}
ARRAYS |= {"bool": count % 3 == 0, "S5": count.astype("S5"), "U3": np.array(["é", "𝄞x", ""] * 20)[:20].reshape(shape)}
ARRAYS |= {"M8[s]": count.astype("M8[s]"), "m8[ms]": count.astype("m8[ms]")}
ARRAYS["struct"] = np.zeros(shape, [("x", ">i2"), ("pair", "<f4", (2,)), ("deep", [("name", "S3"), ("when", "<M8[D]")]), ("big", "<i8")])
ARRAYS["struct"]["x"], ARRAYS["struct"]["big"] = count - 3, (count - 7) * 2**58
ARRAYS["struct"]["pair"] = np.stack([count, -count], axis=-1)
ARRAYS["struct"]["deep"]["name"], ARRAYS["struct"]["deep"]["when"] = count.astype("S3"), count.astype("M8[D]")
ARRAYS["M8[s]"][0, 0] = ARRAYS["m8[ms]"][0, 1] = "NaT"
ATTRIBUTES = {
    "none": None, "true": True, "false": False, "one": 1, "minus": -1, "byte": 200, "short": -30000, "long": 2**40,
    "negative": -(2**50), "float": 0.1, "text": "größe", "long text": "x" * 70000, "list": [1, [2, [3]]], "many": list(range(100)),
    "map": {"a": {"b": "c"}, "__proto__": 5}, "empty": {},
}

CPARAMS = {"codec": blosc2.Codec.ZSTD, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1}
PLACE = {"chunks": (3, 3), "blocks": (2, 2), "cparams": CPARAMS, "mode": "w"}


def plain(value):
    """Values as JSON has them; those of 64 bits as text."""
    if isinstance(value, np.void):
        return {name: plain(value[name]) for name in value.dtype.names}
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return str(value.astype("i8"))
    if isinstance(value, (np.int64, np.uint64)):
        return str(int(value))
    if isinstance(value, np.complexfloating):
        return [float(value.real), float(value.imag)]
    return value.decode() if isinstance(value, bytes) else value.item() if hasattr(value, "item") else value


cases = []
for name, array in ARRAYS.items():
    file = folder / f"{len(cases)}.b2nd"
    stored = blosc2.asarray(np.ascontiguousarray(array), urlpath=str(file), **PLACE)
    for key, value in ATTRIBUTES.items():
        stored.vlmeta[key] = value
    values = [plain(value) for value in array.ravel()]
    dtype = array.dtype.str if array.dtype.names is None else None
    cases.append({"name": name, "dtype": dtype, "file": file.name, "values": values, "attributes": ATTRIBUTES})
(folder / "cases.json").write_text(json.dumps(cases))
