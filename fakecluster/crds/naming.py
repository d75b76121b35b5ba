"""Which names of a definition are well formed and accepted,
and whether it is established (FK-251, FK-255, FK-256).

Names of one group may be taken only once; the parts that are free are accepted even when others are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..base.json_types import Json
from ..meta.names import length_problem
from .ca_bundle import has_wrong_authority
from .lifecycle import is_true, with_condition

KIND_RULE = "may have mixed case, but should otherwise match: "
LABEL_FORMAT = "[a-z]([-a-z0-9]*[a-z0-9])?"
LABEL_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character,"
    f" and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '{LABEL_FORMAT}')"
)


def label_problems(text: str) -> str:
    """Word what keeps a text from being a DNS-1035 label; empty when nothing does."""
    shape = "" if re.fullmatch(LABEL_FORMAT, text) else LABEL_TEXT
    return ",".join(filter(None, (length_problem(text, 63), shape)))


WRONG_AUTHORITY = ("False", "InvalidCABundle", "The conversion webhook CABundle is invalid")
NAMES_ACCEPTED = "the initial names have been accepted"


def reconcile(crd: Json, other_crds: Iterable[Json], current_time: str) -> Json:
    """Return the definition with the names,
    conditions and establishment that the other definitions leave it.
    """
    names, reason, message = _claim(
        crd, [other_crd for other_crd in other_crds if other_crd["spec"]["group"] == crd["spec"]["group"]]
    )
    status = {**(crd.get("status") or {}), "acceptedNames": names}
    taken = bool(reason)
    status = with_condition(
        status,
        "NamesAccepted",
        "False" if taken else "True",
        reason or "NoConflicts",
        message or "no conflicts found",
        current_time,
    )
    if taken:
        if not is_true(crd, "Established"):
            status = with_condition(
                status, "Established", "False", "NotAccepted", "not all names are accepted", current_time
            )
    elif not is_true(crd, "Established"):
        established = (
            WRONG_AUTHORITY if has_wrong_authority(crd) else ("True", "InitialNamesAccepted", NAMES_ACCEPTED)
        )
        status = with_condition(status, "Established", *established, current_time)
    return {**crd, "status": status}


def _claim(crd: Json, other_crds: list[Json]) -> tuple[Json, str, str]:
    """Return the accepted names, and reason and message of the last conflict."""
    names = crd["spec"]["names"]
    had = (crd.get("status") or {}).get("acceptedNames") or {}
    resources, kinds = _names_in_use(other_crds)
    accepted, reason, message = dict(had), "", ""
    for field, why, taken in (
        ("plural", "PluralConflict", resources),
        ("singular", "SingularConflict", resources),
        ("shortNames", "ShortNamesConflict", resources),
        ("kind", "KindConflict", kinds),
        ("listKind", "ListKindConflict", kinds),
    ):
        value = names.get(field)
        clashes = [name for name in (value if isinstance(value, list) else [value]) if name in taken]
        if clashes:
            reason, message = why, ", ".join(f'"{name}" is already in use' for name in clashes)
        else:
            _take(accepted, field, value)
    _take(accepted, "categories", names.get("categories"))
    return {"plural": "", "kind": "", **accepted}, reason, message


def _take(accepted: dict[str, Json], field: str, value: Json) -> None:
    if value:
        accepted[field] = value
    else:
        accepted.pop(field, None)


def _names_in_use(other_crds: list[Json]) -> tuple[set[str], set[str]]:
    resources: set[str] = set()
    kinds: set[str] = set()
    for other_crd in other_crds:
        names = (other_crd.get("status") or {}).get("acceptedNames") or {}
        resources |= {names.get("plural", ""), names.get("singular", ""), *(names.get("shortNames") or ())}
        kinds |= {names.get("kind", ""), names.get("listKind", "")}
    return resources - {""}, kinds - {""}
