"""Writes a remote array and an array of a Caterva2 server as python-blosc2 does, without a server: their headers and metalayers.

A remote array that fetched a chunk has that chunk and a bitmap, as a proxy has.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: E402,F401

import blosc2  # noqa: E402
import numpy as np  # noqa: E402
from blosc2.b2objects import make_b2object_carrier, write_b2object_payload  # noqa: E402

folder = Path(sys.argv[1])
CPARAMS = {"codec": blosc2.Codec.LZ4, "clevel": 5, "filters": [blosc2.Filter.SHUFFLE], "nthreads": 1, "typesize": 4}


def carrier(name, kind, payload):
    path = str(folder / name)
    options = {"chunks": (10, 12), "blocks": (5, 4), "urlpath": path, "mode": "w", "cparams": CPARAMS}
    array = make_b2object_carrier(kind, (30, 20), np.dtype("<i4"), **options)
    write_b2object_payload(array, payload)
    return array


source = {"kind": "fsspec", "version": 1, "urlpath": "https://example.org/array.b2nd"}
remote = {
    "kind": "remote_array",
    "version": 1,
    "source": source,
    "cache_policy": "disk",
    "max_cache_bytes": 1 << 20,
    "mutable": True,
}
carrier("remote-nothing.b2nd", "remote_array", remote)
fetched = carrier("remote-chunk.b2nd", "remote_array", remote)
fetched[10:20, 0:12] = np.arange(120, dtype="<i4").reshape(10, 12)
fetched.schunk.vlmeta["proxy-fetched"] = bytes([0b100])
carrier("c2array.b2nd", "c2array", blosc2.Ref.c2array_ref("@public/a.b2nd", "https://example.org/").to_dict())
carrier("unknown.b2nd", "later", {"kind": "later", "version": 1})
