"""Wrong control planes are caught: each by the scenario named for it, at the level that it says (N-04)."""

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.rules import CONTROL_PLANE

from ..mutation.pool import workers
from ..mutation.running import SEED
from .judging_planes import codes, judge
from .planes import planes
from .seeding import caught, serve

pytestmark = pytest.mark.zoo
EVERYBODY = planes()
JUDGED_BY_RULES = [one for one in EVERYBODY if one.safety]


@pytest.fixture(scope="session")
def catches(tmp_path_factory):
    """Tells whether a wrong control plane is caught: asks a process that has collected every case."""
    folder = tmp_path_factory.mktemp("judge")
    with workers(1, folder, serve) as lent:
        yield lambda plane: [*caught(lent, [plane.name], (SEED,), folder)] == [(plane.name, SEED, True)]


@pytest.mark.parametrize("plane", EVERYBODY, ids=[one.name for one in EVERYBODY])
def test_wrong_control_plane_is_caught_by_the_scenario_named_for_it(catches, plane):
    assert catches(plane)


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("dialect", "profile"),
    sorted({(one.dialect, inventory()[one.named].profile.name) for one in EVERYBODY}),
)
def test_the_reference_passes_what_catches_the_wrong_ones(dialect, profile):
    of_dialect = {one.named for one in EVERYBODY if one.dialect == dialect}
    named = sorted(name for name in of_dialect if inventory()[name].profile.name == profile)
    assert judge(None, named, dialect=dialect) == ([], named)


@pytest.mark.parametrize("plane", JUDGED_BY_RULES, ids=[one.name for one in JUDGED_BY_RULES])
def test_nothing_but_the_safety_rule_sees_what_is_wrong(plane):
    assert codes(plane) == {plane.safety}


def test_a_safety_rule_is_as_binding_as_the_plane_says():
    levels = {one.id: one.level for one in CONTROL_PLANE}

    assert {one.name: levels[one.safety] for one in JUDGED_BY_RULES} == {
        one.name: one.level for one in JUDGED_BY_RULES
    }


def test_every_safety_rule_catches_somebody():
    assert {one.safety for one in JUDGED_BY_RULES} == {one.id for one in CONTROL_PLANE}


def test_a_scenario_is_as_binding_as_the_plane_says():
    wrong = {
        one.name: one.level
        for one in EVERYBODY
        if not one.safety and one.level != inventory()[one.named].level
    }
    assert wrong == {}


def test_no_two_are_called_the_same():
    assert len({one.name for one in EVERYBODY}) == len(EVERYBODY)
