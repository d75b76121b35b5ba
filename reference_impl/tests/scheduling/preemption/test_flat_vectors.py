"""Classical preemption in flat cohorts: the golden vectors of scheduling §17.2 (G-P1)."""

from __future__ import annotations

from typing import Any

import pytest

from ..queue_side import WORLDS, group
from .arenas import Arena, limited, policies

LOWER, ANY = "LowerPriority", "Any"
OWN, OTHERS, BORROWING = "InClusterQueue", "InCohortReclamation", "InCohortReclaimWhileBorrowing"


def make_arena() -> Arena:
    """The queues of the vectors."""
    arena = Arena()
    both = {"cpu": limited(6, 6), "memory": limited("3Gi", "3Gi")}
    free = {"cpu": 6, "memory": "3Gi"}
    lower = policies(LOWER, LOWER)
    arena.queue(
        "standalone",
        group("cpu", default=[6]),
        group("memory", alpha=["3Gi"], beta=["3Gi"]),
        preemption=policies(LOWER),
    )
    arena.member("c1", "cohort", lower, **both).member("c2", "cohort", policies(reclaim=ANY), **both)
    arena.member("d1", "no-limits", lower, **free)
    arena.member("d2", "no-limits", policies(reclaim=ANY), **free)
    arena.member("l1", "legion", lower, cpu=limited(6, 12), memory=limited("3Gi", "6Gi"))
    arena.member("ps", preemption=policies("LowerOrNewerEqualPriority"), cpu=6)
    for name, within, reclaim, nominal in (
        ("a_std", "Never", LOWER, limited(1, 12)),
        ("b_std", LOWER, ANY, limited(1, 12)),
        ("a_be", "Never", LOWER, limited(1, 12)),
        ("b_be", "Never", LOWER, limited(0, 13)),
    ):
        arena.member(name, "shared", policies(within, reclaim, LOWER, 0), cpu=nominal)
    arena.member("shared", "shared", cpu=10)
    arena.member("lend1", "lend", lower, cpu=limited(6, ll=4))
    arena.member("lend2", "lend", lower, cpu=limited(6, ll=2))
    arena.member("a", "three", policies(LOWER, ANY), cpu=2, memory=2)
    return arena.member("b", "three", cpu=2, memory=2).member("c", "three", cpu=2, memory=2)


def cpu(queue: str, name: str, priority: int, cores: float, **fields: Any) -> tuple[Any, ...]:
    return (name, queue, priority, {"cpu": cores, **fields})


def memory(flavor: str, name: str, priority: int, amount: str) -> tuple[Any, ...]:
    return (name, "standalone", priority, {f"memory_at_{flavor}": amount})


LOW_MID_HIGH = [cpu("standalone", name, p, 2) for name, p in (("low", -1), ("mid", 0), ("high", 1))]
LOW_MID = [cpu("standalone", "low", -1, 3), cpu("standalone", "mid", 0, 3)]
C1_C2 = [
    cpu("c1", "c1-low", -1, 3),
    cpu("c1", "c1-mid", 0, 2),
    cpu("c2", "c2-low", -1, 3),
    cpu("c2", "c2-mid", 0, 4),
]
LENT = [(name.replace("c", "lend", 1), queue.replace("c", "lend"), p, use) for name, queue, p, use in C1_C2]
THREE = [cpu("a", f"a{n}", p, 1, memory=1) for n, p in ((1, -2), (2, -2), (3, -1))]
THREE += [cpu("b", f"b{n}", 0, 1, memory=1) for n in (1, 2, 3)]
CPU_ONLY = [(name, queue, p, {"cpu": use["cpu"]}) for name, queue, p, use in THREE]

