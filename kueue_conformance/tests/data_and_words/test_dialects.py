"""Dialects are ordered data; kep993 stands outside the order (H-48)."""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.scenarios import dialect

RELEASES = [name for name, known_dialect in dialect.known_dialects().items() if known_dialect.is_release]


def test_releases_are_in_order():
    orders = [dialect.known_dialects()[name].order for name in RELEASES]

    assert RELEASES == ["v0.6", "docs-2024", "v0.19"]
    assert orders == sorted(orders)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        pytest.param("v0.19", "v0.19", id="name"),
        pytest.param("0.19.2", "v0.19", id="version"),
        pytest.param("kep", "kep993", id="alias of the KEP"),
        pytest.param("default", dialect.default(), id="default"),
    ],
)
def test_a_dialect_has_several_words(word, name):
    assert [selected.name for selected in dialect.select(word)] == [name]


def test_all_is_every_dialect():
    assert [selected.name for selected in dialect.select("all")] == list(dialect.known_dialects())


def test_a_dialect_named_twice_is_meant_once():
    assert [selected.name for selected in dialect.select("v0.19, 0.19,v0.6")] == ["v0.19", "v0.6"]


def test_an_unknown_dialect_has_a_nearest_one():
    with pytest.raises(UsageError) as caught:
        dialect.select("kep99")

    hint = "known: v0.6 (v0.6.2), docs-2024 (v0.8, v0.9), v0.19 (v0.19.2), kep993, ca-1.30, ca-1.31, ca-1.32, ca-1.33, ca-1.34, ca-1.35, ca-1.36, ca-1.37, aep, all"
    assert str(caught.value) == f"unknown dialect 'kep99'\n  hint: did you mean 'kep993'? {hint}"


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        pytest.param("", "", ["v0.6", "docs-2024", "v0.19", "kep993"], id="unbounded"),
        pytest.param("0.9", "", ["docs-2024", "v0.19"], id="since"),
        pytest.param("", "0.9", ["v0.6", "docs-2024"], id="until"),
        pytest.param("0.7", "0.15", ["docs-2024"], id="both"),
        pytest.param("0.20", "", [], id="not yet"),
    ],
)
def test_bounds_hold_in_releases_only(since, until, expected):
    assert [
        name for name, known_dialect in dialect.known_dialects().items() if known_dialect.holds(since, until)
    ] == expected


def test_a_dialect_inherits_facts_it_does_not_state():
    assert (
        dialect.known_dialects()["v0.19"].fact("reject")
        == dialect.known_dialects()["docs-2024"].fact("reject")
        == "deactivated"
    )


def test_autoscalers_have_dialects_of_their_own():
    names = [*dialect.known_dialects("autoscaler")]

    assert names == [*(f"ca-1.{minor}" for minor in range(30, 38)), "aep"]
    assert dialect.default("autoscaler") == "ca-1.36"
    assert not {*names} & {*dialect.known_dialects()}


def test_all_leaves_out_what_differs_in_little():
    chosen = [selected.name for selected in dialect.select("all", ("autoscaler",))]

    assert chosen == ["ca-1.30", "ca-1.32", "ca-1.36", "ca-1.37", "aep"]


def test_every_family_that_is_spoken_has_a_dialect():
    chosen = dialect.complete_with_defaults(dialect.select("v0.6"), ("Kueue", "autoscaler"))

    assert [complete.name for complete in chosen] == ["v0.6", "ca-1.36"]


def test_a_dialect_that_no_profile_speaks_is_refused():
    with pytest.raises(UsageError) as caught:
        dialect.complete_with_defaults(dialect.select("v0.6"), ("autoscaler",))

    assert "dialect v0.6 is one of Kueue" in str(caught.value)


def test_the_proposal_stands_apart():
    assert not dialect.known_dialects("autoscaler")["aep"].holds("", "")


def test_an_older_release_is_about_what_it_does_otherwise():
    old = dialect.known_dialects("autoscaler")["ca-1.30"]

    assert old.is_about(["provisioning-request#retry", "aep#conditions"])
    assert not old.is_about(["provisioning-request#packing"])
    assert dialect.known_dialects()["v0.6"].is_about([])
