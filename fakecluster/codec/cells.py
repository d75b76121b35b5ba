"""What columns of several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ..api.kind import Column
from ..base.json_types import Json
from . import ages

Cell = Callable[[Json, float], Json]
FEW = 3
NONE, UNSET = "<none>", "<unset>"


def column(name: str, cell: Callable[[Json], Json], type: str = "string", *, wide: bool = False) -> Column:  # noqa: A002
    """Return a column that does not tell time; a wide one is shown by `-o wide`."""
    return Column(name=name, type=type, priority=int(wide), cell=lambda obj, _: cell(obj))


def member(*path: str, default: Json = "") -> Callable[[Json], Json]:
    """Return what reads a nested member."""

    def read(obj: Json) -> Json:
        for name in path:
            obj = obj.get(name) if isinstance(obj, dict) else None
        return default if obj is None else obj

    return read


def aged(name: str, when: Callable[[Json], str | None]) -> Column:
    """Return a column that tells how long ago something was."""
    return Column(name=name, cell=lambda obj, now: ages.since(when(obj), now))


def unnamed(found: Column) -> Column:
    """Return a column that tables do not announce: the real server's rows of one kind are longer than its
    head.
    """
    return replace(found, name="")


def joined(values: Iterable[str]) -> str:
    """Return values as kubectl lists them."""
    return ",".join(values) or NONE


def few(values: Sequence[str], nothing: str) -> str:
    """Return the first values and how many there are beside them."""
    more = f" + {len(values) - FEW} more..." if len(values) > FEW else ""
    return ",".join(values[:FEW]) + more if values else nothing


def pairs(labels: Json) -> str:
    """Return labels as `key=value` pairs."""
    return joined(f"{key}={value}" for key, value in sorted((labels or {}).items()))


def selector(found: Json) -> str:
    """Return a label selector in the form that kubectl takes."""
    if not found:
        return NONE
    terms = [f"{key}={value}" for key, value in sorted((found.get("matchLabels") or {}).items())]
    return joined(terms + [_expression(one) for one in found.get("matchExpressions") or ()])


def _expression(one: Json) -> str:
    words = {"In": "in", "NotIn": "notin"}
    if one["operator"] in words:
        return f"{one['key']} {words[one['operator']]} ({','.join(sorted(one.get('values') or ()))})"
    return one["key"] if one["operator"] == "Exists" else f"!{one['key']}"


AGE = aged("Age", member("metadata", "creationTimestamp", default=None))


def containers(*path: str) -> tuple[Column, ...]:
    """Return the wide columns about the containers of a pod template."""
    read = member(*path, "spec", "containers", default=())
    return (
        column("Containers", lambda obj: ",".join(one["name"] for one in read(obj)), wide=True),
        column("Images", lambda obj: ",".join(one.get("image", "") for one in read(obj)), wide=True),
    )


def condition(obj: Json, type: str) -> Json:  # noqa: A002
    """Return a condition of an object, empty when it has none."""
    return next((one for one in member("status", "conditions", default=())(obj) if one["type"] == type), {})
