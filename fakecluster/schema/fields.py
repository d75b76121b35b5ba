"""One violated rule at one field, worded as Kubernetes words it (FK-036…039)."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from msgspec import Struct

from ..base.json_types import Json
from ..base.numbers import quoting
from ..base.numbers.floats import go_float
from ..base.work_budget import spend

go_quote = quoting.go_quote
_MISREAD = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


class FieldError(Struct, frozen=True):
    """A violation: `reason` is the cause's machine word,
    `field` the path (`<nil>` for the root), `body` the text.
    """

    reason: str
    field: str
    body: str

    def __post_init__(self) -> None:
        spend("characters of errors", len(self.field) + len(self.body))

    def __str__(self) -> str:
        return f"{self.field}: {self.body}"

    def cause(self) -> dict[str, str]:
        """Return the entry of `details.causes`."""
        return {"reason": self.reason, "message": self.body, "field": self.field}


def quote(value: Json) -> str:
    """Render a value inside a message: strings Go-quoted,
    numbers and booleans plain, other JSON, `null` for None.
    """
    if isinstance(value, str):
        return go_quote(value)
    return go_float(value) if isinstance(value, float) else go_json(value)


def go_json(value: Json) -> str:
    """Encode JSON as Go does, which escapes what HTML could misread; the order of members is the caller's."""
    return html_safe(orjson.dumps(value).decode())


def html_safe(text: str) -> str:
    """Escape in JSON what HTML or JavaScript could misread, as Go does."""
    return text.translate(_MISREAD)


def required(field: str, detail: str = "") -> FieldError:
    """A value is missing."""
    return FieldError("FieldValueRequired", field, _with("Required value", detail))


def invalid(field: str, value: Json, detail: str) -> FieldError:
    """A value is not allowed."""
    return FieldError("FieldValueInvalid", field, _with(f"Invalid value: {quote(value)}", detail))


def type_invalid(field: str, value: Json, detail: str) -> FieldError:
    """A value has the wrong type."""
    return FieldError("FieldValueTypeInvalid", field, _with(f"Invalid value: {quote(value)}", detail))


def not_supported(field: str, value: Json, supported: list[str]) -> FieldError:
    """A value is not one of an enumeration."""
    listed = ", ".join(go_quote(value) for value in supported)
    return FieldError(
        "FieldValueNotSupported", field, f"Unsupported value: {quote(value)}: supported values: {listed}"
    )


def duplicate(field: str, value: Json) -> FieldError:
    """A value occurs twice where it must be unique."""
    return FieldError("FieldValueDuplicate", field, f"Duplicate value: {quote(value)}")


def not_found(field: str, value: Json) -> FieldError:
    """A value refers to something that is not there."""
    return FieldError("FieldValueNotFound", field, f"Not found: {quote(value)}")


def forbidden(field: str, detail: str) -> FieldError:
    """A value may not be given here."""
    return FieldError("FieldValueForbidden", field, f"Forbidden: {detail}")


def internal_error(field: str, detail: str) -> FieldError:
    """A rule could not be applied."""
    return FieldError("InternalError", field, f"Internal error: {detail}")


def too_long(field: str, limit: int, unit: str = "byte") -> FieldError:
    """A text is longer than `limit` bytes (or characters)."""
    return FieldError(
        "FieldValueTooLong",
        field,
        f"Too long: may not be more than {limit} {unit}{'' if limit == 1 else 's'}",
    )


def too_many(field: str, actual: int, limit: int) -> FieldError:
    """A list is longer than `limit` items."""
    return FieldError(
        "FieldValueTooMany",
        field,
        f"Too many: {actual}: must have at most {limit} item{'' if limit == 1 else 's'}",
    )


def aggregate(errors: Iterable[FieldError]) -> str:
    """Return the texts of errors as one, each of them once."""
    texts = list(dict.fromkeys(map(str, errors)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def _with(text: str, detail: str) -> str:
    return f"{text}: {detail}" if detail else text
