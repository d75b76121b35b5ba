"""Writes and events of scheduling outcomes, and the outcomes whose write fails (Q-232…Q-241)."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.scheduling.outcomes import RETRY_SECONDS, SchedulingOutcome
from reference_impl.runtime.controller import RequeueAfter
from reference_impl.runtime.errors import ApiError, UnreachableError

from .test_scheduler import Bench, alone, make_checked

W = Key("ns", "w")
BROKEN = ApiError(500, "InternalError", "no")
NO_ANSWER = UnreachableError("reset by peer")


def outcome(bench: Any, *, reserves: bool, **fields: Any) -> SchedulingOutcome:
    """Return what a cycle might have found for the only Workload: a reservation, or why there is none."""
    admission = {"admission": {"clusterQueue": "cq"}} if reserves else {}
    condition = {"type": "QuotaReserved", "status": str(reserves), "reason": "Pending", "message": "why"}
    status = {**admission, "conditions": [{**condition, "lastTransitionTime": "2023-11-14T22:00:00Z"}]}
    return SchedulingOutcome(bench.cluster.objects["ns/w"], status, "" if reserves else None, **fields)


def write(bench: Any, outcome: SchedulingOutcome) -> tuple[RequeueAfter | None, list[Any]]:
    """Write an outcome; return what follows, and of what the scheduler is told."""
    events: list[Any] = []
    bench.writer.written = lambda key, stored: events.append((key, stored is not None))
    bench.writer.failed = lambda workload, *, gone, refused=False: events.append(
        (workload.name, gone, refused)
    )
    bench.writer.put(outcome)
    return asyncio.run(bench.writer.reconcile(W)), events


TOLD = {
    "a reservation": (True, None, []),
    "why there is none": (False, None, [(W, True)]),
    "why there is none, which is refused": (False, BROKEN, [(W, False)]),
    "why there is none, without an answer": (False, NO_ANSWER, [(W, False)]),
    "why there is none, of another revision": (
        False,
        ApiError(409, "Conflict", "no"),
        [("w", False, False), (W, False)],
    ),
    "a reservation that is refused": (True, BROKEN, [("w", False, True)]),
    "a reservation that is refused by a policy": (True, ApiError(422, "Invalid", "no"), [("w", False, True)]),
    "a reservation that met another write": (True, ApiError(409, "Conflict", "no"), [("w", False, False)]),
    "a reservation that a busy server did not take": (
        True,
        ApiError(503, "ServiceUnavailable", "no"),
        [("w", False, False)],
    ),
}


@pytest.mark.parametrize(("reserves", "error", "expected"), TOLD.values(), ids=TOLD)
def test_the_scheduler_is_told_what_became_of_a_write_q_234(
    reserves: bool, error: Exception | None, expected: Any
) -> None:
    bench = Bench(alone(2).cpu("w", 1), error)

    assert write(bench, outcome(bench, reserves=reserves)) == (None, expected)


@pytest.mark.parametrize("error", [None, BROKEN, NO_ANSWER], ids=["written", "refused", "no answer"])
def test_that_it_has_to_wait_is_told_even_if_it_cannot_be_written(error: Exception | None) -> None:
    bench = Bench(alone(2).cpu("w", 1), error)

    write(bench, outcome(bench, reserves=False))

    assert bench.notes.told == [("Warning", "Pending", "why")]


@pytest.mark.parametrize("error", [BROKEN, NO_ANSWER], ids=["refused", "no answer"])
def test_whether_a_reservation_is_stored_is_asked_until_it_is_known(error: Exception) -> None:
    bench = Bench(alone(2).cpu("w", 1), NO_ANSWER, error)

    assert write(bench, outcome(bench, reserves=True)) == (RequeueAfter(RETRY_SECONDS), [])
    assert asyncio.run(bench.writer.reconcile(W)) == RequeueAfter(RETRY_SECONDS)


@pytest.mark.parametrize(("reserves", "strict"), [(True, False), (False, True)])
def test_v0_6_says_of_a_known_revision_alone_why_there_is_no_reservation_ac_370(
    reserves: bool, strict: bool
) -> None:
    bench = Bench(alone(2).cpu("w", 1))
    bench.cluster.objects["ns/w"].metadata["resourceVersion"] = "7"
    bench.writer._reporting = dialect("v0.6").queues

    write(bench, outcome(bench, reserves=reserves))

    assert ("resourceVersion" in bench.server.applied[0][2]["metadata"]) is strict


def test_a_reservation_tells_what_was_considered_and_how_long_it_waited_ev_001() -> None:
    bench = Bench(alone(2).cpu("w", 1))

    write(bench, replace(outcome(bench, reserves=True), flavors_note="main: default"))

    (_, _, note) = bench.notes.told[0]
    events = re.fullmatch(
        r"Quota reserved in ClusterQueue cq, wait time since queued was (\d+)s; Flavors considered: main: default",
        note,
    )
    assert events is not None
    assert 0 < int(events[1]) < 1_000_000_000


@pytest.mark.parametrize(
    ("delayed", "events"), [("", []), ("2 wait", [("Normal", "PreemptionsDelayed", "2 wait")])]
)
def test_preemptions_that_checks_delay_are_told_where_there_are_some_ac_489(
    delayed: str, events: Any
) -> None:
    bench = Bench(alone(2).cpu("w", 1))

    write(bench, outcome(bench, reserves=True, delay_note=delayed))

    assert bench.notes.told[1:] == events


def test_checks_that_were_ready_before_took_no_time_mt_023() -> None:
    bench = Bench(make_checked("Ready")).run()

    assert bench.metrics.value("kueue_admission_checks_wait_time_seconds", "cq", "") == 0
