"""Control planes that are wrong in everything fail most of the scenarios that could see them (N-04)."""

import random

import pytest

from kueue_conformance.catalogue.inventory import inventory

from .judging_planes import judge
from .matrix import Matrix
from .planes import planes
from .seeing import ENOUGH, OTHERWISE, could_see, scenarios_that_could_see
from .zoo import CONTROL_PLANES

SAMPLE = 15
GROSS = {plane.name: plane for plane in planes() if plane.name in OTHERWISE}


def draw(scenarios):
    return sorted(random.Random(7).sample(scenarios, SAMPLE))


def test_each_is_in_the_zoo():
    assert GROSS.keys() == OTHERWISE.keys() == scenarios_that_could_see().keys()


@pytest.mark.parametrize("plane", OTHERWISE)
def test_scenarios_that_could_see_it_exist(plane):
    assert set(scenarios_that_could_see()[plane]) <= set(inventory())


@pytest.mark.parametrize("plane", OTHERWISE)
def test_most_scenarios_that_could_see_it_fail(plane):
    matrix, could = Matrix(CONTROL_PLANES), set(scenarios_that_could_see()[plane])

    assert plane not in matrix.sampled, "it has met all scenarios"
    assert len(could.intersection(matrix.killed[plane])) >= ENOUGH * len(could)


@pytest.mark.zoo
@pytest.mark.parametrize("plane", OTHERWISE)
def test_of_a_sample_as_many_fail(plane):
    could = draw(scenarios_that_could_see()[plane])

    failed, ran = judge(GROSS[plane], could)

    assert ran == could
    assert len(failed) >= ENOUGH * len(could)


@pytest.mark.zoo
def test_what_could_see_it_is_what_the_reference_does():
    select = draw(sorted({item for every in scenarios_that_could_see().values() for item in every}))

    assert could_see(select) == {
        plane: [scenario_id for scenario_id in every if scenario_id in select]
        for plane, every in scenarios_that_could_see().items()
    }
