"""The golden vectors of the quota tree (scheduling §17.1, G-T)."""

from __future__ import annotations

import pytest

from .forests import Sketch


def two(**limits):
    return Sketch().queue("a", 5, **limits).queue("b", 5, **limits)


def lending():
    return Sketch().queue("prod", 5, ll=1).queue("dev", 5, ll=4)


def limited():
    return Sketch().cohort("all", 15).queue("prod", 5, bl=10).queue("dev", 5, bl=2)


def unlent():
    return Sketch().queue("prod", 5, ll=0).queue("dev", 5, ll=0).use("prod", 5)


def lender():
    return (
        Sketch()
        .cohort("root")
        .cohort("lender", 1, "root", ll=0.5)
        .cohort("borrower", 0, "root")
        .queue("l-cq", 1, "lender")
        .queue("b-cq", 0, "borrower")
    )


def research():
    return (
        Sketch()
        .cohort("root")
        .cohort("research", 0, "root", bl=0)
        .cohort("production", 0, "root")
        .queue("r", 1, "research")
        .queue("p", 1, "production")
    )


def distant():
    return (
        Sketch()
        .cohort("left", parent="root")
        .cohort("right", parent="root")
        .queue("cq", 0, "left")
        .queue("bank", 10, "right")
    )


def overused():
    return Sketch().queue("cq1", 1).queue("cq2", 1).use("cq1", 2).queue("cq1", 0)


FIGURES = {
    "G-T1": (two(), {"all": (10, 0, 10, 10), "a": (5, 0, 10, 10), "b": (5, 0, 10, 10)}),
    "G-T2": (two().use("a", 7), {"all": (10, 7, 3, 10), "a": (5, 7, 3, 10), "b": (5, 0, 3, 10)}),
    "G-T4": (lending(), {"all": (5, 0, 5, 5), "prod": (5, 0, 9, 9), "dev": (5, 0, 6, 6)}),
    "G-T6": (limited(), {"prod": (5, 0, 15, 15), "dev": (5, 0, 7, 7)}),
    "G-T7": (limited().use("prod", 11), {"all": (25, 11, 14, 25)}),
    "G-T8": (unlent(), {"all": (0, 0, 0, 0)}),
    "G-T8 lent": (unlent().queue("dev", 5, ll=5), {"all": (5, 0, 5, 5)}),
    "G-T14": (overused(), {"all": (1, 2, -1, 1)}),
}

FREE = {
    "G-T3": (two().use("a", 7).use("b", 3), {"a": 0, "b": 0}),
    "G-T5": (lending().use("prod", 9), {"all": 0, "prod": 0, "dev": 1}),
    "G-T7": (limited().use("prod", 11), {"prod": 4, "dev": 7}),
    "G-T8": (unlent(), {"prod": 0, "dev": 5}),
    "G-T8 lent": (unlent().queue("dev", 5, ll=5), {"prod": 5}),
    "G-T9": (lender(), {"l-cq": 2, "b-cq": 0.5}),
    "G-T10": (lender().use("b-cq", 0.5), {"l-cq": 1.5, "b-cq": 0}),
    "G-T11": (
        lender().use("b-cq", 0.5).use("l-cq", 1.5).use("l-cq", 0.5),
        {"root": -0.5, "l-cq": 0, "b-cq": 0},
    ),
    "G-T12 p": (research().use("p", 1.5), {"r": 0.5, "p": 0.5}),
    "G-T12 r": (research().use("p", 1.5).use("p", -1.5).use("r", 1), {"r": 0, "p": 1}),
    "G-T13": (distant(), {"cq": 10}),
    "G-T14": (overused(), {"cq1": 0, "cq2": 0}),
}


@pytest.mark.parametrize(("sketch", "expected"), FIGURES.values(), ids=FIGURES)
def test_figures_of_the_nodes(sketch, expected):
    assert {name: sketch.figures(name) for name in expected} == expected


@pytest.mark.parametrize(("sketch", "expected"), FREE.values(), ids=FREE)
def test_what_is_available(sketch, expected):
    assert {name: sketch.free(name) for name in expected} == expected


def test_potential_follows_the_borrowing_limit_of_a_cohort_g_t12():
    sketch = research()

    assert (sketch.figures("r")[3], sketch.figures("p")[3]) == (1, 2)


def test_subtree_quota_counts_what_is_lent_g_t9():
    sketch = lender()

    assert (sketch.figures("root")[0], sketch.figures("lender")[0]) == (0.5, 2)


def guaranteed():
    return (
        Sketch()
        .cohort("guaranteed", 3, "root")
        .queue("g", 0, "guaranteed")
        .queue("be", 0, "root")
        .use("be", 3)
    )


LEVELS = {
    "G-T9": (lender(), "b-cq", 0.5, (2, False)),
    "G-T13": (distant(), "cq", 10, (2, False)),
    "G-T15": (guaranteed(), "g", 3, (1, True)),
    "within nominal": (two(), "a", 5, (0, True)),
    "no cohort": (Sketch().queue("a", 1, cohort=""), "a", 2, (0, False)),
    "nothing is enough": (two(), "a", 50, (1, False)),
}


@pytest.mark.parametrize(("sketch", "queue", "cores", "expected"), LEVELS.values(), ids=LEVELS)
def test_borrow_level(sketch, queue, cores, expected):
    assert sketch.level(queue, cores) == expected
