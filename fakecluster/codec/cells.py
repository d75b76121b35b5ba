"""What columns of several kinds have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ..api.kind import Column
from ..base.json_types import Json
from . import ages

Cell = Callable[[Json, float], Json]
MAX_LISTED = 3
NONE, UNSET = "<none>", "<unset>"


def column(
    name: str,
    cell: Callable[[Json], Json],
    type: str = "string",  # noqa: A002 - the word of Table
    *,
    wide: bool = False,
) -> Column:
    """Return a column that does not tell time; a wide one is shown by `-o wide`."""
    return Column(name=name, type=type, priority=int(wide), cell=lambda obj, _: cell(obj))


def member(*path: str, default: Json = "") -> Callable[[Json], Json]:
    """Return what reads a nested member."""

    def read(obj: Json) -> Json:
        for name in path:
            obj = obj.get(name) if isinstance(obj, dict) else None
        return default if obj is None else obj

    return read


def age_column(name: str, when: Callable[[Json], str | None]) -> Column:
    """Return a column that tells how long ago something was."""
    return Column(name=name, cell=lambda obj, current_time: ages.since(when(obj), current_time))


def without_name(column_row: Column) -> Column:
    """Return a column that tables do not announce:
    the real server's rows of one kind are longer than its head.
    """
    # tables leave out heads without a name.
    return replace(column_row, name="")


def join_values(values: Iterable[str]) -> str:
    """Return values as kubectl lists them."""
    return ",".join(values) or NONE


def few(values: Sequence[str], nothing: str) -> str:
    """Return the first values and how many there are beside them."""
    rest_count = f" + {len(values) - MAX_LISTED} more..." if len(values) > MAX_LISTED else ""
    return ",".join(values[:MAX_LISTED]) + rest_count if values else nothing


def pairs(labels: Json) -> str:
    """Return labels as `key=value` pairs."""
    return join_values(f"{key}={value}" for key, value in sorted((labels or {}).items()))


def selector(label_selector: Json) -> str:
    """Return a label selector in the form that kubectl takes."""
    if not label_selector:
        return NONE
    terms = [f"{key}={value}" for key, value in sorted((label_selector.get("matchLabels") or {}).items())]
    return join_values(
        terms + [_expression(requirement) for requirement in label_selector.get("matchExpressions") or ()]
    )


def _expression(requirement: Json) -> str:
    words = {"In": "in", "NotIn": "notin"}
    if requirement["operator"] in words:
        return f"{requirement['key']} {words[requirement['operator']]} ({','.join(sorted(requirement.get('values') or ()))})"
    return requirement["key"] if requirement["operator"] == "Exists" else f"!{requirement['key']}"


# Ages depend on the time of the answer, so cells are computed for every table anew.
AGE = age_column("Age", member("metadata", "creationTimestamp", default=None))


def containers(*path: str) -> tuple[Column, ...]:
    """Return the wide columns about the containers of a pod template."""
    read = member(*path, "spec", "containers", default=())
    return (
        column("Containers", lambda obj: ",".join(container["name"] for container in read(obj)), wide=True),
        column(
            "Images", lambda obj: ",".join(container.get("image", "") for container in read(obj)), wide=True
        ),
    )


def condition(obj: Json, type: str) -> Json:  # noqa: A002
    """Return a condition of an object, empty when it has none."""
    return next(
        (
            condition
            for condition in member("status", "conditions", default=())(obj)
            if condition["type"] == type
        ),
        {},
    )
