"""The answer of a webhook as Go's JSON decoder reads it: the first member that is not of its type fails all of it (FK-307, FK-332)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

Json = Any
NAMES: Mapping[type, str] = {
    str: "string", bool: "bool", int: "number", float: "number", list: "array", dict: "object",
}  # fmt: skip
INT32, INT64 = 2**31, 2**63


class Type(Struct, frozen=True):
    """A type of Go: its name in messages, the JSON that fits it, and what it is made of."""

    name: str
    json: type
    fields: Mapping[str, Type] | None = None
    """The members of a struct; others are ignored."""
    each: Type | None = None
    """What a list or a map holds."""
    limit: int = 0
    """A number is less than this, and not less than its negative."""

    def fits(self, value: Json) -> bool:
        """Whether a value is of this type, without a look at what it holds."""
        if type(value) is not self.json:
            return False
        return not (self.limit and isinstance(value, int)) or -self.limit <= value < self.limit


STRING, BOOL, UID = Type("string", str), Type("bool", bool), Type("types.UID", str)
NUMBER32, NUMBER64 = Type("int32", int, limit=INT32), Type("int64", int, limit=INT64)
CAUSE = Type(
    "v1.StatusCause", dict, {"reason": Type("v1.CauseType", str), "message": STRING, "field": STRING}
)
DETAILS = Type("v1.StatusDetails", dict, {
    "name": STRING, "group": STRING, "kind": STRING, "uid": UID, "causes": Type("[]v1.StatusCause", list, each=CAUSE),
    "retryAfterSeconds": NUMBER32,
})  # fmt: skip
LIST_META = Type("v1.ListMeta", dict, {
    "selfLink": STRING, "resourceVersion": STRING, "continue": STRING, "remainingItemCount": NUMBER64,
})  # fmt: skip
STATUS = Type("v1.Status", dict, {
    "kind": STRING, "apiVersion": STRING, "metadata": LIST_META, "status": STRING, "message": STRING,
    "reason": Type("v1.StatusReason", str), "details": DETAILS, "code": NUMBER32,
})  # fmt: skip
ADMISSION_FIELDS: Mapping[str, Type] = {
    "uid": UID, "allowed": BOOL, "status": STATUS, "patch": Type("[]uint8", str), "patchType": Type("v1.PatchType", str),
    "auditAnnotations": Type("map[string]string", dict, each=STRING), "warnings": Type("[]string", list, each=STRING),
}  # fmt: skip
CONVERSION = Type("v1.ConversionResponse", dict, {
    "uid": UID, "convertedObjects": Type("[]runtime.RawExtension", list), "result": STATUS,
})  # fmt: skip


def admission(version: str) -> Type:
    """Return the type of an admission response in a version of the review."""
    return Type(f"{version}.AdmissionResponse", dict, ADMISSION_FIELDS)


def problem(review: str, response: Json, wanted: Type) -> str:
    """Return why the response in a review is not of its type, empty when it is."""
    return _problem(response, wanted, f"{review}.response", "response")


def _problem(value: Json, wanted: Type, place: str, path: str) -> str:
    """Judge a value; `place` is its struct and path in the words of Go, `path` leads to it from the review."""
    if value is None:
        return ""
    if not wanted.fits(value):
        return f"json: cannot unmarshal {_told(value, wanted)} into Go struct field {place} of type {wanted.name}"
    found = ""
    if wanted.fields is not None:
        struct = wanted.name.rpartition(".")[2]
        members = ((name, wanted.fields[name]) for name in value if name in wanted.fields)
        below = (
            _problem(value[name], one, f"{struct}.{path}.{name}", f"{path}.{name}") for name, one in members
        )
        found = next(filter(None, below), "")
    elif wanted.each is not None:
        items = value.values() if isinstance(value, dict) else value
        found = next(filter(None, (_problem(one, wanted.each, place, path) for one in items)), "")
    return found


def _told(value: Json, wanted: Type) -> str:
    """Name a value as Go does, with its digits where a number is not one of those that are wanted."""
    return f"number {value}" if wanted.limit and NAMES[type(value)] == "number" else NAMES[type(value)]
