"""What custom objects hold at the paths of their scale subresource (FK-278): whole numbers from 0 to what 32
bits hold, and a text.

This is judged beside the schema, which may know nothing of these paths. A number written with a fraction is
none here, even where nothing follows the point (FK-029).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ..api.kind import ScalePaths
from ..base.json_types import Json
from ..base.numbers.floats import go_float
from ..schema.fields import FieldError, invalid

Judge = Callable[[Json], list[FieldError]]
MAX_REPLICAS = 2**31 - 1
GO_MAP = "map[string]interface{}"
ABSENT = object()
GO_TYPES = {
    str: "string",
    bool: "bool",
    int: "int64",
    float: "float64",
    type(None): "<nil>",
    dict: "map[string]interface {}",
    list: "[]interface {}",
}


class _WrongType(Exception):
    """What stands at a path, or on the way to it, is of another type."""


def judges(paths: ScalePaths | None) -> tuple[Judge | None, Judge | None]:
    """Return what judges whole objects, and what judges an update of the status."""
    if paths is None:
        return None, None
    return partial(_all, paths), partial(_status, paths)


def _all(paths: ScalePaths, obj: Json) -> list[FieldError]:
    return [*_number(obj, paths.spec), *_status(paths, obj)]


def _status(paths: ScalePaths, obj: Json) -> list[FieldError]:
    return [*_number(obj, paths.status), *_text(obj, paths.selector)]


def _number(obj: Json, path: str) -> Iterator[FieldError]:
    try:
        number = _at(obj, path, int)
    except _WrongType as why:
        yield invalid(path, 0, str(why))
        return
    if number is ABSENT:
        return
    if number < 0:
        yield invalid(path, number, "should be a non-negative integer")
    if number > MAX_REPLICAS:
        yield invalid(path, number, f"should be less than or equal to {MAX_REPLICAS}")


def _text(obj: Json, path: str) -> Iterator[FieldError]:
    try:
        _at(obj, path, str)
    except _WrongType as why:
        yield invalid(path, "", str(why))


def _at(obj: Json, path: str, expected: type) -> Json:
    """Return what stands at a path, or ABSENT. Raises _WrongType."""
    if not path:
        return ABSENT
    for name in path.removeprefix(".").split("."):
        if obj is None:
            return ABSENT
        if type(obj) is not dict:
            raise _WrongType(_type_problem(path, obj, GO_MAP))
        obj = obj.get(name, ABSENT)
        if obj is ABSENT:
            return ABSENT
    if type(obj) is not expected:
        raise _WrongType(_type_problem(path, obj, GO_TYPES[expected]))
    return obj


def _type_problem(path: str, value: Json, expected: str) -> str:
    return (
        f"{path} accessor error: {_print(value)} is of the type {GO_TYPES[type(value)]}, expected {expected}"
    )


def _print(value: Json) -> str:
    """Print a value as Go's %v does."""
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{_print(child)}' for key, child in sorted(value.items()))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(_print, value))}]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return str(value).lower()
    return go_float(value) if isinstance(value, float) else str(value)
