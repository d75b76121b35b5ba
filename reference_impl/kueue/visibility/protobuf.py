"""Status and discovery documents in the protobuf of Kubernetes;
nothing is ever read in it (VIS-222, VIS-307).

A message is a table of fields. Go's generated code writes every scalar that is no pointer, empty or not, and
a list element by element; such a field is written here too when the document does not have it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

MAGIC: Final = b"k8s\x00"
_VARINT, _BYTES = 0, 2


@dataclass(frozen=True, slots=True)
class Field:
    """A field by number; `type` is `string`, `int`, `bool` or a message."""

    number: int
    name: str
    type: str = "string"
    repeated: bool = False
    optional: bool = False


def _strings(*names: str) -> tuple[Field, ...]:
    return tuple(Field(number, name) for number, name in enumerate(names, 1))


_GVK: Final = "GroupVersionKind"
MESSAGES: Final[Mapping[str, tuple[Field, ...]]] = {
    "ListMeta": _strings("selfLink", "resourceVersion", "continue"),
    "ObjectMeta": (
        *_strings("name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"),
        Field(7, "generation", "int"),
        Field(8, "creationTimestamp", "Time"),
    ),
    "Time": (),
    "Status": (
        Field(1, "metadata", "ListMeta"),
        Field(2, "status"),
        Field(3, "message"),
        Field(4, "reason"),
        Field(5, "details", "StatusDetails", optional=True),
        Field(6, "code", "int"),
    ),
    "StatusDetails": (
        *_strings("name", "group", "kind"),
        Field(5, "retryAfterSeconds", "int"),
        Field(6, "uid"),
    ),
    "APIGroupList": (Field(1, "groups", "APIGroup", repeated=True),),
    "APIGroup": (
        Field(1, "name"),
        Field(2, "versions", "GroupVersionForDiscovery", repeated=True),
        Field(3, "preferredVersion", "GroupVersionForDiscovery"),
        Field(4, "serverAddressByClientCIDRs", "ServerAddressByClientCIDR", repeated=True),
    ),
    "GroupVersionForDiscovery": _strings("groupVersion", "version"),
    "ServerAddressByClientCIDR": _strings("clientCIDR", "serverAddress"),
    "APIResourceList": (Field(1, "groupVersion"), Field(2, "resources", "APIResource", repeated=True)),
    "APIResource": (
        Field(1, "name"),
        Field(2, "namespaced", "bool"),
        Field(3, "kind"),
        Field(4, "verbs", "Verbs", optional=True),
        Field(6, "singularName"),
        Field(8, "group"),
        Field(9, "version"),
        Field(10, "storageVersionHash"),
    ),
    "Verbs": (Field(1, "items", repeated=True),),
    "APIGroupDiscoveryList": (
        Field(1, "metadata", "ListMeta"),
        Field(2, "items", "APIGroupDiscovery", repeated=True),
    ),
    "APIGroupDiscovery": (
        Field(1, "metadata", "ObjectMeta"),
        Field(2, "versions", "APIVersionDiscovery", repeated=True),
    ),
    "APIVersionDiscovery": (
        Field(1, "version"),
        Field(2, "resources", "APIResourceDiscovery", repeated=True),
        Field(3, "freshness"),
    ),
    "APIResourceDiscovery": (
        Field(1, "resource"),
        Field(2, "responseKind", _GVK, optional=True),
        Field(3, "scope"),
        Field(4, "singularResource"),
        Field(5, "verbs", repeated=True),
        Field(8, "subresources", "APISubresourceDiscovery", repeated=True),
    ),
    "APISubresourceDiscovery": (
        Field(1, "subresource"),
        Field(2, "responseKind", _GVK, optional=True),
        Field(4, "verbs", repeated=True),
    ),
    _GVK: _strings("group", "version", "kind"),
}


def encode(document: Mapping[str, Any]) -> bytes:
    """Encode a document by its kind, in the envelope that
    names kind and version; the kind is one of MESSAGES.
    """
    kind = str(document["kind"])
    about = _length_delimited(1, str(document.get("apiVersion", "")).encode()) + _length_delimited(
        2, kind.encode()
    )
    # runtime.Unknown: Go writes contentEncoding and contentType although they are
    # empty.
    fields = (about, _message(MESSAGES[kind], document), b"", b"")
    return MAGIC + b"".join(_length_delimited(number, field) for number, field in enumerate(fields, 1))


def _message(fields: tuple[Field, ...], document: Mapping[str, Any]) -> bytes:
    return b"".join(
        _encode(field, value) for field in fields for value in _values(field, document.get(field.name))
    )


def _values(field: Field, value: Any) -> Iterator[Any]:
    if field.repeated:
        yield from value or ()
    # Go writes every scalar that is no pointer, empty or not.
    elif value is not None or not field.optional:
        yield value


def _encode(field: Field, value: Any) -> bytes:
    if field.type == "string":
        return _length_delimited(field.number, str(value or "").encode(errors="replace"))
    if field.type in {"int", "bool"}:
        return _varint(field.number << 3 | _VARINT) + _varint(int(value or 0))
    inside = {"items": value} if field.type == "Verbs" else value or {}
    return _length_delimited(field.number, _message(MESSAGES[field.type], inside))


def _length_delimited(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
