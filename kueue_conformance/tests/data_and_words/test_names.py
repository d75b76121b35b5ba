"""Generated names: the same for the same seed, never twice (H-36)."""

import re

import pytest

from kueue_conformance.options import read
from kueue_conformance.run import run_uid
from kueue_conformance.stage.making.names import Names

LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


def names(case="case", seed=1, scenario="ADM-204"):
    drawn_names = Names(scenario, "7f3qa", case, seed)
    return [drawn_names.name("queue") for _ in range(50)]


def test_a_seed_repeats_its_names():
    assert names() == names()


@pytest.mark.parametrize("other", [{"seed": 2}, {"case": "other"}], ids=["seed", "case"])
def test_other_cases_and_seeds_share_no_name(other):
    assert not set(names()) & set(names(**other))


def test_no_name_is_made_twice():
    assert len(set(names())) == 50


def test_names_of_a_role_are_in_the_order_in_which_they_were_made():
    assert sorted(names()[:9]) == names()[:9]


def test_there_are_more_names_than_words():
    drawn_names = Names("CHK-160", "7f3qa", "case", 1)

    assert len({drawn_names.name() for _ in range(2000)}) == 2000


def test_a_name_says_whose_it_is():
    assert re.match(r"queue-1-adm-204-7f3qa-[0-9a-f]{3}-[a-z]+$", names()[0])


def test_names_are_labels_however_long_the_test_s_name_is():
    assert all(LABEL.fullmatch(name) for name in names(scenario="test_" + "Very long/name_" * 9))


def test_the_seed_makes_the_run_s_letters_on_a_cluster_of_our_own():
    uid = run_uid(read({"seed": "5"}, seed=1))

    assert uid == run_uid(read({"seed": "5"}, seed=2)) != run_uid(read({"seed": "6"}, seed=1))


def test_two_runs_on_somebody_s_cluster_have_different_letters(monkeypatch):
    monkeypatch.delenv("PYTEST_XDIST_TESTRUNUID", raising=False)
    settings = read({"seed": "5", "backend": "kubeconfig:x"}, seed=1)

    assert len({run_uid(settings) for _ in range(5)}) > 1