VECTORS: dict[str, tuple[list[tuple[Any, ...]], str, int, dict[str, Any], dict[str, str]]] = {
    "G-P1-01": (LOW_MID_HIGH, "standalone", 1, {"cpu": 2}, {"low": OWN}),
    "G-P1-02": (LOW_MID_HIGH, "standalone", 1, {"cpu": 3}, {"low": OWN, "mid": OWN}),
    "G-P1-03": (LOW_MID, "standalone", -1, {"cpu": 1}, {}),
    "G-P1-04": (LOW_MID, "standalone", 0, {"cpu": 4}, {}),
    "G-P1-05": (
        [cpu("standalone", "low", -1, 1), cpu("standalone", "mid", 0, 1), cpu("standalone", "high", 1, 3)],
        "standalone", 1, {"cpu": 2}, {"low": OWN},
    ),
    "G-P1-06": (
        [cpu("standalone", "low", -1, 1), cpu("standalone", "mid", 0, 2), cpu("standalone", "high", 1, 3)],
        "standalone", 1, {"cpu": 2}, {"mid": OWN},
    ),
    "G-P1-08": (
        [cpu("c1", "c1-low", -1, 3), cpu("c2", "c2-mid", 0, 3), cpu("c2", "c2-high", 1, 6)],
        "c1", 1, {"cpu": 3}, {"c2-mid": OTHERS},
    ),
    "G-P1-09": (
        [cpu("c1", "c1-low", -1, 3, memory="3Gi"), cpu("c2", "c2-mid", 0, 3), cpu("c2", "c2-high", 1, 6)],
        "c1", 1, {"cpu": 3, "memory": 0}, {"c2-mid": OTHERS},
    ),
    "G-P1-10": ([cpu("c1", "c1-high", 1, 4), cpu("c2", "c2-low", -1, 4)], "c1", 1, {"cpu": 4}, {}),
    "G-P1-11": (
        [cpu("c1", "c1-high", 1, 4), cpu("c2", "c2-low", -1, 4), cpu("c2", "c2-low-2", -1, 4)],
        "c1", 1, {"cpu": 4}, {},
    ),
    "G-P1-12": (
        [cpu("c1", "c1-low", -1, 4), cpu("c2", "c2-low", -1, 4), cpu("c2", "c2-high", 1, 4)],
        "c1", 1, {"cpu": 4, "memory": "5Gi"}, {"c1-low": OWN},
    ),
    "G-P1-13": (
        [cpu("c1", "c1-med", 0, 4), cpu("c1", "c1-low", -1, 4), cpu("c2", "c2-low", -1, 4)],
        "c1", 1, {"cpu": 4}, {"c1-low": OWN},
    ),
    "G-P1-14": (
        [cpu("d1", "d1-med", 0, 4), cpu("d1", "d1-low", -1, 4), cpu("d2", "d2-low", -1, 4)],
        "d1", 1, {"cpu": 4}, {"d1-low": OWN},
    ),
    "G-P1-15": (
        [cpu("c1", "c1-med", 0, 4), *(cpu("c2", f"c2-low-{n}", -1, n) for n in (5, 1)),
         cpu("c2", "c2-low-1b", -1, 1)],
        "c1", 1, {"cpu": 2, "memory": "5Gi"}, {"c1-med": OWN},
    ),
    "G-P1-16": (
        [cpu("l1", "l1-med", 0, 4), cpu("l1", "l1-low", -1, 2)], "l1", 1, {"cpu": 4}, {"l1-med": OWN},
    ),
    "G-P1-17": (
        [cpu("c1", "c1-1", 0, 2), cpu("c2", "c2-1", 0, 4), cpu("c2", "c2-2", 0, 4)], "c1", 0, {"cpu": 4}, {},
    ),
    "G-P1-18": (
        [cpu("c1", "c1-1", 0, 4), cpu("c1", "c1-2", 1, 4), cpu("c2", "c2-1", 0, 2)],
        "c2", 0, {"cpu": 4}, {"c1-1": OTHERS},
    ),
    "G-P1-19": (C1_C2, "c1", 0, {"cpu": 4}, {"c1-low": OWN, "c2-low": OTHERS}),
    "G-P1-20": ([cpu("c2", "c2-low", -1, 3)], "c2", 1, {"cpu": 4}, {}),
    "G-P1-21": (
        [memory("alpha", "low-alpha", -1, "2Gi"), memory("beta", "low-beta", -1, "2Gi")],
        "standalone", 0, {"memory@alpha": "2Gi", "memory@beta": "2Gi"}, {"low-alpha": OWN, "low-beta": OWN},
    ),
    "G-P1-23": (
        [cpu("a_be", "a-low", -1, 10), cpu("b_be", "b-low", -1, 1)],
        "a_std", 0, {"cpu": 10}, {"a-low": BORROWING},
    ),
    "G-P1-24": ([cpu("b_std", "b", 1, 10)], "a_std", 2, {"cpu": 10}, {}),
    "G-P1-25": ([cpu("b_std", "b", 1, 13)], "a_std", 2, {"cpu": 1}, {"b": OTHERS}),
    "G-P1-26": ([cpu("a_std", "a", 1, 13)], "a_std", 2, {"cpu": 1}, {}),
    "G-P1-27": (
        [cpu("a_std", "a1", 1, 10), cpu("a_std", "a2", 1, 1), cpu("b_std", "b1", 1, 1),
         cpu("b_std", "b2", 2, 1)],
        "b_std", 3, {"cpu": 1}, {"b1": OWN},
    ),
    "G-P1-28": (
        [cpu("b_std", "high", 2, 10), cpu("b_std", "mid", 1, 1), cpu("a_be", "low", -1, 1),
         cpu("a_be", "lower", -2, 1)],
        "b_std", 2, {"cpu": 2}, {"lower": BORROWING, "mid": OWN},
    ),
    "G-P1-29": (
        [cpu("lend1", "lend1-low", -1, 3), cpu("lend2", "lend2-mid", 0, 3), cpu("lend2", "lend2-high", 1, 4)],
        "lend1", 1, {"cpu": 3}, {"lend2-mid": OTHERS},
    ),
    "G-P1-30": (LENT, "lend1", 0, {"cpu": 4}, {"lend1-low": OWN, "lend2-low": OTHERS}),
    "G-P1-31": ([cpu("lend2", "lend2-low", -1, 10)], "lend1", 0, {"cpu": 9}, {}),
    "G-P1-32": (CPU_ONLY, "a", 0, {"cpu": 2}, {"a1": OWN, "a2": OWN}),
    "G-P1-33": (THREE, "a", 0, {"cpu": 2, "memory": 2}, {"a1": OWN, "a2": OWN}),
    "G-P1-34": (CPU_ONLY, "a", 0, {"cpu": 2, "memory": 2}, {"a1": OWN, "a2": OWN}),
    "G-P1-35": (
        [cpu("a", "a1", -1, 1), *(cpu("b", f"b{n}", 0, 1) for n in (1, 2, 3, 4)), cpu("b", "b5", -1, 1)],
        "a", 0, {"cpu": 2}, {"a1": OWN, "b5": OTHERS},
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("holders", "queue", "priority", "requests", "expected"), VECTORS.values(), ids=VECTORS
)
def test_targets(
    holders: list[tuple[Any, ...]],
    queue: str,
    priority: int,
    requests: dict[str, Any],
    expected: dict[str, str],
) -> None:
    arena = make_arena()
    for name, holder, importance, usage in holders:
        arena.holds(name, holder, importance, **usage)

    assert arena.targets(queue, priority, requests) == expected


def test_only_what_is_short_makes_a_candidate_g_p1_07() -> None:
    arena = make_arena()
    for row in (
        memory("alpha", "low", -1, "2Gi"),
        memory("beta", "mid", 0, "1Gi"),
        memory("beta", "high", 1, "1Gi"),
    ):
        arena.holds(row[0], row[1], row[2], **row[3])
    requests = {"cpu": 1, "memory@beta": "2Gi"}

    assert arena.targets("standalone", 1, requests, short_of=["memory@beta"]) == {"mid": OWN}


def test_of_newer_equals_the_newest_reservation_goes_g_p1_22() -> None:
    arena = make_arena().holds("wl1", "ps", 2, created=20, cpu=2)
    arena.holds("wl2", "ps", 1, created=20, since=60, cpu=2).holds("wl3", "ps", 1, created=20, cpu=2)

    assert arena.targets("ps", 1, {"cpu": 2}, created=19) == {"wl2": OWN}


def test_equals_that_are_as_old_stay_q_250() -> None:
    arena = make_arena().holds("same", "ps", 1, created=19, cpu=6)

    assert arena.targets("ps", 1, {"cpu": 2}, created=19) == {}


def test_quota_is_reclaimed_across_cohorts_g_p1_36() -> None:
    arena = Arena().cohort("root").cohort("left", "root").cohort("right", "root")
    arena.member("cq-left", "left", policies(reclaim=ANY), cpu=10).member("cq-right", "right", cpu=0)

    assert arena.holds("r", "cq-right", 0, cpu=5).targets("cq-left", 0, {"cpu": 8}) == {"r": OTHERS}


@pytest.mark.parametrize(
    ("threshold", "expected"), [(None, {"b": BORROWING}), (0, {"b": BORROWING}), (-1, {})]
)
def test_borrowing_takes_only_what_is_not_above_the_threshold_q_257(
    threshold: int | None, expected: dict[str, str]
) -> None:
    arena = Arena().member("a", "all", policies(reclaim=LOWER, borrow=LOWER, threshold=threshold), cpu=0)
    arena.member("b", "all", cpu=0).member("bank", "all", cpu=2).holds("b", "b", 0, cpu=2)

    assert arena.targets("a", 1, {"cpu": 2}) == expected


STOPPED = {"v0.19": {}, "without defects": {"b": OTHERS}}


@pytest.mark.parametrize(("world", "expected"), STOPPED.items(), ids=STOPPED)
def test_what_holds_quota_in_a_stopped_queue_is_no_candidate_qc_08(
    world: str, expected: dict[str, str]
) -> None:
    arena = (
        Arena(follows=WORLDS[world])
        .member("a", "all", policies(reclaim=ANY), cpu=2)
        .member("b", "all", cpu=0)
    )
    arena.holds("b", "b", 0, cpu=2)
    assert arena.targets("a", 0, {"cpu": 2}) == {"b": OTHERS}

    arena.queue("b", group("cpu", default=[0]), cohortName="all", stopPolicy="Hold")
    assert arena.targets("a", 0, {"cpu": 2}) == expected
