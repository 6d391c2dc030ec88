"""Reads the chunks that tests/library/written.rs wrote, and compares their values with the original ones, and their block sizes and
splitting with the choices of the reference."""

import json
import struct
import sys
from pathlib import Path

import blosc2

SPLITMODES = {
    "always": blosc2.SplitMode.ALWAYS_SPLIT,
    "never": blosc2.SplitMode.NEVER_SPLIT,
    "auto": blosc2.SplitMode.AUTO_SPLIT,
}
CODECS = {codec.name.lower(): codec for codec in blosc2.Codec}
DELTA = 3
LOSSY = {4, 36}
MEMCPYED, DONT_SPLIT = 0x02, 0x10


def signed(meta):
    return meta - 256 if meta > 127 else meta


def their_chunk(case, plain, codec=None):
    """What the reference makes of the same bytes by the same parameters."""
    return blosc2.compress2(
        plain,
        codec=codec or CODECS[case["codec"]],
        clevel=case["clevel"],
        typesize=case["typesize"],
        filters=[blosc2.Filter(one) if one in {f.value for f in blosc2.Filter} else one for one in case["filters"]],
        filters_meta=[signed(meta) for meta in case["filters_meta"]],
        blocksize=case["blocksize"],
        splitmode=SPLITMODES[case["splitmode"]],
        nthreads=1,
    )


def truncated(case, plain):
    """The items, without the bits that the first filter cuts off."""
    (lossy, meta) = next(pair for pair in zip(case["filters"], case["filters_meta"]) if pair[0])
    size = case["typesize"]
    bits = {4: {4: 23, 8: 52}, 36: {1: 8, 2: 16, 4: 32, 8: 64}}[lossy][size] - meta
    whole = len(plain) // size * size
    keep = ((1 << 8 * size) - 1) >> bits << bits
    items = [plain[at : at + size] for at in range(0, whole, size)]
    cut = b"".join((int.from_bytes(item, "little") & keep).to_bytes(size, "little") for item in items)
    return cut + plain[whole:]


def wrong(case, folder, count):
    chunk = (folder / f"{case['name']}.chunk").read_bytes()
    plain = (folder / f"{case['name']}.plain").read_bytes()
    flags, nbytes, blocksize, cbytes = struct.unpack("<2xBxiii", chunk[:16])
    header = 16 if case["blosc1"] else 32
    variable = case["nblocks"]
    if (nbytes, cbytes) != (len(plain), len(chunk)) or cbytes > nbytes + header + 8 * variable:
        return "sizes"
    if variable:
        count["variable"] += 1
        return None if blosc2.decompress2(chunk, nthreads=1) == plain else "variable-length blocks"
    special = not case["blosc1"] and chunk[31] & 0x70
    copied = flags & MEMCPYED
    count["dictionary"] += not case["blosc1"] and chunk[31] & 1
    count["special" if special else "copied" if copied else "blocks"] += 1
    lossy = LOSSY & set(case["filters"])
    expected = truncated(case, plain) if lossy and not special and not copied else plain
    # blosc1.py reads it.
    if case["codec"] == "snappy":
        return None
    if plain and blosc2.decompress2(chunk, nthreads=1) != expected:
        return "decompress2"
    if plain and not case["blosc1"]:
        schunk = blosc2.SChunk(chunksize=nbytes, cparams={"typesize": case["typesize"]}, dparams={"nthreads": 1})
        schunk.insert_chunk(0, chunk)
        if schunk.decompress_chunk(0) != expected:
            return "in a super-chunk"
    # The reference names the size that was asked for (B18), makes blocks of a byte of what is shorter than an item, and
    # damages its input by three filters (B1).
    same_rule = not case["blosc1"] and not case["blocksize"] and len(plain) >= max(32, case["typesize"])
    if same_rule and sum(map(bool, case["filters"])) < 3:
        theirs = their_chunk(case, plain)
        if struct.unpack("<8xi", theirs[:12])[0] != blocksize:
            return "block size %d, not %d" % (blocksize, struct.unpack("<8xi", theirs[:12])[0])
        both = not special and not copied and not theirs[2] & MEMCPYED and not theirs[31] & 0x70
        if both and case["typesize"] <= 255 and (theirs[2] ^ flags) & DONT_SPLIT:
            return "split"
        count["cut"] += 1
    return None


def wrong_plane(case, folder):
    """Whether a chunk of NDLZ, which decodes blocks of arrays only, is not read."""
    chunk = (folder / f"{case['name']}.chunk").read_bytes()
    plain = (folder / f"{case['name']}.plain").read_bytes()
    height, width = case["blocks"]
    shape = [len(plain) // width, width]
    cparams = {"codec": blosc2.Codec.NDLZ, "codec_meta": case["meta"], "filters": [], "nthreads": 1}
    array = blosc2.zeros(shape, dtype="u1", chunks=shape, blocks=[height, width], cparams=cparams)
    array.schunk.update_chunk(0, chunk)
    case["shrunk"] = len(chunk) < len(plain)
    return array[:].tobytes() != plain


def main(folder):
    planes = [json.loads(line) for line in (folder / "planes.jsonl").read_text().splitlines()]
    wrong_planes = [case for case in planes if wrong_plane(case, folder)]
    shrunk = sum(case["shrunk"] for case in planes)
    print("%d planes read back, %d of them shrunk, wrong: %s" % (len(planes), shrunk, wrong_planes))
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    count = {"dictionary": 0, "variable": 0, "special": 0, "copied": 0, "blocks": 0, "cut": 0}
    failures = [(case, what) for case in cases if (what := wrong(case, folder, count))]
    for case, what in failures:
        print(what, json.dumps(case))
    print("%d chunks read back, %s" % (len(cases), count))
    enough = len(cases) >= 1000 and min(count.values()) >= 50
    sys.exit(1 if failures or wrong_planes or shrunk < 50 or not enough else 0)


main(Path(sys.argv[1]))
