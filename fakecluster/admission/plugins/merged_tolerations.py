"""Tolerations without those that another one of them includes."""

from __future__ import annotations

from ...base import work_budget
from ...base.json_types import Json

FOREVER = float("inf")


def merge(tolerations: list[Json]) -> list[Json]:
    """Return tolerations in their order; of equal ones the first stays."""
    # Each is compared with each.
    work_budget.spend("pairs of tolerations", len(tolerations) ** 2)
    merged: list[Json] = []
    for number, toleration in enumerate(tolerations):
        # An equal one later on does not count, so that the first of two equal ones stays.
        later = (other for other in tolerations[number + 1 :] if other != toleration)
        if not any(_includes(other, toleration) for other in (*merged, *later)):
            merged.append(toleration)
    return merged


def _includes(wide: Json, narrow: Json) -> bool:
    """Whether whatever one toleration tolerates, another does as well."""
    if wide == narrow:
        return True
    exists = wide.get("operator") == "Exists"
    if narrow.get("key", "") != wide.get("key", "") and (wide.get("key") or not exists):
        return False
    if wide.get("effect") and narrow.get("effect", "") != wide["effect"]:
        return False
    if wide.get("effect") == "NoExecute" and _seconds(wide) < _seconds(narrow):
        return False
    # Only an explicit Equal matches here; an empty operator of the narrow one means it but is not compared.
    same = narrow.get("operator") == "Equal" and narrow.get("value", "") == wide.get("value", "")
    return exists or (wide.get("operator") in {None, "", "Equal"} and same)


def _seconds(toleration: Json) -> float:
    return float(toleration.get("tolerationSeconds", FOREVER))
