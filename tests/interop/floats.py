"""Random arrays of floats for the lossy ZFP codecs."""

import numpy as np

ZFP_ACC, ZFP_PREC, ZFP_RATE = 33, 34, 35


def smooth(draw, dtype, shape):
    waves = sum(np.sin((n + 1) * axis / 7.0 + n) for n, axis in enumerate(np.indices(shape)))
    return (waves + 0.01 * draw.rng.standard_normal(shape)).astype(dtype)


def noise(draw, dtype, shape):
    return draw.rng.standard_normal(shape).astype(dtype)


def exponents(draw, dtype, shape):
    """Magnitudes from subnormal numbers to the largest."""
    reach = 44 if dtype == np.float32 else 320
    with np.errstate(over="ignore"):
        wide = 10.0 ** draw.rng.uniform(-reach, reach - 7 if dtype == np.float32 else 307, shape)
        return (wide * draw.rng.choice([-1, 1], shape)).clip(np.finfo(dtype).min, np.finfo(dtype).max).astype(dtype)


def patches(draw, dtype, shape):
    """Zeros in most places."""
    return np.where(draw.rng.uniform(size=shape) < 0.03, noise(draw, dtype, shape), 0).astype(dtype)


def integers(draw, dtype, shape):
    return draw.rng.randint(-1000, 1000, shape).astype(dtype)


def walk(draw, dtype, shape):
    """Random steps along the last axis, which is how measurements look."""
    return np.cumsum(draw.rng.standard_normal(shape), axis=-1).astype(dtype)


def constants(draw, dtype, shape):
    """One value in each half, whose cells are constant or have two values."""
    data = np.full(shape, draw.rng.standard_normal(), dtype)
    data[..., shape[-1] // 2 :] = draw.pick([0, 1, -7.25])
    return data


def specials(draw, dtype, shape):
    """Some NaN, infinities, negative zeros, subnormal and extreme values in smooth data."""
    info = np.finfo(dtype)
    values = [np.nan, -np.nan, np.inf, -np.inf, -0.0, info.smallest_subnormal, -info.tiny, info.max, info.min]
    some = draw.rng.choice(np.array(values, dtype), shape)
    return np.where(draw.rng.uniform(size=shape) < draw.pick([0.002, 0.02]), some, smooth(draw, dtype, shape))


def tiny(draw, dtype, shape):
    """Down to subnormal values."""
    scale = 10.0 ** draw.between(-44 if dtype == np.float32 else -320, -25)
    return (smooth(draw, np.float64, shape) * scale).astype(dtype)


EASY = [smooth, smooth, patches, integers]
# The reference may overwrite memory where blocks of these do not get smaller.
HARD = [noise, exponents]


def zfp(draw, kinds=EASY):
    """The data of an array, its chunks and blocks, and a codec with its parameter."""
    dtype = np.dtype(draw.pick(["<f4", "<f8"]))
    ndim = draw.between(1, 4)
    most = [4000, 90, 24, 13][ndim - 1]
    shape = tuple(draw.between(4, most) for _ in range(ndim))
    chunks = tuple(draw.between(4, n) for n in shape)
    blocks = tuple(draw.between(4, n) for n in chunks)
    codec = draw.pick([ZFP_ACC, ZFP_PREC, ZFP_RATE])
    if codec == ZFP_ACC:
        meta = draw.between(-5 if dtype == np.float32 else -12, 3) & 255
    elif codec == ZFP_PREC:
        meta = draw.between(1, 12 if dtype == np.float32 else 40)
    else:
        meta = draw.between(1, 80)
    kinds = kinds + (HARD if codec == ZFP_RATE else [])
    return draw.pick(kinds)(draw, dtype.type, shape), chunks, blocks, codec, meta


def written_zfp(draw):
    """The same, with what the encoders must treat alike."""
    return zfp(draw, EASY + [walk, constants, specials, tiny])
