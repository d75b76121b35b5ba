"""What docs/kill-matrix.md says holds together: every wrong one is in it and is caught, every scenario
catches something (N-04).
"""

from collections import Counter

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.tests.killing.matrix import Matrix
from kueue_conformance.tests.killing.page import PAGE, page
from kueue_conformance.tests.killing.zoo import SEEDS, ZOOS

WANTED = 60
A_FAMILY = 3


@pytest.fixture(params=ZOOS.values(), ids=ZOOS)
def matrix(request):
    return Matrix(request.param)


def test_matrix_knows_every_wrong_one(matrix):
    assert sorted(matrix.killed) == sorted(mutant.name for mutant in matrix.zoo.wrong)


def test_every_wrong_one_is_caught_by_the_scenario_named_for_it(matrix):
    assert [
        mutant.name for mutant in matrix.zoo.wrong if mutant.named not in matrix.killed[mutant.name]
    ] == []


def test_every_seed_catches_what_was_run_in_all(matrix):
    assert {name: times for name, times in matrix.seeds.items() if times < len(SEEDS)} == {}


def test_every_scenario_catches_something(matrix):
    killers = matrix.killers()
    assert [scenario for scenario in matrix.scenarios if not killers[scenario]] == []


def test_enough_of_them_are_wrong_in_little(matrix):
    assert sum(map(matrix.counts, matrix.zoo.wrong)) >= WANTED


def test_every_family_has_several(matrix):
    families = Counter(mutant.family for mutant in matrix.zoo.wrong)
    assert min(families.values()) >= A_FAMILY


def test_page_tells_what_is_known():
    assert PAGE.read_text() == page([Matrix(zoo) for zoo in ZOOS.values()])


def test_scenarios_of_the_matrix_exist(matrix):
    assert set(matrix.scenarios) <= set(inventory())
