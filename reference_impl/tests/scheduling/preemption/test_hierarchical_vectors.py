"""Classical preemption in trees of cohorts: the golden vectors of scheduling §17.3 (G-P2)."""

from __future__ import annotations

from typing import Any

import pytest

from .arenas import Arena, limited, policies

LOWER, ANY = "LowerPriority", "Any"
OWN, OTHERS, BORROWING = "InClusterQueue", "InCohortReclamation", "InCohortReclaimWhileBorrowing"
RECLAIMS = policies(LOWER, ANY)
BORROWS = policies(LOWER, ANY, LOWER, 0)
CAREFUL = policies(LOWER, LOWER, LOWER, 0)

Held = tuple[str, str, int, dict[str, Any]]


def tree(preemption: Any = RECLAIMS, *, c: Any = 2, r: Any = 0, q: Any = 0, q_n: Any = None) -> Arena:
    """Root r with cohort c; q and q_s in c, q_b and perhaps q_n in r."""
    arena = Arena().cohort("r", cpu=r).cohort("c", "r", cpu=c)
    arena.member("q", "c", preemption, cpu=q).member("q_s", "c", RECLAIMS, cpu=0)
    arena.member("q_b", "r", RECLAIMS, cpu=0)
    return arena if q_n is None else arena.member("q_n", "r", RECLAIMS, cpu=q_n)


def cpu(queue: str, name: str, priority: int, cores: float) -> Held:
    return (name, queue, priority, {"cpu": cores})


BUSY = [cpu("q_b", "b-low", -1, 2), cpu("q_b", "b-high", 1, 2)]

VECTORS: dict[str, tuple[Any, list[Held], int, float, dict[str, str]]] = {
    "G-P2-01": (tree, [cpu("q_b", "b", 0, 2)], 0, 2, {"b": OTHERS}),
    "G-P2-02": (lambda: tree(q_n=2), [cpu("q_n", "n", -10, 2), cpu("q_b", "b", 0, 2)], 0, 2, {"b": OTHERS}),
    "G-P2-03": (tree, [cpu("q_b", "b1", 1, 1), cpu("q_b", "b2", 2, 1)], 0, 2, {"b1": OTHERS, "b2": OTHERS}),
    "G-P2-04": (
        lambda: tree(BORROWS, c=3), [cpu("q_s", "s1", 1, 1), cpu("q_s", "s0", 0, 1), cpu("q", "own", -1, 1)],
        1, 2, {"own": OWN, "s0": BORROWING},
    ),
    "G-P2-05": (tree, [cpu("q_b", "b", 1, 1), cpu("q", "own", -2, 1)], 0, 1, {"b": OTHERS}),
    "G-P2-06": (
        lambda: tree(BORROWS, q_n=2), [cpu("q_n", "n", -10, 2), cpu("q_s", "s", -1, 2)], 0, 2, {"s": BORROWING},
    ),
    "G-P2-07": (
        lambda: tree(q=4), [cpu("q_b", "b", 10, 3), cpu("q_s", "s", 10, 3)], 0, 4, {"b": OTHERS, "s": OTHERS},
    ),
    "G-P2-08": (
        lambda: tree(CAREFUL, r=1, c=4), [*BUSY, cpu("q_s", "s", -1, 1)],
        0, 3, {"b-low": OTHERS, "s": BORROWING},
    ),
    "G-P2-09": (
        lambda: tree(CAREFUL, r=1, c=4), [*BUSY, cpu("q", "own", -1, 1)], 0, 3, {"b-low": OTHERS, "own": OWN},
    ),
    "G-P2-10": (
        lambda: tree(c=3, q_n=2),
        [cpu("q_b", "b8", 8, 1), cpu("q_b", "b9", 9, 1), cpu("q_b", "b9-2", 9, 1), cpu("q_n", "n", -2, 2)],
        0, 1, {"b8": OTHERS},
    ),
    "G-P2-11": (
        lambda: tree().cohort("other", "r", cpu=2).member("q_o", "other", RECLAIMS, cpu=0),
        [cpu("q_o", "o1", -10, 1), cpu("q_o", "o2", -10, 1), cpu("q_s", "s", 0, 2)], 0, 2, {},
    ),
    "G-P2-14": (lambda: tree(q=limited(3, ll=2)), [cpu("q_b", "b", 0, 4)], -2, 5, {"b": OTHERS}),
}  # fmt: skip


@pytest.mark.parametrize(("start", "holders", "priority", "cores", "expected"), VECTORS.values(), ids=VECTORS)
def test_targets(
    start: Any, holders: list[Held], priority: int, cores: float, expected: dict[str, str]
) -> None:
    arena = start()
    for name, queue, importance, usage in holders:
        arena.holds(name, queue, importance, **usage)

    assert arena.targets("q", priority, {"cpu": cores}) == expected


def test_what_has_advantage_in_all_resources_goes_g_p2_12() -> None:
    arena = Arena().cohort("r", cpu=3).cohort("c", "r", cpu=4, memory="4Gi")
    for name, cohort in (("q", "c"), ("q_s", "c"), ("q_b", "r")):
        arena.member(name, cohort, RECLAIMS, cpu=0, memory=0)
    arena.holds("b", "q_b", 0, cpu=3, memory="1Gi").holds("s", "q_s", -2, cpu=1, memory="3Gi")

    assert arena.targets("q", -2, {"cpu": 2, "memory": "1Gi"}) == {"b": OTHERS}


def test_what_is_evicted_already_goes_first_g_p2_13() -> None:
    arena = tree(BORROWS).holds("b", "q_b", -10, cpu=1).holds("s", "q_s", -1, cpu=1, evicted=True)

    assert arena.targets("q", 0, {"cpu": 1}) == {"s": BORROWING}


def test_a_deep_tree_gives_where_it_borrows_g_p2_15() -> None:
    arena = Arena().cohort("r")
    for name, parent in (
        ("c11", "r"),
        ("c21", "c11"),
        ("c31", "c21"),
        ("c32", "c21"),
        ("c22", "c11"),
        ("c23", "c11"),
        ("c12", "r"),
    ):
        arena.cohort(name, parent, cpu=4)
    for name, cohort in (("q5", "c31"), ("q4", "c32"), ("q3", "c22"), ("q2", "c23"), ("q1", "c12")):
        arena.member(name, cohort, RECLAIMS, cpu=0)
    for queue, first, second in (
        ("q1", (-6, 4), (-5, 4)),
        ("q2", (-9, 4), (-10, 4)),
        ("q3", (-4, 4), (-3, 3)),
        ("q4", (4, 2), (2, 3)),
    ):
        for priority, cores in (first, second):
            arena.holds(
                f"{queue}({priority})".replace("(", "-p").replace(")", ""), queue, priority, cpu=cores
            )

    assert arena.targets("q5", -2, {"cpu": 7}) == {"q1-p-6": OTHERS, "q2-p-10": OTHERS}


def test_what_a_cohort_keeps_for_itself_is_not_asked_of_the_next_q_255() -> None:
    arena = Arena().cohort("top").cohort("r", "top", cpu=1).cohort("c", "r", cpu=limited(2, ll=0))
    arena.member("q", "c", policies(reclaim=ANY), cpu=0).member("z", "top", cpu=0).holds("z", "z", 0, cpu=1)

    assert arena.targets("q", 0, {"cpu": 3}) == {"z": OTHERS}
