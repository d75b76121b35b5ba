"""Go types of the responses in admission and conversion reviews: a member of another JSON type is a decoding
error (FK-307, FK-332).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ..base.json_types import Json

JSON_TYPE_NAMES: Mapping[type, str] = {
    str: "string",
    bool: "bool",
    int: "number",
    float: "number",
    list: "array",
    dict: "object",
}
INT32, INT64 = 2**31, 2**63


class GoType(Struct, frozen=True):
    """A Go type: its name in messages, the JSON type that decodes into it, and the types of its members."""

    name: str
    json: type
    fields: Mapping[str, GoType] | None = None
    """The members of a struct; unknown ones are ignored."""
    element: GoType | None = None
    """The type of the items of a list or the values of a map."""
    limit: int = 0
    """An integer is in [-limit, limit); 0 for no limit."""

    def fits(self, value: Json) -> bool:
        """Whether a value decodes into this type, its members aside."""
        # Not isinstance: true would pass for an integer.
        if type(value) is not self.json:
            return False
        return not (self.limit and isinstance(value, int)) or -self.limit <= value < self.limit


STRING, BOOL, UID = GoType("string", str), GoType("bool", bool), GoType("types.UID", str)
NUMBER32, NUMBER64 = GoType("int32", int, limit=INT32), GoType("int64", int, limit=INT64)
CAUSE = GoType(
    "v1.StatusCause", dict, {"reason": GoType("v1.CauseType", str), "message": STRING, "field": STRING}
)
DETAILS = GoType(
    "v1.StatusDetails",
    dict,
    {
        "name": STRING,
        "group": STRING,
        "kind": STRING,
        "uid": UID,
        "causes": GoType("[]v1.StatusCause", list, element=CAUSE),
        "retryAfterSeconds": NUMBER32,
    },
)
LIST_META = GoType(
    "v1.ListMeta",
    dict,
    {
        "selfLink": STRING,
        "resourceVersion": STRING,
        "continue": STRING,
        "remainingItemCount": NUMBER64,
    },
)
STATUS = GoType(
    "v1.Status",
    dict,
    {
        "kind": STRING,
        "apiVersion": STRING,
        "metadata": LIST_META,
        "status": STRING,
        "message": STRING,
        "reason": GoType("v1.StatusReason", str),
        "details": DETAILS,
        "code": NUMBER32,
    },
)
ADMISSION_FIELDS: Mapping[str, GoType] = {
    "uid": UID,
    "allowed": BOOL,
    "status": STATUS,
    "patch": GoType("[]uint8", str),
    "patchType": GoType("v1.PatchType", str),
    "auditAnnotations": GoType("map[string]string", dict, element=STRING),
    "warnings": GoType("[]string", list, element=STRING),
}
CONVERSION = GoType(
    "v1.ConversionResponse",
    dict,
    {
        "uid": UID,
        "convertedObjects": GoType("[]runtime.RawExtension", list),
        "result": STATUS,
    },
)


def admission(version: str) -> GoType:
    """Return the type of an admission response in a version of the review, such as `v1`."""
    return GoType(f"{version}.AdmissionResponse", dict, ADMISSION_FIELDS)


def problem(review: str, response: Json, go_type: GoType) -> str:
    """Return the error of Go's decoder for the response in a review, empty when it decodes."""
    return _problem(response, go_type, f"{review}.response", "response")


def _problem(value: Json, go_type: GoType, go_field: str, path: str) -> str:
    """Return the first error; `place` is struct and path as
    Go prints them, `path` is the path from the review.
    """
    # null leaves any Go value as it is, without an error.
    if value is None:
        return ""
    if not go_type.fits(value):
        return f"json: cannot unmarshal {_json_type_text(value, go_type)} into Go struct field {go_field} of type {go_type.name}"
    error = ""
    if go_type.fields is not None:
        struct = go_type.name.rpartition(".")[2]
        members = ((name, go_type.fields[name]) for name in value if name in go_type.fields)
        below = (
            _problem(value[name], member_type, f"{struct}.{path}.{name}", f"{path}.{name}")
            for name, member_type in members
        )
        error = next(filter(None, below), "")
    elif go_type.element is not None:
        items = value.values() if isinstance(value, dict) else value
        # Items are named by the field of their list: Go's errors have no indexes.
        error = next(filter(None, (_problem(item, go_type.element, go_field, path) for item in items)), "")
    return error


def _json_type_text(value: Json, go_type: GoType) -> str:
    """Return the JSON type as Go prints it, with the digits of a number that does not fit an integer type."""
    return (
        f"number {value}"
        if go_type.limit and JSON_TYPE_NAMES[type(value)] == "number"
        else JSON_TYPE_NAMES[type(value)]
    )
