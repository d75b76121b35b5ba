"""The names in a subject file: the controller's, and that of the check for which it answers."""

from __future__ import annotations

import re
from pathlib import Path

from ..base.json_types import Json
from .fields import Problems, wrong

_LONGEST_NAME = 253
_OBJECT_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
"""A DNS subdomain, as the API server takes it for the name of an AdmissionCheck."""


def problems_of_controller(value: Json, folder: Path) -> Problems:
    """Return the problems of the field `controllerName`."""
    del folder
    return problems_of_controller_name(value, "controllerName")


def problems_of_controller_name(name: str, path: str) -> Problems:
    """Return what is wrong with a name that AdmissionChecks are to have (AC-011)."""
    if not name.isprintable() or any(map(str.isspace, name)) or len(name) > _LONGEST_NAME:
        yield wrong(
            path,
            name,
            f"a name of 1 to {_LONGEST_NAME} characters without blanks",
            "copy the spec.controllerName for which the controller answers, such as acme.io/budget",
        )


def problems_of_check(value: Json, folder: Path) -> Problems:
    """Return the problems of the field `checkName`."""
    del folder
    if not _OBJECT_NAME.fullmatch(value) or len(value) > _LONGEST_NAME:
        yield wrong(
            "checkName",
            value,
            f"a name of 1 to {_LONGEST_NAME} lower-case letters, digits, dashes and dots",
            "copy the metadata.name of the AdmissionCheck for which the controller answers",
        )
