"""Functions for the writer of earlier python-blosc2 releases, with parameters in the form of each release."""

import blosc2
from files import fresh

CODECS = ["BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD"]
ALWAYS = ("edit-", "zeros", "full", "resized", "0d", "empty", "tensor")
count = sum(int(part) for part in blosc2.__version__.split("."))


def attempt(rec, name, action):
    """Runs the action; a release that cannot do it leaves no file and a remark.

    Of the many alike cases each release takes every other one, neighbouring releases mostly the opposite ones.
    """
    global count
    count += 1
    if count % 2 and not name.startswith(ALWAYS):
        return
    try:
        action(name)
    except Exception as failure:
        rec.failures.append("%s %s: %s" % (rec.writer, name, str(failure)[:80]))
        fresh(rec.path(name))


def params(codec, filters, metas, size, level=5, **more):
    key = "compcode" if "compcode" in blosc2.cparams_dflts else "codec"
    out = {
        key: getattr(blosc2.Codec, codec),
        "clevel": level,
        "typesize": size,
        "nthreads": 1,
        "filters": filters,
        "filters_meta": metas,
    }
    out.update(more)
    return out


def pipelines(size):
    f = blosc2.Filter
    out = [
        ("shuf", [f.SHUFFLE], [0]),
        ("bits", [f.BITSHUFFLE], [0]),
        ("delta-shuf", [f.DELTA, f.SHUFFLE], [0, 0]),
        ("none", [f.NOFILTER], [0]),
    ]
    if hasattr(f, "BYTEDELTA"):
        out.append(("shuf-bdelta%d" % f.BYTEDELTA.value, [f.SHUFFLE, f.BYTEDELTA], [0, size]))
    if not hasattr(f, "INT_TRUNC"):
        out.append(("slots", [f.NOFILTER, f.SHUFFLE, f.NOFILTER, f.BITSHUFFLE], [0, 0, 0, 0]))
    return out
