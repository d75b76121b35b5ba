"""A part of a body by its path, such as `status.conditions.type=Ready.message`."""

from __future__ import annotations

from ..base.json_types import Json


def pick(value: Json, where: str) -> Json:
    """Return the part of a body at `a.b.0.name=x`, where `~` stands for a dot in a key or value, and for a
    step in `metadata~name=x`; None when there is none.

    `*` stands for every item of a list. Of a text it is the lines that contain `where`.
    """
    if isinstance(value, str):
        return [line for line in value.splitlines() if where in line]
    if ".*" in where:
        list_path, _, rest = where.partition(".*")
        return [pick(item, rest[1:]) if rest else item for item in pick(value, list_path) or ()]
    for step in where.split("."):
        key, equals, text = step.partition("=")
        if isinstance(value, list) and equals:
            value = next(
                (item for item in value if pick(item, key.replace("~", ".")) == text.replace("~", ".")), None
            )
        elif isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = value.get(step.replace("~", ".")) if isinstance(value, dict) else None
    return value
