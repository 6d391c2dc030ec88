"""Frames whose chunks do not hold all values: lazy arrays, and proxies that fetched some chunks of other arrays."""

import os
import tempfile

import blosc2
import numpy as np

import patterns
from reference import *


def main():
    rec = recorder()
    # References name their operands by path: by relative ones, which are the same everywhere.
    golden = os.path.abspath(rec.path(""))
    rec.root, rec.folder = os.path.split(golden.rstrip(os.sep))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        a, b = (operand(name, name + ".b2nd") for name in "ab")
        lazy(rec, a, b)
        proxies(rec, a)
        os.chdir(golden)
    rec.done("b2_references.json")


SHAPE = dict(chunks=(10, 12), blocks=(5, 6))


def operand(name, urlpath=None):
    data = patterns.values("<i4", (30, 20))
    return blosc2.asarray(data, urlpath=urlpath, mode="w", cparams=params("lz4", typesize=4), **SHAPE)


def refused(rec, name, note):
    rec.error("array", name, "unsupported", note=note)


@blosc2.dsl_kernel
def twice(x, y):
    return x * 2 + y


def any_function(inputs, output, offset):
    output[:] = inputs[0] + 1


def lazy(rec, a, b):
    # What decides shapes is in the operands.
    cparams = params("lz4", typesize=4)
    (a + b * 2).save(fresh(rec.path("lazy-expression.b2nd")), cparams=cparams)
    refused(rec, "lazy-expression.b2nd", "a lazy expression: all chunks are uninitialised")
    like = dict(dtype=np.dtype("<i4"), shape=a.shape)
    blosc2.lazyudf(twice, (a, b), **like).save(fresh(rec.path("lazy-function.b2nd")), cparams=cparams)
    refused(rec, "lazy-function.b2nd", "a lazy function: all chunks are uninitialised")
    # No kernel of the kind that `b2o` can keep: the metalayer of earlier releases.
    path = fresh(rec.path("lazy-function-old.b2nd"))
    blosc2.lazyudf(any_function, (a,), **like).save(path, cparams=cparams, **SHAPE)
    refused(rec, "lazy-function-old.b2nd", "a lazy function in the metalayer LazyArray")


class Ranges(blosc2.ByteRangeNDSource):
    """A source that serves blocks, of chunks of any size."""

    wants_wave = False

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        super().__init__(path, 1)

    def read_range(self, start, length):
        return self.bytes[start : start + length]

    def wants_blocks(self, nchunk, nblocks):
        return True


def proxies(rec, a):
    corner, whole = (slice(0, 5), slice(0, 20)), (slice(0, 10), slice(0, 12))
    blosc2.Proxy(a, urlpath=fresh(rec.path("proxy-nothing.b2nd")), mode="w")
    refused(rec, "proxy-nothing.b2nd", "a proxy of which nothing was fetched")
    proxy = blosc2.Proxy(a, urlpath=fresh(rec.path("proxy-chunks.b2nd")), mode="w")
    proxy.fetch(corner)
    proxy.fetch((slice(25, 30), slice(13, 20)))
    refused(rec, "proxy-chunks.b2nd", "a proxy with chunks 0, 1 and 5 of 6")
    proxy = blosc2.Proxy(Ranges("a.b2nd"), urlpath=fresh(rec.path("proxy-blocks.b2nd")), mode="w")
    proxy.fetch(whole)
    proxy.fetch((slice(25, 30), slice(13, 20)))
    refused(rec, "proxy-blocks.b2nd", "a proxy with chunk 0 and blocks 2 and 3 of chunk 5")
    cparams = params("lz4", typesize=4)
    zeros = blosc2.zeros((30, 20), "<i4", urlpath="zeros.b2nd", mode="w", cparams=cparams, **SHAPE)
    proxy = blosc2.Proxy(zeros, urlpath=fresh(rec.path("proxy-zeros.b2nd")), mode="w")
    proxy.fetch(corner)
    refused(rec, "proxy-zeros.b2nd", "a proxy with chunks 0 and 1 of 6, all zeros like those that are not there")


main()
