"""What patching needs to know of a node's type, and what every object has in common (FK-202).

`NodeType` lists the attributes of the one type model that merging and ownership read. The envelope of an
object (apiVersion, kind, metadata) has the same type everywhere, whatever a kind's schema says about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Protocol

from msgspec import Struct, field

from ...base.json_types import Json

NO_DEFAULT: Any = object()


class NodeType(Protocol):
    """The type of one node of an object."""

    @property
    def raw(self) -> Mapping[str, Json]:
        """The OpenAPI form of the node."""

    @property
    def type(self) -> str:
        """`object`, `array`, a scalar's name, or empty when any is allowed."""

    @property
    def properties(self) -> Mapping[str, Any]:
        """Named children of an object, each a Typed."""

    @property
    def additional(self) -> Any:
        """The Typed of a map's values, or None."""

    @property
    def items(self) -> Any:
        """The Typed of a list's items, or None."""

    @property
    def preserve_unknown(self) -> bool:
        """Unknown fields are kept."""

    @property
    def is_embedded(self) -> bool:
        """The node is a whole object."""

    @property
    def int_or_string(self) -> bool:
        """The value may be an integer or a string."""

    @property
    def list_type(self) -> str:
        """`atomic`, `set` or `map`."""

    @property
    def list_keys(self) -> tuple[str, ...]:
        """What identifies an item of a `map` list."""

    @property
    def map_type(self) -> str:
        """`granular` or `atomic`."""

    @property
    def merge_key(self) -> str:
        """What identifies an item in a strategic merge patch."""

    @property
    def merge_strategies(self) -> tuple[str, ...]:
        """How a strategic merge patch treats the node."""


class FixedType(Struct, frozen=True, dict=True):
    """A type written down here: the envelope of objects, and the type of what no schema describes."""

    type: str = ""
    properties: Mapping[str, NodeType] = field(default_factory=lambda: MappingProxyType({}))
    additional: NodeType | None = None
    items: NodeType | None = None
    preserve_unknown: bool = False
    is_embedded: bool = False
    int_or_string: bool = False
    list_type: str = "atomic"
    list_keys: tuple[str, ...] = ()
    map_type: str = "granular"
    merge_key: str = ""
    merge_strategies: tuple[str, ...] = ()
    raw: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))


ANY_TYPE = FixedType(preserve_unknown=True)
"""What no schema describes: maps are granular, lists atomic (FK-202)."""

_STRING = FixedType("string")
_INTEGER = FixedType("integer")
_TIME = FixedType(raw=MappingProxyType({"oneOf": ()}))
# An owner without a uid is identified by the empty one.
_IDENTITY = FixedType("string", raw=MappingProxyType({"default": ""}))
_STRINGS = FixedType("object", additional=_STRING)
_OWNER = FixedType(
    "object",
    properties={"uid": _IDENTITY}
    | dict.fromkeys(("apiVersion", "kind", "name"), _STRING)
    | {name: FixedType("boolean") for name in ("controller", "blockOwnerDeletion")},
    map_type="atomic",
)
OBJECT_META = FixedType(
    "object",
    properties=dict.fromkeys(
        ("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"), _STRING
    )
    | {
        "creationTimestamp": _TIME,
        "deletionTimestamp": _TIME,
        "generation": _INTEGER,
        "deletionGracePeriodSeconds": _INTEGER,
        "labels": _STRINGS,
        "annotations": _STRINGS,
        "finalizers": FixedType("array", items=_STRING, list_type="set", merge_strategies=("merge",)),
        "ownerReferences": FixedType(
            "array",
            items=_OWNER,
            list_type="map",
            list_keys=("uid",),
            merge_key="uid",
            merge_strategies=("merge",),
        ),
        "managedFields": FixedType("array", items=ANY_TYPE),
    },
)
OBJECT_FIELDS: Mapping[str, NodeType] = {"apiVersion": _STRING, "kind": _STRING, "metadata": OBJECT_META}


class NodeForm(Enum):
    """How a node is merged and owned: as one leaf, by its members, by its values, or by its items' keys."""

    LEAF = "leaf"
    MAP = "map"
    SET = "set"
    KEYED = "keyed"


_LISTS = {"set": NodeForm.SET, "map": NodeForm.KEYED}


def whole(typed: NodeType) -> NodeType:
    """Return the type of a whole object, envelope included, from the schema of its kind."""
    return FixedType(
        "object",
        properties={**typed.properties, **OBJECT_FIELDS},
        additional=typed.additional,
        preserve_unknown=typed.preserve_unknown,
    )


def member(typed: NodeType, name: str) -> NodeType | None:
    """Return the type of an object's member, None when the schema does not know it."""
    if typed.is_embedded and name in OBJECT_FIELDS:
        return OBJECT_FIELDS[name]
    declared: NodeType | None = typed.properties.get(name) or typed.additional
    return ANY_TYPE if declared is None and typed.preserve_unknown else declared


def declares(typed: NodeType, name: str) -> bool:
    """Tell whether a type names the member, rather than allowing it as one of many."""
    return name in typed.properties or (typed.is_embedded and name in OBJECT_FIELDS)


def form(typed: NodeType, value: Json) -> NodeForm:
    """Return how a node with this type and value is merged;
    the value decides where the type allows anything.
    """
    kind = typed.type
    if kind == "object" or (not kind and not typed.int_or_string):
        # A null object is merged as an empty one, a null of free type as a leaf.
        granular = isinstance(value, dict) or (kind == "object" and value is None)
        return NodeForm.MAP if granular and typed.map_type != "atomic" else NodeForm.LEAF
    if kind == "array" and (value is None or isinstance(value, list)):
        return _LISTS.get(typed.list_type, NodeForm.LEAF)
    return NodeForm.LEAF
