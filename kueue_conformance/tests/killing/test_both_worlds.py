"""Scenarios about what a release does against its documents pass in both worlds: as it was seen, and corrected (design.md §8)."""

from dataclasses import replace

import pytest

from kueue_conformance.catalogue.inventory import inventory
from reference_impl import composition
from reference_impl.defects import DEFECTS
from reference_impl.queueing import pending
from reference_impl.queues.shares import Shares
from reference_impl.quota.catalogue import Catalogue
from reference_impl.scheduling import assignment, grades

from .judging_planes import judge, run
from .override import Override
from .planes import WrongPlane

pytestmark = pytest.mark.zoo
SCENARIOS = {
    "QC-05": ("QUE-131", pending, "weight_by_class"),
    "QC-06": ("QUE-132", assignment, "without_pods"),
    "QC-07": ("QUE-133", grades, "least"),
    "QC-08": ("QUE-134", Catalogue, "is_active"),
    "Q-376": ("QUE-204", Shares, "cohorts_above"),
}


def corrected(defect, owner, name):
    """Return the reference without one of its defects, as the zoo knows control planes."""
    (found,) = (one for one in DEFECTS if one.id == defect)
    return WrongPlane(
        name=f"without_{defect}", family="", row=defect, wrong="", named="", safety="", level="may", dialect="v0.19",
        overrides=(Override(owner, name, lambda _: found.corrected),),
    )  # fmt: skip


@pytest.mark.parametrize("defect", SCENARIOS)
def test_a_scenario_passes_with_the_defect_and_without(defect):
    scenario, owner, name = SCENARIOS[defect]

    assert judge(None, [scenario]) == ([], [scenario])
    assert judge(corrected(defect, owner, name), [scenario]) == ([], [scenario])


ALIKE = {
    "PRC-055": "PA-052: names are what others know them by",
    "PRC-105": "PA-108: that a Retry waits with its quota is what the dialect says (AC-288)",
    "PRC-165": "PA-108: as PRC-105",
    "PRC-217": "PC-19: client-go folds events, whatever the controller does",
    "PRC-219": "PC-02: as PRC-105",
}
"""Scenarios of the kind in which the release does the same without its defects, and why."""


def without_defects():
    """Return the reference without any of its defects."""

    def corrected(right):
        return lambda config: right(replace(config, defects=False))

    return WrongPlane(
        name="without_defects", family="", row="", wrong="", named="", safety="", level="may", dialect="v0.19",
        overrides=(Override(composition, "dialect_of", corrected),),
    )  # fmt: skip


def ways(plane, named):
    """Return what scenarios saw of what they permit; all of them ran and passed."""
    seen = run(plane, named)
    assert (sorted(seen.failed), sorted(seen.ran)) == ([], named)
    return {one: frozenset(found) for one, found in seen.ways.items()}


def test_what_the_release_does_with_requests_is_taken_in_both_worlds():
    quirks = [one.id for one in inventory().values() if "provisioning-check#quirks" in one.requirement]
    named = sorted({*quirks, "PRC-144"})

    with_them, without_them = (ways(plane, named) for plane in (None, without_defects()))

    same = {one for one in named if with_them.get(one) and with_them[one] == without_them[one]}
    assert same == {*ALIKE}
