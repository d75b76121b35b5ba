"""Scenarios about what a release does against its documents pass in both worlds: as it was seen, and corrected (design.md §8)."""

from dataclasses import replace

import pytest

from kueue_conformance.catalogue.inventory import inventory
from reference_impl import composition
from reference_impl.defects import DEFECTS
from reference_impl.queueing import pending
from reference_impl.quota.catalogue import Catalogue
from reference_impl.scheduling import assignment, grades

from .judging_planes import judge
from .override import Override
from .planes import WrongPlane

pytestmark = pytest.mark.zoo
SCENARIOS = {
    "QC-05": ("QUE-131", pending, "weight_by_class"),
    "QC-06": ("QUE-132", assignment, "without_pods"),
    "QC-07": ("QUE-133", grades, "least"),
    "QC-08": ("QUE-134", Catalogue, "is_active"),
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


WAITS_FOR_GARBAGE = {"PRC-055", "PRC-110", "PRC-157"}
"""With the correction of PC-08 a PodTemplate of a request that was deleted has to be collected first, which nobody does here."""


def without_defects():
    """Return the reference without any of its defects."""

    def corrected(right):
        return lambda config: right(replace(config, defects=False))

    return WrongPlane(
        name="without_defects", family="", row="", wrong="", named="", safety="", level="may", dialect="v0.19",
        overrides=(Override(composition, "dialect_of", corrected),),
    )  # fmt: skip


def test_what_the_release_does_with_requests_is_taken_in_both_worlds():
    quirks = [one.id for one in inventory().values() if "provisioning-check#quirks" in one.requirement]
    named = sorted({*quirks, "PRC-144"} - WAITS_FOR_GARBAGE)

    assert judge(None, named) == ([], named)
    assert judge(without_defects(), named) == ([], named)
