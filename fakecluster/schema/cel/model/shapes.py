"""What a rule may know of a value from its schema: its type, its members, how big it can get (FK-276).

Without limits in the schema a value can be as big as a request. Sizes are the real server's estimates:
characters of a string, items of a list, members of a map.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct, field

from ....base.json_types import Json
from .values import escape

MAX_CHARACTER_BYTES = 4
"""Bytes that a character may take."""
REQUEST = 3 * 1024 * 1024
UNLIMITED = 2**64 - 1
OPAQUE_TITLES = {
    "quantity": "kubernetes.Quantity",
    "semver": "kubernetes.Semver",
    "url": "kubernetes.URL",
    "ip": "net.IP",
    "cidr": "net.CIDR",
    "format": "kubernetes.NamedFormat",
    "authorizer": "kubernetes.authorization.Authorizer",
    "groupcheck": "kubernetes.authorization.GroupCheck",
    "resourcecheck": "kubernetes.authorization.ResourceCheck",
    "pathcheck": "kubernetes.authorization.PathCheck",
    "decision": "kubernetes.authorization.Decision",
}
TYPE_OF_FORMAT = {"byte": "bytes", "duration": "duration", "date": "timestamp", "date-time": "timestamp"}
FORMAT_MOST = {"duration": 32, "date": 12, "date-time": 32}
SCALAR_LEAST = {"boolean": ("bool", 4), "integer": ("int", 1), "number": ("double", 1)}
OBJECT_META = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}},
}
TYPE_META = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": OBJECT_META}


class Shape(Struct, frozen=True, dict=True):
    """A type with its limits. `known` is False for what only the run will tell (`dyn`)."""

    kind: str
    most: int = 0
    least_bytes: int = 1
    raw: Mapping[str, Json] = field(default_factory=dict)
    inner: Shape | None = None

    @cached_property
    def members(self) -> Mapping[str, Shape]:
        """The fields of an object by the names rules use."""
        shown = str if "x-go-type" in self.raw else escape
        shapes = {shown(name): shape_of(child) for name, child in (self.raw.get("properties") or {}).items()}
        return {name: shape for name, shape in shapes.items() if shape is not None}

    @cached_property
    def item(self) -> Shape:
        """What a list or the values of a map hold."""
        if self.inner is not None:
            return self.inner
        child = self.raw.get("items") if self.kind == "list" else self.raw.get("additionalProperties")
        return (shape_of(child) if isinstance(child, dict) else None) or DYN

    @cached_property
    def title(self) -> str:
        """The type as compiler messages name it."""
        if self.kind in OPAQUE_TITLES:
            return OPAQUE_TITLES[self.kind]
        if self.kind == "list":
            return f"list({self.item.title})"
        if self.kind == "map":
            return f"map(string, {self.item.title})"
        return str(self.raw.get("x-go-type") or self.kind)


DYN = Shape("dyn", REQUEST - 2)
EMPTY_LIST = Shape("list", inner=DYN)
"""The type of `[]`: a list of whatever it meets."""


def join(shape: Shape, other: Shape) -> Shape:
    """Return the type of what may be the one or the other."""
    if shape is EMPTY_LIST or other is EMPTY_LIST:
        return other if shape is EMPTY_LIST else shape
    if shape.kind != other.kind:
        return DYN
    return Shape("list", inner=DYN) if shape.kind == "list" and shape.item.kind != other.item.kind else shape


def shape_of(raw: Mapping[str, Json], *, root: bool = False) -> Shape | None:
    """Return the shape of a schema node, None when rules cannot see it."""
    if raw.get("x-kubernetes-int-or-string"):
        return DYN
    if own := raw.get("x-cel-type"):
        return Shape(own, DYN.most, raw=raw)
    kind = raw.get("type")
    if kind == "array":
        return _list(raw)
    if kind == "object":
        return _map(raw) if isinstance(raw.get("additionalProperties"), dict) else _object(raw, root=root)
    if kind == "string":
        return _string(raw)
    if kind in SCALAR_LEAST:
        name, least = SCALAR_LEAST[str(kind)]
        return Shape(name, 0, least)
    return None


def _list(raw: Mapping[str, Json]) -> Shape | None:
    items = raw.get("items")
    inner = shape_of(items) if isinstance(items, dict) else None
    if inner is None:
        return None
    most = raw.get("maxItems")
    return Shape("list", (REQUEST - 2) // (inner.least_bytes + 1) if most is None else most, 2, raw)


def _map(raw: Mapping[str, Json]) -> Shape | None:
    inner = shape_of(raw["additionalProperties"])
    if inner is None:
        return None
    most = raw.get("maxProperties")
    return Shape("map", (REQUEST - 2) // (inner.least_bytes + 6) if most is None else most, 2, raw)


def _object(raw: Mapping[str, Json], *, root: bool) -> Shape:
    properties = raw.get("properties") or {}
    if root or raw.get("x-kubernetes-embedded-resource"):
        raw = {**raw, "properties": {**properties, **TYPE_META}}
    least = 2
    for name in raw.get("required") or ():
        child = properties.get(name)
        shape = shape_of(child) if child is not None and child.get("default") is None else None
        if shape is not None:
            least += len(name) + shape.least_bytes + 4
    return Shape("object", 0, least, raw)


def _string(raw: Mapping[str, Json]) -> Shape:
    name = str(raw.get("format") or "")
    most = FORMAT_MOST.get(name, REQUEST - 2)
    if raw.get("maxLength") is not None and name not in FORMAT_MOST:
        most = raw["maxLength"] * (1 if name in TYPE_OF_FORMAT else MAX_CHARACTER_BYTES)
    elif raw.get("enum") and name not in TYPE_OF_FORMAT:
        most = max(len(value) if isinstance(value, str) else 0 for value in raw["enum"])
    return Shape(TYPE_OF_FORMAT.get(name, "string"), most, 2)
