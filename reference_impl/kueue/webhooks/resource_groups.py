"""Quotas of ClusterQueues and Cohorts (AC-030, AC-033, AC-185)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...api.quantity import quantity
from ...api.resource import Json
from .names import qualified_name
from .problems import Problem, duplicate, invalid

PATH = "spec.resourceGroups"
NEGATIVE = "must be greater than or equal to 0"
TOTAL, COMBINATIONS = 256, 512


def negative(value: Json, path: str) -> Iterator[Problem]:
    """Judge a quantity that may not be below zero."""
    if quantity(value).nano < 0:
        yield invalid(path, str(quantity(value)), NEGATIVE)


def groups(
    resource_groups: Sequence[Json], owner: str, has_owner: bool, lends_all: bool
) -> Iterator[Problem]:
    """Judge the groups of a queue or a cohort; `owner` is the word for what it belongs to.

    With `lends_all` more may be lent than there is.
    """
    resources: set[str] = set()
    flavors: set[str] = set()
    for index, group in enumerate(resource_groups):
        path = f"{PATH}[{index}]"
        covered = group.get("coveredResources") or ()
        for at, name in enumerate(covered):
            where = f"{path}.coveredResources[{at}]"
            yield from (invalid(where, name, text) for text in qualified_name(name))
            yield from _again(name, resources, where)
        for at, flavor in enumerate(group.get("flavors") or ()):
            where = f"{path}.flavors[{at}]"
            # Go would panic beyond the covered resources; that there are as many is a
            # rule of the schema.
            for position, amount in enumerate((flavor.get("resources") or ())[: len(covered)]):
                spot = f"{where}.resources[{position}]"
                yield from _amount(amount, covered[position], spot, owner, has_owner, lends_all)
            yield from _again(flavor.get("name", ""), flavors, f"{where}.name")


def totals(resource_groups: Sequence[Json]) -> Iterator[Problem]:
    """Judge how many flavors, resources and combinations there are."""
    for word, field in (("flavors", "flavors"), ("covered resources", "coveredResources")):
        total = sum(len(group.get(field) or ()) for group in resource_groups)
        if total > TOTAL:
            text = f"total number of {word} across all resourceGroups must be ≤ {TOTAL}, got {total}"
            yield invalid(PATH, total, text)
    for index, group in enumerate(resource_groups):
        total = sum(len(flavor.get("resources") or ()) for flavor in group.get("flavors") or ())
        if total > COMBINATIONS:
            text = f"number of flavor-resource combinations in a resourceGroup must be ≤ {COMBINATIONS}, got {total}"
            yield invalid(f"{PATH}[{index}]", total, text)


def flavor_names(resource_groups: Sequence[Json]) -> list[str]:
    """Return the flavors of all groups, each once."""
    names = (flavor.get("name", "") for group in resource_groups for flavor in group.get("flavors") or ())
    return list(dict.fromkeys(names))


def _again(name: str, names: set[str], path: str) -> Iterator[Problem]:
    if name in names:
        yield duplicate(path, name)
    names.add(name)


def _amount(
    amount: Json, resource: str, path: str, owner: str, has_owner: bool, lends_all: bool
) -> Iterator[Problem]:
    if amount.get("name") != resource:
        yield invalid(f"{path}.name", amount.get("name", ""), "must match the name in coveredResources")
    nominal, borrowed, lent = (
        amount.get(name) for name in ("nominalQuota", "borrowingLimit", "lendingLimit")
    )
    yield from negative(nominal or "0", f"{path}.nominalQuota")
    orphan = f"must be nil when {owner} is empty"
    if borrowed is not None:
        if not has_owner:
            yield invalid(f"{path}.borrowingLimit", str(quantity(borrowed)), orphan)
        yield from negative(borrowed, f"{path}.borrowingLimit")
    if lent is not None:
        where, text = f"{path}.lendingLimit", str(quantity(lent))
        yield from negative(lent, where)
        if not has_owner:
            yield invalid(where, text, orphan)
        if not lends_all and quantity(lent).nano > quantity(nominal or "0").nano:
            yield invalid(where, text, "must be less than or equal to the nominalQuota")
