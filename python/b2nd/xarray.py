"""The backend of xarray: ``xarray.open_dataset("file.b2nd", engine="b2nd")``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, ClassVar

import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from ._array import Array, open
from ._axes import axes


class _Lazy(BackendArray):
    """Reads the parts that xarray asks for."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.dtype = array.dtype
        self.shape = array.shape

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        basic = indexing.IndexingSupport.BASIC
        return indexing.explicit_indexing_adapter(key, self.shape, basic, self.array.__getitem__)


class Backend(BackendEntrypoint):
    """Opens an array as a dataset of one variable, whose name is that of the file without its extension.

    Axes take names, coordinates and units from the attributes: ``dims`` (or ``dimension_names``, ``_ARRAY_DIMENSIONS``, ``axes``),
    ``coords``, ``spacing`` and ``origin``, ``units``, and OME-NGFF's ``multiscales``. Dates in coordinates, such as ``days since
    2000-01-01``, are decoded.
    """

    description = "Open arrays of Blosc2 (.b2nd)"
    open_dataset_parameters: ClassVar[tuple[str, ...]] = (
        "filename_or_obj",
        "drop_variables",
        "decode_times",
        "storage_options",
    )

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        drop_variables: str | Iterable[str] | None = None,
        decode_times: bool = True,
        storage_options: dict[str, Any] | None = None,
    ) -> xarray.Dataset:
        path = os.fspath(filename_or_obj)
        array = open(path, **(storage_options or {}))
        if array.dtype.subdtype is not None:
            raise ValueError(f"{path}: xarray has no dtype like {array.dtype}")
        found = axes(array.attrs, array.shape)
        dims = [axis.name for axis in found]
        chunks = {"preferred_chunks": dict(zip(dims, array.chunks))}
        data = indexing.LazilyIndexedArray(_Lazy(array))
        stem = os.path.basename(path.rstrip("/")).removesuffix(".b2nd") or "array"
        # A variable with the name of an axis would be its coordinate.
        variables = {"array" if stem in dims else stem: xarray.Variable(dims, data, array.attrs, chunks)}
        for axis in found:
            if axis.values is not None:
                units = {"units": axis.unit} if axis.unit else None
                variables[axis.name] = xarray.Variable((axis.name,), axis.values, units)
        dataset = xarray.decode_cf(
            xarray.Dataset(variables),
            concat_characters=False,
            mask_and_scale=False,
            decode_times=decode_times,
            decode_coords=False,
        )
        drop = [drop_variables] if isinstance(drop_variables, str) else drop_variables or []
        return dataset.drop_vars(drop, errors="ignore")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return isinstance(filename_or_obj, (str, os.PathLike)) and os.fspath(filename_or_obj).endswith(".b2nd")
