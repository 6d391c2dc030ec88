"""Writes a table of many rows and, computed by NumPy, what the viewer is to tell of it: `table_files.py FOLDER`."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "golden"))
import explicit  # noqa: F401
import blosc2
import numpy as np

ROWS = 100_000
CPARAMS = blosc2.CParams(
    codec=blosc2.Codec.ZSTD,
    clevel=5,
    filters=[blosc2.Filter.SHUFFLE],
    splitmode=blosc2.SplitMode.AUTO_SPLIT,
    nthreads=1,
)


@dataclass
class Row:
    number: int = blosc2.field(blosc2.int64())
    share: float = blosc2.field(blosc2.float64())
    name: str = blosc2.field(blosc2.string(max_length=8))
    when: int = blosc2.field(blosc2.timestamp(unit="ms"))
    ok: bool = blosc2.field(blosc2.bool())


def main(folder):
    random = np.random.default_rng(7)
    # Neighbours that doubles do not tell apart.
    number = random.permutation(ROWS).astype("i8") + 2**60
    share = random.normal(0, 1, ROWS)
    share[random.random(ROWS) < 0.01] = np.nan
    name = random.choice(["ada", "Bo", "cy,d", 'e"f', "Ünal", "zoë"], ROWS).astype("U8")
    when = random.integers(0, 2 * 10**12, ROWS)
    ok = random.random(ROWS) < 0.25
    table = blosc2.CTable(Row, urlpath=str(folder / "many.b2z"), mode="w", cparams=CPARAMS, create_summary_index=False)
    table.extend({"number": number, "share": share, "name": name, "when": when.astype("datetime64[ms]"), "ok": ok})
    table.close()

    up = np.argsort(number, kind="stable")
    by_share = np.argsort(np.where(np.isnan(share), np.inf, share), kind="stable")
    down = np.argsort(np.where(np.isnan(share), np.inf, -share), kind="stable")
    limit = np.datetime64("2001-02-03T04:05:06.789", "ms").astype("i8")
    matching = np.flatnonzero((share > 1.5) & ok)
    finite = share[~np.isnan(share)]
    counts, edges = np.histogram(finite, 64)
    chosen = matching[:20]
    facts = {
        "rows": ROWS,
        "number": {"least": up[:5].tolist(), "values": [str(n) for n in number[up[:5]]], "sixth": str(number[up[5]])},
        "share": {"least": by_share[:5].tolist(), "greatest": down[:5].tolist(), "last": int(by_share[-1])},
        "below": int((number < 2**60 + 12_345).sum()),
        "later": int((when >= limit).sum()),
        "matching": {"count": len(matching), "first": matching[:5].tolist()},
        "quotes": int((name == 'e"f').sum()),
        "found": int(np.char.find(np.char.lower(name), "ün").__ge__(0).sum()),
        "statistics": {
            "mean": finite.mean(),
            "std": finite.std(),
            "least": finite.min(),
            "greatest": finite.max(),
            "nan": int(np.isnan(share).sum()),
            "median": float(np.median(finite)),
            "counts": counts.tolist(),
        },
        "names": {text: int((name == text).sum()) for text in np.unique(name).tolist()},
        "csv": [[str(number[k]), str(name[k]), str(np.datetime64(int(when[k]), "ms")), str(ok[k])] for k in chosen],
    }
    (folder / "expected.json").write_text(json.dumps(facts))


main(Path(sys.argv[1]))
