"""What expressions that make patches may say beside others: `JSONPatch{…}`, `Object.…{…}`, and how keys
become paths (FK-320).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..library.functions import Overload
from ..model.shapes import DYN, Shape

TEXT = Shape("string", DYN.most)
JSON_PATCH = "JSONPatch"
OBJECT = "Object"
MEMBERS: Mapping[str, Shape] = MappingProxyType({"op": TEXT, "path": TEXT, "from": TEXT, "value": DYN})
UNKNOWN_TYPE = Shape("")
FUNCTIONS: Mapping[str, tuple[Overload, ...]] = MappingProxyType(
    {"jsonpatch.escapeKey": (("(string) -> string", lambda key: key.replace("~", "~0").replace("/", "~1")),)}
)


def is_known(name: str) -> bool:
    """Tell whether a type of this name can be written."""
    return name in {JSON_PATCH, OBJECT} or name.startswith(f"{OBJECT}.")


def member(name: str, field: str) -> Shape:
    """Return the type of a field; an object has any."""
    return MEMBERS.get(field, UNKNOWN_TYPE) if name == JSON_PATCH else DYN
