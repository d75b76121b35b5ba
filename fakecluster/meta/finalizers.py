"""Finalizers: how they are named, which go together,
and what a deletion allows (FK-071, FK-108, FK-109, FK-114).
"""

from __future__ import annotations

from ..base.json_types import Json
from ..schema import fields
from ..schema.fields import FieldError
from .labels import key_problems

PATH = "metadata.finalizers"
ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"
STANDARD = frozenset({"kubernetes", ORPHAN, FOREGROUND})
UNQUALIFIED = (
    "metadata.finalizers: {}: prefer a domain-qualified finalizer name{} to avoid accidental conflicts with other "
    "finalizer writers"
)


def of(obj: Json) -> list[str]:
    """Return an object's finalizers."""
    return list(obj["metadata"].get("finalizers") or ())


def errors(names: list[str]) -> list[FieldError]:
    """Judge the names and which of them go together."""
    problems = [fields.invalid(PATH, name, problem) for name in names for problem in key_problems(name)]
    # They demand opposites of the garbage collector.
    if ORPHAN in names and FOREGROUND in names:
        detail = f"finalizer {ORPHAN} and {FOREGROUND} cannot be both set"
        problems.append(fields.invalid(PATH, names, detail))
    return problems


def standard_errors(names: list[str]) -> list[FieldError]:
    """Judge names that are not qualified, as strict kinds do."""
    detail = "name is neither a standard finalizer name nor is it fully qualified"
    return [
        fields.invalid(f"{PATH}[{at}]", name, detail)
        for at, name in enumerate(names)
        if "/" not in name and name not in STANDARD
    ]


def warnings(names: list[str], before: list[str]) -> list[str]:
    """Word what should be named better among new finalizers of a custom resource."""
    accepted = {*STANDARD, *before}
    return [
        UNQUALIFIED.format(fields.go_quote(name), " including a path (/)" if "." in name else "")
        for name in sorted(names)
        if "/" not in name and name not in accepted and not key_problems(name)
    ]


def late_errors(new: Json, old: Json) -> list[FieldError]:
    """Judge finalizers that come when the object is going already (FK-108)."""
    # While an object is being deleted finalizers may only go, or it might never end.
    if "deletionTimestamp" not in old["metadata"]:
        return []
    late = sorted(set(of(new)) - set(of(old)))
    if not late:
        return []
    listed = ", ".join(fields.go_quote(name) for name in late)
    detail = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
    return [fields.forbidden(PATH, detail)]
