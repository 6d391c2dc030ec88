"""Blosc2, b2nd and Caterva arrays: any slice of a file or URL, as a NumPy array.

>>> import b2nd
>>> array = b2nd.open("measurements.b2nd")    # doctest: +SKIP
>>> array[-1, :, 5:8]                         # doctest: +SKIP
"""

from ._array import Array, Extension, open
from ._native import B2ndError, ChangedError, FormatError, LimitError, UnsupportedError
from ._references import refs

__all__ = [
    "Array",
    "B2ndError",
    "ChangedError",
    "Extension",
    "FormatError",
    "LimitError",
    "UnsupportedError",
    "open",
    "refs",
]
