"""Dialects are ordered data; kep993 stands outside the order (H-48)."""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.scenarios import dialect

RELEASES = [name for name, known_dialect in dialect.known_dialects().items() if known_dialect.is_release]


def test_releases_are_in_order():
    orders = [dialect.known_dialects()[name].order for name in RELEASES]

    assert RELEASES == ["v0.6", "docs-2024", "v0.19", "v0.20"]
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
    assert [selected.name for selected in dialect.select("all")] == [
        name for name, known_dialect in dialect.known_dialects().items() if not known_dialect.rare
    ]


@pytest.mark.parametrize(
    ("word", "name", "delay"),
    [
        pytest.param("0.19.13", "v0.19.13", "deferred", id="before the fix of its line"),
        pytest.param("v0.19.14", "v0.19.14", "requeue", id="with it"),
        pytest.param("0.20.0-devel", "v0.20.0-devel", "deferred", id="a build before a release"),
        pytest.param("0.20", "v0.20", "requeue", id="a line"),
        pytest.param("0.15", "v0.15.8", "deferred", id="a line without a name"),
        pytest.param("0.21.0", "v0.21.0", "requeue", id="a newer line"),
    ],
)
def test_a_release_is_a_dialect_exact_to_the_patch(word, name, delay):
    """KV-35."""
    (selected,) = dialect.select(word)

    assert (selected.name, selected.fact("retry-delay")) == (name, delay)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("0.19.15", "the newest known release of its line is 0.19.14"),
        ("0.5.1", "did you mean 'v0.6'?"),
        ("0.19.2.1", "the newest known release of its line is 0.19.14"),
        ("0.19.x", "the newest known release of its line is 0.19.14"),
        ("0.20.0-beta", "the newest known release of its line is 0.20.7"),
        ("0.19.02", "the newest known release of its line is 0.19.14"),
    ],
)
def test_a_release_that_is_not_known_is_refused(word, hint):
    with pytest.raises(UsageError, match=hint):
        dialect.select(word)


def test_a_dialect_named_twice_is_meant_once():
    assert [selected.name for selected in dialect.select("v0.19, 0.19,v0.6")] == ["v0.19", "v0.6"]


def test_an_unknown_dialect_has_a_nearest_one():
    with pytest.raises(UsageError) as caught:
        dialect.select("kep99")

    hint = "known: v0.6 (v0.6.2), docs-2024 (v0.8, v0.9), v0.19 (v0.19.2), v0.20 (v0.20.7), kep993, ca-1.30, ca-1.31, ca-1.32, ca-1.33, ca-1.34, ca-1.35, ca-1.36, ca-1.37, aep, all, or a release such as 0.19.14"
    assert str(caught.value) == f"unknown dialect 'kep99'\n  hint: did you mean 'kep993'? {hint}"


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        pytest.param("", "", ["v0.6", "docs-2024", "v0.19", "v0.20", "kep993"], id="unbounded"),
        pytest.param("0.9", "", ["docs-2024", "v0.19", "v0.20"], id="since"),
        pytest.param("", "0.9", ["v0.6", "docs-2024"], id="until"),
        pytest.param("0.7", "0.15", ["docs-2024"], id="both"),
        pytest.param("0.21", "", [], id="not yet"),
        pytest.param("0.19.14, 0.20.7", "", ["v0.20"], id="since a patch of two lines"),
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
