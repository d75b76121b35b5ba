"""Drawn names and texts: taken by the API, easily mistaken for each other, and the same for a seed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakecluster.meta.labels import key_problems, value_problems
from fakecluster.meta.names import label_problems, subdomain_problems
from kueue_conformance.stage.making.drawn_names import _FORMS, DrawnNames, Form
from kueue_conformance.stage.making.kubernetes_provider import kubernetes_provider

SEEDS = st.integers(0, 2**32 - 1)
AT_ANY_LOAD = settings(deadline=None)
ROLES = [*_FORMS, "queue", "job", "local", "priority"]


def maker_of(seed=1):
    return DrawnNames("ADM-201", "7f3qa", "case", seed, drawn_values=[])


def names(role, number=40, seed=1):
    maker = maker_of(seed)
    return [maker.name(role) for _ in range(number)]


def everything(seed):
    maker = maker_of(seed)
    named = [maker.name(role) for role in (*ROLES, "user") for _ in range(3)]
    return [*named, maker.message(), maker.message(), maker.labels(), maker.label_value("flavor")]


def test_a_seed_repeats_what_was_drawn():
    assert everything(7) == everything(7)


def test_another_seed_draws_something_else():
    assert not set(map(str, everything(7))) & set(map(str, everything(8)))


@pytest.mark.parametrize("role", ROLES)
@AT_ANY_LOAD
@given(seed=SEEDS)
def test_names_are_subdomains_as_long_as_they_may_be(role, seed):
    form, row = _FORMS.get(role, Form()), names(role, 5, seed=seed)

    assert {len(name) for name in row} == {form.length}
    assert not [problem for name in row for problem in subdomain_problems(name)]


@AT_ANY_LOAD
@given(seed=SEEDS)
def test_names_of_namespaces_are_labels(seed):
    assert not [problem for name in names("namespace", 5, seed=seed) for problem in label_problems(name)]


@pytest.mark.parametrize("role", ROLES)
def test_no_name_is_drawn_twice_however_many(role):
    assert len(set(names(role, 400))) == 400


@pytest.mark.parametrize("role", ROLES)
@AT_ANY_LOAD
@given(seed=SEEDS)
def test_names_come_in_the_order_of_bytes_and_in_no_other(role, seed):
    row = names(role, 4, seed=seed)

    assert row == sorted(row)
    assert row != sorted(row, key=lambda name: "".join(filter(str.isalnum, name)))


@pytest.mark.parametrize("role", ["workload", "check", "flavor", "cohort", "request"])
@AT_ANY_LOAD
@given(seed=SEEDS)
def test_names_share_their_first_63_characters(role, seed):
    assert len({name[:63] for name in names(role, 5, seed=seed)}) == 1


@pytest.mark.parametrize("role", ["queue", "job", "workload", "flavor"])
@AT_ANY_LOAD
@given(seed=SEEDS)
def test_names_share_what_stands_before_and_after_dash_and_dot(role, seed):
    row = names(role, 5, seed=seed)

    for separator in "-.":
        assert len({name.partition(separator)[0] for name in row}) == 1
        assert len({name.rpartition(separator)[2] for name in row}) == 1


@AT_ANY_LOAD
@given(seed=SEEDS)
def test_labels_differ_in_the_case_of_letters_alone(seed):
    labels = maker_of(seed).labels()

    assert len(labels) == 2 == len(set(labels.values()))
    assert len({key.lower() for key in labels}) == 1 == len({value.lower() for value in labels.values()})
    assert not [problem for key in labels for problem in key_problems(key)]
    assert not [problem for value in labels.values() for problem in value_problems(value)]


@AT_ANY_LOAD
@given(seed=SEEDS)
def test_users_differ_in_the_case_of_a_letter_alone_and_fit_a_header(seed):
    first, second = names("user", 2, seed=seed)

    assert first != second
    assert first.lower() == second.lower()
    assert (first + second).isascii()
    assert (first + second).isprintable()


@AT_ANY_LOAD
@given(seed=SEEDS)
def test_a_message_has_what_templates_take_for_their_own(seed):
    text = next(kubernetes_provider(seed).messages())

    assert "% of" in text
    assert "\n" in text
    assert any(ord(letter) > 0xFFFF for letter in text)
    assert len(text.encode()) < 1024
