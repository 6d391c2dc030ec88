"""Writes the files beside it with the plugins of the reference: `python make.py`.

Each `NAME.b2nd` is written with a codec of JPEG 2000, and `NAME.values.b2nd` has what the plugin decodes of it, with zstd. Environments
with the releases that work together are made in a temporary folder. Python has to be 3.11: the package blosc2_openhtj2k has no others.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

# Packages, and the groups of files that they write.
ENVIRONMENTS = [
    (["blosc2==4.0.0", "numpy==2.4.6", "blosc2_openhtj2k==0.1.2"], ["openhtj2k"]),
    (["blosc2==4.0.0", "numpy==2.4.6", "blosc2_grok==0.3.5"], ["grok"]),
    (["blosc2==4.14.1", "numpy==2.4.6", "blosc2_j2k==0.4.0", "blosc2_htj2k==0.4.2"],
     ["j2k", "j2k-uint8", "j2k-uint16", "j2k-clamped", "htj2k", "htj2k-grok", "htj2k-uint16"]),
]


def picture(dtype, shape=(40, 48), seed=0):
    """Waves and noise in the type's range, without negative values, which would be large ones to the codecs."""
    import numpy as np

    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    waves = (np.sin(x / (5 + seed)) + np.cos(y / 7) + 2) / 4
    limits = np.iinfo(dtype)
    noise = rng.random(shape) / 12
    return ((waves * 1.1 + noise - 0.05).clip(0, 1) * limits.max).astype(dtype)


def colours(dtype, count=3, shape=(40, 48)):
    import numpy as np

    return np.stack([picture(dtype, shape, seed) for seed in range(count)], axis=-1)


def write(name, codec, values, blocks=None, chunks=None, exact=True, meta=0, dtype=None):
    import blosc2
    import numpy as np

    cparams = {"codec": codec, "codec_meta": meta, "filters": [], "splitmode": blosc2.SplitMode.NEVER_SPLIT, "nthreads": 1}
    path = FOLDER / f"{name}.b2nd"
    array = blosc2.asarray(
        values, chunks=chunks or values.shape, blocks=blocks or values.shape, cparams=cparams,
        dparams={"nthreads": 1}, urlpath=str(path), mode="w",
    )
    decoded = array[...]
    equal = np.array_equal(decoded, values)
    # A stream that does not shrink is stored as it is, and tests nothing.
    assert array.schunk.cbytes < array.schunk.nbytes and equal == exact, (name, equal)
    blosc2.asarray(
        decoded, chunks=values.shape, blocks=values.shape, cparams={"codec": blosc2.Codec.ZSTD, "clevel": 9, "nthreads": 1},
        urlpath=str(FOLDER / f"{name}.values.b2nd"), mode="w",
    )
    print(name, path.stat().st_size, abs(decoded.astype("f8") - values).max())


def write_grok():
    import blosc2_grok as grok
    import numpy as np

    def write_with(name, values, *arguments, exact=True, meta=0, **parameters):
        grok.set_params_defaults(**parameters)
        write(f"grok-{name}", 37, values, *arguments, exact=exact, meta=meta)

    raw = grok.GrkFileFmt.GRK_FMT_J2K
    for dtype in ["uint8", "int8", "uint16", "int16"]:
        write_with(dtype, picture(dtype))
    write_with("rgb8", colours("uint8"))
    write_with("rgb16", colours("uint16"))
    write_with("rgba8", colours("uint8", 4))
    write_with("two16", colours("uint16", 2))
    write_with("stack", np.stack([picture("uint16", seed=seed) for seed in range(3)]), (1, 40, 48), (2, 40, 48))
    write_with("blocks", picture("uint8", (70, 90)), (32, 40), (64, 80))
    write_with("codestream", picture("uint16"), cod_format=raw)
    write_with("rate8", picture("uint8"), exact=False, meta=40)
    write_with("rate16", picture("uint16"), exact=False, meta=40)
    write_with("irreversible8", picture("uint8"), exact=False, irreversible=True)
    write_with("irreversible16", picture("uint16"), exact=False, irreversible=True, meta=20)
    write_with("irreversible-rgb8", colours("uint8"), exact=False, irreversible=True)
    write_with("layers", picture("uint8"), exact=False, quality_mode="dB", quality_layers=np.array([20.0, 30.0]))
    write_with("mct8", colours("uint8"), exact=False, mct=1)
    write_with("tiles", picture("uint8", (70, 90)), tile_size=(32, 32))
    write_with("precincts", picture("uint8", (70, 90)), precinct_size=(32, 32), progression="RPCL", num_resolutions=3)
    write_with("high-throughput", picture("uint16"), mode=grok.GrkMode.HT)
    write_with("modes", picture("uint8"), codeblock_size=(16, 32), mode=grok.GrkMode.VSC)
    grok.set_params_defaults()


def write_openhtj2k():
    import blosc2_openhtj2k as openhtj2k
    import numpy as np

    def planes(count):
        # The plugin takes axes of components, columns and rows.
        return np.ascontiguousarray(colours("uint8", count).T.astype("uint32"))

    write("openhtj2k-grey", 36, planes(1))
    write("openhtj2k-rgb", 36, planes(3))
    openhtj2k.set_params_defaults(transformation=0)
    write("openhtj2k-lossy", 36, planes(3), exact=False)


def write_other(group):
    """Writes with the plugins j2k and htj2k, whose backend and treatment of floats are chosen once in a process."""
    import importlib

    import numpy as np

    name, _, variant = group.partition("-")
    plugin, codec = importlib.import_module(f"blosc2_{name}"), {"j2k": 39, "htj2k": 40}[name]
    if variant in ("uint8", "uint16", "clamped"):
        limits = {"float_clamp_min": -1000.0, "float_clamp_max": 20000.5} if variant == "clamped" else {}
        plugin.configure(float_mode="uint16" if variant == "clamped" else variant, **limits)
        write(f"{name}-float-{variant}", codec, picture("uint16").astype("float32") / 3 - 2000.25, exact=False)
        return
    plugin.configure(backend=variant or {"j2k": "grok", "htj2k": "openhtj2k"}[name])
    for dtype in ["uint8", "int16"]:
        write(f"{group}-{dtype}", codec, picture(dtype))
    write(f"{group}-rgb8", codec, colours("uint8"))
    write(f"{group}-rgb16", codec, colours("uint16"))
    if not variant:
        write(f"{group}-blocks", codec, picture("uint16", (70, 90)), (32, 40), (64, 80))
        write(f"{group}-rate16", codec, picture("uint16"), exact=False, meta=40)
        write(f"{group}-rate8", codec, picture("uint8"), exact=False, meta=40)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("group", nargs="?", help="writes only this, with the packages of this Python")
    group = parser.parse_args().group
    if group:
        {"grok": write_grok, "openhtj2k": write_openhtj2k}.get(group, lambda: write_other(group))()
        return
    for packages, groups in ENVIRONMENTS:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            programs = Path(folder) / "bin"
            subprocess.run([programs / "pip", "install", "--quiet", *packages], check=True)
            # C-Blosc2 starts `python` to find a plugin.
            path = os.pathsep.join([str(programs), os.environ["PATH"]])
            for group in groups:
                subprocess.run([programs / "python", __file__, group], check=True, env={**os.environ, "PATH": path})


if __name__ == "__main__":
    main()
