"""Deprecation, subresources and printer columns of a version (FK-251, FK-278, FK-420)."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.json_types import Json
from ..base.work_budget import spend
from ..schema import fields
from ..schema.fields import FieldError

WARNING_LIMIT = 256
CANNOT_WARN = "can only be set for deprecated versions"
NOT_A_PATH = "must be a simple json path starting with ."
COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def deprecation_errors(version: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of a deprecation warning."""
    text = version.get("deprecationWarning")
    if text is None:
        return
    # A pointer is printed as JSON, other texts as Go quotes them. The text for a version that is not
    # deprecated is not judged: it is never sent.
    why = [CANNOT_WARN] if not version.get("deprecated") else _warning_problems(text)
    for problem in why:
        yield FieldError(
            "FieldValueInvalid",
            f"{path}.deprecationWarning",
            f"Invalid value: {fields.go_json(text)}: {problem}",
        )


def _warning_problems(text: str) -> Iterator[str]:
    if not text:
        yield "must not be an empty string"
    # Bytes, since Go's len of a string counts these, though the message says characters.
    if len(text.encode()) > WARNING_LIMIT:
        yield f"must be <= {WARNING_LIMIT} characters long"
    bad = next((i for i, char in enumerate(text) if not char.isprintable()), None)
    if bad is not None:
        # The index counts bytes as well.
        at = len(text[:bad].encode())
        yield f"must only contain printable UTF-8 characters; non-printable character found at index {at}"


def subresource_errors(subresources: Json, path: str) -> Iterator[FieldError]:
    """Return the errors of the scale subresource."""
    scale = subresources.get("scale")
    if scale is None:
        return
    for field, below, needed in (
        ("specReplicasPath", ".spec.", True),
        ("statusReplicasPath", ".status.", True),
        ("labelSelectorPath", "", False),
    ):
        yield from _scale_path(scale.get(field) or "", f"{path}.scale.{field}", below, needed=needed)


def _scale_path(value: str, path: str, below: str, *, needed: bool) -> Iterator[FieldError]:
    if not value:
        if needed:
            yield fields.required(path)
        return
    # The three are alternatives: the first that is wrong is the only error.
    if not value.startswith("."):
        yield fields.invalid(path, value, NOT_A_PATH)
    elif below and not value.startswith(below):
        yield fields.invalid(path, value, f"should be a json path under {below.rstrip('.')}")
    elif not below and not value.startswith((".spec.", ".status.")):
        yield fields.invalid(path, value, "should be a json path under either .spec or .status")


def spend_paths(version: Json) -> None:
    """Take what reading the paths of printer columns costs
    from the budget of the request. Raises TooMuchWork.
    """
    for column in version.get("additionalPrinterColumns") or ():
        spend("characters of JSON paths", len(column.get("jsonPath") or ""))


def column_errors(columns: list[Json], path: str) -> Iterator[FieldError]:
    """Return the errors of printer columns."""
    for i, column in enumerate(columns):
        yield from _column(column, f"{path}.additionalPrinterColumns[{i}]")


def _column(column: Json, path: str) -> Iterator[FieldError]:
    if not column.get("name"):
        yield fields.required(f"{path}.name")
    kind, format_, where = column.get("type") or "", column.get("format") or "", column.get("jsonPath") or ""
    if not kind:
        yield fields.required(f"{path}.type", f"must be one of {','.join(COLUMN_TYPES)}")
    elif kind not in COLUMN_TYPES:
        # Column types are `invalid` and not `not supported`: the real message has the list in its text.
        yield fields.invalid(f"{path}.type", kind, f"must be one of {','.join(COLUMN_TYPES)}")
    if format_ and format_ not in COLUMN_FORMATS:
        yield fields.invalid(f"{path}.format", format_, f"must be one of {','.join(COLUMN_FORMATS)}")
    if not where:
        # The path of the error has the Go name of the field, not that of JSON.
        yield fields.required(f"{path}.JSONPath")
    elif not where.startswith("."):
        yield fields.invalid(f"{path}.JSONPath", where, NOT_A_PATH)
