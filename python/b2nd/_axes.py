"""Names and coordinates of axes from attributes: plain lists, those of xarray, and OME-NGFF."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NAMES = ("dims", "dimensions", "dimension_names", "_ARRAY_DIMENSIONS", "axes")
STEPS = ("voxel", "voxel_size", "spacing", "scale", "resolution", "pixel_size")
ORIGINS = ("origin", "translation", "offset")
UNITS = ("units", "axis_units", "unit")
COORDINATES = ("coords", "coordinates")


class Axis(NamedTuple):
    """An axis: its name, the values along it if there are any, and their unit."""

    name: str
    values: np.ndarray[Any, Any] | None
    unit: str | None


def axes(attrs: dict[str, Any], shape: tuple[int, ...]) -> list[Axis]:
    """The axes of an array. Those without a name are ``dim_0`` and so on, as in xarray."""
    ngff = _ngff(attrs)
    count = len(shape)
    names = _last(attrs, NAMES, str, count) or _padded(ngff.get("names"), str, count)
    steps = _last(attrs, STEPS, (int, float), count) or _padded(ngff.get("scale"), (int, float), count)
    origins = _last(attrs, ORIGINS, (int, float), count) or _padded(ngff.get("translation"), (int, float), count)
    units = _last(attrs, UNITS, str, count) or _padded(ngff.get("units"), str, count)
    coords = next((attrs[key] for key in COORDINATES if isinstance(attrs.get(key), dict)), {})
    if len({name for name in names if name}) < sum(name is not None for name in names):
        names = [None] * count
    return [_axis(names[n] or f"dim_{n}", shape[n], coords, steps[n], origins[n], units[n]) for n in range(count)]


def _axis(name: str, length: int, coords: dict[str, Any], step: Any, origin: Any, unit: str | None) -> Axis:
    own = coords.get(name)
    values = own.get("data", own.get("values")) if isinstance(own, dict) else own
    if isinstance(values, (list, np.ndarray)) and np.shape(values) == (length,):
        described = own if isinstance(own, dict) else {}
        inner = described.get("attrs")
        found = (inner if isinstance(inner, dict) else {}).get("units", described.get("units"))
        return Axis(name, np.asarray(values), found if isinstance(found, str) else unit)
    if step or origin is not None:
        return Axis(name, (origin or 0) + (step or 1) * np.arange(length), unit)
    return Axis(name, None, unit)


def _padded(found: Any, kind: Any, count: int) -> list[Any]:
    """A list for the axes. A shorter list applies to the last axes."""
    if not isinstance(found, list) or not 0 < len(found) <= count:
        return [None] * count
    kept = [item if isinstance(item, kind) and not isinstance(item, bool) else None for item in found]
    return [None] * (count - len(kept)) + kept


def _last(attrs: dict[str, Any], keys: tuple[str, ...], kind: Any, count: int) -> list[Any] | None:
    """The first attribute of these names that is a list of such values for the axes."""
    for key in keys:
        found = attrs.get(key)
        if isinstance(found, list) and 0 < len(found) <= count and None not in _padded(found, kind, len(found)):
            return _padded(found, kind, count)
    return None


def _ngff(attrs: dict[str, Any]) -> dict[str, Any]:
    """The axes and the scale of the first array of an OME-NGFF image."""
    try:
        image = (attrs["ome"] if "ome" in attrs else attrs)["multiscales"][0]
        described = [axis if isinstance(axis, dict) else {"name": axis} for axis in image["axes"]]
        steps = image["datasets"][0].get("coordinateTransformations", [])
        found = {step["type"]: step.get(step["type"]) for step in reversed(steps)}
    except (KeyError, IndexError, TypeError, AttributeError):
        return {}
    texts = {key: [axis.get(name) for axis in described] for key, name in (("names", "name"), ("units", "unit"))}
    return {**found, **texts}
