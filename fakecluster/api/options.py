"""Query options of a request, read and judged (FK-028, FK-076…FK-078, FK-174, FK-175)."""

from __future__ import annotations

from typing import Literal, cast

from msgspec import Struct

from ..base.numbers import integers
from ..schema import fields
from ..schema.fields import FieldError
from . import status
from .outcome import Request
from .routes import flag

OptionsKind = Literal["CreateOptions", "UpdateOptions", "PatchOptions"]
FieldValidation = Literal["Ignore", "Warn", "Strict"]
VALIDATIONS = ["", "Ignore", "Strict", "Warn"]
MANAGER_LIMIT = 128


class WriteOptions(Struct, frozen=True, kw_only=True):
    """What a write may be asked beside its body; `manager` is the field manager that the request acts for."""

    manager: str
    dry_run: bool = False
    validation: FieldValidation = "Warn"
    force: bool = False


NO_OPTIONS = WriteOptions(manager="")
"""Those of a request that writes nothing."""


def of_write(request: Request, kind: OptionsKind, *, apply: bool = False) -> WriteOptions:
    """Return the options of POST, PUT or PATCH. Raises 422 with everything that is wrong with them."""
    dry_run = [value for key, value in request.query if key == "dryRun"]
    validation = request.option("fieldValidation") or ""
    manager = request.option("fieldManager") or ""
    errors = [*_patch_errors(request, manager, apply=apply)] if kind == "PatchOptions" else []
    errors += [*manager_errors(manager), *dry_run_errors(dry_run), *_validation_errors(validation)]
    if errors:
        raise status.invalid_options(kind, errors)
    return WriteOptions(
        manager=manager or user_agent_manager(request),
        dry_run=bool(dry_run),
        validation=cast("FieldValidation", validation or "Warn"),
        force=flag(request.option("force")),
    )


def as_object(request: Request, kind: OptionsKind) -> dict[str, object]:
    """Return the options of a write as webhooks see them;
    a patch is an update or a creation to them (FK-305).
    """
    members = {name: request.option(name) for name in ("fieldManager", "fieldValidation")}
    dry_run = [value for key, value in request.query if key == "dryRun"]
    non_empty = {name: value for name, value in {"dryRun": dry_run, **members}.items() if value}
    return {"kind": kind, "apiVersion": "meta.k8s.io/v1", **non_empty}


def user_agent_manager(request: Request) -> str:
    """Return the field manager of a request that names none (FK-201)."""
    agent = request.headers.get("user-agent", "").split("/")[0]
    return "".join(char for char in agent if char.isprintable())[:MANAGER_LIMIT] or "unknown"


def dry_run_errors(values: list[str]) -> list[FieldError]:
    """Judge `dryRun` (FK-077)."""
    return (
        [] if all(value == "All" for value in values) else [fields.not_supported("dryRun", values, ["All"])]
    )


def manager_errors(manager: str, path: str = "fieldManager") -> list[FieldError]:
    """Judge the name of a field manager (FK-076)."""
    errors = [fields.too_long(path, MANAGER_LIMIT)] if len(manager.encode()) > MANAGER_LIMIT else []
    if manager.isprintable():
        return errors
    for position, char in enumerate(manager):
        if not char.isprintable():
            detail = f"invalid character U+{ord(char):04X} (at position {position})"
            errors.append(fields.invalid(path, manager, detail))
            break
    return errors


def integer(request: Request, name: str) -> int | None:
    """Read a whole number. Raises 400 when it is none (FK-028)."""
    text = request.option(name)
    if text is None:
        return None
    try:
        return integers.parse_int(text)
    except integers.NumberError as error:
        raise status.bad_request(str(error)) from error


def _patch_errors(request: Request, manager: str, *, apply: bool) -> list[FieldError]:
    if apply:
        return [] if manager else [fields.required("fieldManager", "is required for apply patch")]
    return (
        [fields.forbidden("force", "may not be specified for non-apply patch")]
        if request.option("force") is not None
        else []
    )


def _validation_errors(value: str) -> list[FieldError]:
    return [] if value in VALIDATIONS else [fields.not_supported("fieldValidation", value, VALIDATIONS)]
