"""What a real Kueue showed of a known defect, by the report of its run."""

import pytest

from kueue_conformance.control_planes.reference.known_defects import KnownDefect
from kueue_conformance.report.afterwards.defect_page import index
from kueue_conformance.report.afterwards.defect_sightings import DefectSightings

DEFECT = KnownDefect(
    id="BUG-1",
    finding="it is lost",
    expected="it stays",
    fixed_in=(),
    report=(),
    scenario="ADM-001",
    case="job",
    seen={"a": "lost"},
    corrected={"a": "there"},
)


def case(outcome="passed", test="test_it[v0.19-job]", **fields):
    return {"outcome": outcome, "test": test, **fields}


CASES = {
    "shown": ([case(seen={"a": "lost", "b": "more"})], "yes"),
    "shown in another case alone": ([case(test="test_it[v0.19-pod]", seen={"a": "lost"})], "not played"),
    "mended": ([case(seen={"a": "there"})], "no: a: there"),
    "neither": ([case()], "no: neither way was seen"),
    "failed": ([case("failed", clause="c")], "no: clause c of ADM-001 fails"),
    "unsupported": ([case("unsupported", code="virtual time")] * 2, "unsupported: virtual time"),
    "undetermined": ([case("error", code="ControlPlaneDied")], "error: ControlPlaneDied"),
    "not there": ([], "not played"),
}


@pytest.mark.parametrize(("cases", "text"), CASES.values(), ids=CASES)
def test_sighting(cases, text):
    sightings = DefectSightings(kueue="Kueue v0.19.2", cases={"ADM-001": cases})

    assert (sightings.of(DEFECT), sightings.shows(DEFECT)) == (text, text == "yes")


@pytest.mark.parametrize(
    ("version", "kueue"), [({"version": "v0.19.2"}, "Kueue v0.19.2"), ({}, "upstream:./kueue")]
)
def test_index_has_a_column_for_the_real_kueue(version, kueue):
    report = {
        "implementation": version,
        "environment": {"controlPlane": "upstream:./kueue"},
        "scenarios": [{"id": "ADM-001", "cases": [case(seen={"a": "lost"})]}],
    }

    lines = index([DEFECT], {}, "v0.19", DefectSightings.of_report(report)).splitlines()

    assert lines[2].endswith(f"| seen on {kueue} |")
    assert lines[-1] == "| BUG-1 | it is lost | open | no | ADM-001 | yes |"
