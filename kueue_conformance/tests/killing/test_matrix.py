"""What docs/kill-matrix.md says holds together: everybody is in it, everybody is caught, every scenario catches somebody (N-04)."""

from collections import Counter

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.tests.killing.matrix import Matrix
from kueue_conformance.tests.killing.mutants import mutants
from kueue_conformance.tests.killing.page import PAGE, page

EVERYBODY = mutants()
WANTED = 60
A_FAMILY = 4


def test_matrix_knows_everybody():
    assert sorted(Matrix.read().killed) == sorted(one.name for one in EVERYBODY)


def test_everybody_is_caught_by_the_scenario_named_for_it():
    killed = Matrix.read().killed
    assert [one.name for one in EVERYBODY if one.named not in killed[one.name]] == []


def test_every_scenario_catches_somebody():
    killers = Matrix.read().killers()
    assert [one for one in Matrix.read().scenarios if not killers[one]] == []


def test_enough_of_them_are_wrong_in_little():
    matrix = Matrix.read()
    assert sum(map(matrix.counts, EVERYBODY)) >= WANTED


def test_every_family_has_several():
    families = Counter(one.family for one in EVERYBODY)
    assert min(families.values()) >= A_FAMILY


def test_page_tells_what_is_known():
    assert PAGE.read_text() == page(Matrix.read(), EVERYBODY)


def test_scenarios_of_the_matrix_exist():
    assert set(Matrix.read().scenarios) <= set(inventory())
