"""Scenarios about what a release does against its documents pass in both worlds: as it was seen, and
corrected (design.md §8).
"""

import pytest

from kueue_conformance.base.resources import load_yaml
from kueue_conformance.catalogue.inventory import inventory
from reference_impl.kueue import composition
from reference_impl.kueue.defects import DEFECTS, without

from .judging_planes import run
from .override import Override
from .planes import WrongPlane

pytestmark = pytest.mark.zoo
WORLDS = {name: row for name, row in load_yaml("defects.yaml").items() if "scenario" in row}
"""By the id of each defect that shows in a story: the scenario that permits it, what it sees of it (`seen`),
and what without it (`corrected`).
"""
ONE_WORLD = {
    "QC-09": "QUE-135: the API says that one pod set may have minCount; the page had left it out",
    "QC-10": "QUE-116: which words follow a flavor in the notes of an attempt; no document says others",
    "QC-11": "QUE-113: the same events are written, and client-go folds them; which is seen first is chance",
    "QC-12": "QUE-200: how a share is rounded is told by the release alone; the documents have the formula",
    "QC-13": "QUE-205: KEP-1714 has these reasons; the page had left them open",
}
"""Findings that correct the page: there is nothing that the release does against its documents."""


def plane(name, defects):
    """Return the reference without some of its defects, as the zoo knows control planes."""

    def correct(right):
        return lambda config: without(right(config), defects)

    return WrongPlane(
        name=name,
        zoo="control-planes",
        family="",
        row="",
        wrong="",
        named="",
        safety="",
        level="may",
        dialect="v0.19",
        overrides=(Override(composition, "dialect_of", correct),),
    )


def ways_of(control_plane, scenario, **options):
    """Return what a scenario saw of what it permits, as `clause: way`; it passed."""
    result = run(control_plane, [scenario], **options)
    assert (sorted(result.failed), sorted(result.ran)) == ([], [scenario])
    return {f"{clause}: {path}" for clause, path in result.ways[scenario]}


@pytest.mark.parametrize("defect", WORLDS)
def test_a_scenario_passes_with_the_defect_and_without(defect):
    row = WORLDS[defect]
    ids = {defect, row.get("mended-with")}
    only = tuple(known_defect for known_defect in DEFECTS if known_defect.id in ids)
    seen, corrected = (
        {f"{clause}: {way}" for clause, way in row[world].items()} for world in ("seen", "corrected")
    )

    with_it, without_it = (
        ways_of(control_plane, row["scenario"], wants_case=lambda item: row.get("case", "") in item.name)
        for control_plane in (None, plane(f"without_{defect}", only))
    )

    assert seen <= with_it
    assert corrected <= without_it
    assert not seen & without_it


def test_what_is_gathered_for_a_second_since_v0_17_is_told_at_once_before_qc_02():
    assert ways_of(None, "QUE-014") == {"a: what is tried all the time first"}
    assert ways_of(None, "QUE-014", dialect="docs-2024") == {"a: the owner first"}


def test_every_finding_about_queueing_has_its_worlds():
    queueing = {name for name in WORLDS if name.startswith("QC-")}
    assert {f"QC-{number:02}" for number in range(1, 14)} == {"QC-02", *queueing, *ONE_WORLD}
    text = {name: inventory()[text.partition(":")[0]] for name, text in ONE_WORLD.items()}
    assert {name: scenario.id for name, scenario in text.items() if name not in scenario.shows} == {}


ALIKE = {
    "PRC-055": "PA-052: names are what others know them by",
    "PRC-217": "PC-19: client-go folds events, whatever the controller does",
}
"""Scenarios of the kind in which the release does the same without its defects, and why."""


def ways(control_plane, named):
    """Return what scenarios saw of what they permit; all of them ran and passed."""
    result = run(control_plane, named)
    assert (sorted(result.failed), sorted(result.ran)) == ([], named)
    return {name: frozenset(path) for name, path in result.ways.items()}


def test_what_the_release_does_with_requests_is_taken_in_both_worlds():
    quirks = [
        scenario.id
        for scenario in inventory().values()
        if "provisioning-check#quirks" in scenario.requirement
    ]
    named = sorted({*quirks, "PRC-144"})

    with_them, without_them = (ways(item, named) for item in (None, plane("without_defects", DEFECTS)))

    same = {name for name in named if with_them.get(name) and with_them[name] == without_them[name]}
    assert same == {*ALIKE}


DELAYED = ("ADM-348", "ADM-355", "PRC-050", "PRC-166", "PRC-219", "PRC-247")
"""Scenarios with a Retry that asks for a delay, and with names that are cut before their number."""


def test_scenarios_of_a_delay_pass_whether_or_not_quota_is_kept_for_it():
    result = run(plane("without_defects", DEFECTS), DELAYED)

    assert (sorted(result.failed), sorted(result.ran)) == ([], [*DELAYED])
