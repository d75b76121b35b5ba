"""How long a finished Workload is kept (AC-320, SC-186)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.kueue.workload.decision import REST, Decision, Delete
from reference_impl.kueue.workload.transitions import V0_19, decide
from reference_impl.kueue.workload.view import Workload

from .objects import NOW, condition, workload, world

OVER = workload(condition("Finished"))
LEAVING = workload(condition("Finished"), metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"})
KEPT = {
    "for good": (OVER, None, REST),
    "until its time is over": (OVER, 160.0, Decision(again_after=60.0)),
    "half a second before that": (OVER, 100.5, Decision(again_after=0.5)),
    "already leaving": (LEAVING, 0.0, REST),
}


@pytest.mark.parametrize(("subject", "retention", "expected"), KEPT.values(), ids=KEPT)
def test_kept(subject: Workload, retention: float | None, expected: Decision) -> None:
    assert decide(subject, world(), NOW, replace(V0_19, retention=retention)) == expected


def test_deleted_when_its_time_is_over() -> None:
    decision = decide(OVER, world(), NOW, replace(V0_19, retention=100.0))

    assert decision.write == Delete()
    assert [(note.reason, note.note) for note in decision.events] == [
        ("Deleted", "Deleted finished workload due to elapsed retention")
    ]


def test_a_workload_that_is_not_over_stays() -> None:
    assert decide(workload(), world(), NOW, replace(V0_19, retention=0.0)) == REST
