"""Through how many files the decision about a Workload goes: a limit that is lowered whenever
the way becomes shorter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

import reference_impl

from .preemption.arenas import Arena, policies
from .queue_side import Cluster, group

ROOT = Path(reference_impl.__file__).parent
SCHEDULING = "kueue/scheduling/"
MOST_OF_THE_SCHEDULER, MOST_OF_ALL = 9, 23
MOST_WITH_PREEMPTION, MOST_OF_ALL_WITH_PREEMPTION = 12, 26
STATIONS = ["cycle.py", "flavor_assigner.py", "assignment.py", "entry.py"]


def walk(act: Callable[[], object]) -> list[str]:
    """The files of the package whose functions an act calls, in the order of their first calls."""
    files: dict[str, None] = {}

    def observe(frame: FrameType, event: str, _: object) -> None:
        file = Path(frame.f_code.co_filename)
        if event == "call" and file.is_relative_to(ROOT):
            files[str(file.relative_to(ROOT))] = None

    before = sys.getprofile()
    sys.setprofile(observe)
    try:
        act()
    finally:
        sys.setprofile(before)
    return [file for file in files if not file.startswith("tests/")]


def decision(cluster: Cluster) -> list[str]:
    """The files of one cycle, from its heads to their verdicts."""
    heads = cluster.heads()
    return walk(lambda: cluster.cycle.run(heads))


@pytest.fixture(name="reservation", scope="module")
def files_of_a_reservation() -> list[str]:
    cluster = Cluster().flavors().queue("cq", group("cpu", default=[1]))
    return decision(cluster.cpu("fits", 1))


@pytest.fixture(name="preemption", scope="module")
def files_of_a_preemption() -> list[str]:
    arena = Arena()
    arena.queue("cq", group("cpu", default=[4]), preemption=policies("LowerPriority", "Never"))
    arena.holds("low", "cq", -1, cpu=4, admitted=True)
    return decision(arena.cpu("high", 4, priority=2))


def test_a_reservation_is_decided_in_few_files(reservation: list[str]) -> None:
    assert len([file for file in reservation if file.startswith(SCHEDULING)]) <= MOST_OF_THE_SCHEDULER
    assert len(reservation) <= MOST_OF_ALL, reservation


def test_a_preemption_is_decided_in_few_files(preemption: list[str]) -> None:
    assert len([file for file in preemption if file.startswith(SCHEDULING)]) <= MOST_WITH_PREEMPTION
    assert len(preemption) <= MOST_OF_ALL_WITH_PREEMPTION, preemption


def test_a_decision_comes_through_the_stations_in_order(reservation: list[str]) -> None:
    names = [file.removeprefix(SCHEDULING) for file in reservation]

    assert [name for name in names if name in STATIONS] == STATIONS
