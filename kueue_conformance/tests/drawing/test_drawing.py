"""The drawings of the documents are those of the code."""

import pytest

from ..checkout import ROOT
from .layers import layers
from .pictures import drawings, unknown_modules

NAMES = [
    "house.svg",
    "fakecluster.svg",
    "kueue_conformance.svg",
    "reference_impl.svg",
    "transitions-of-a-request.svg",
    "way-of-a-request.svg",
    "way-of-a-run.svg",
    "way-of-a-workload.svg",
]


def test_every_drawing_is_compared():
    assert {*drawings()} == {*NAMES} == {path.name for path in (ROOT / "docs/drawings").iterdir()}


def test_every_station_of_a_way_is_a_module():
    assert unknown_modules() == []


@pytest.mark.parametrize("name", NAMES)
def test_drawing_is_fresh(name):
    assert (ROOT / "docs/drawings" / name).read_text("utf-8") == drawings()[name], "run: make drawings"


def test_layers_have_every_part_once():
    names = [component.name for row in layers("suites") for component in row]

    assert sorted(names) == sorted({*names}) != []
