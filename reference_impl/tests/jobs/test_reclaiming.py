"""Which pods of a Job are not needed again (AC-115, Q-083, BUG-158, BUG-159)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.jobs.decide import reclaim_pods
from reference_impl.kueue.jobs.job import Job
from reference_impl.kueue.jobs.reclaiming import (
    count_ended,
    count_indexes,
    free_pods,
    free_slots,
    is_accepted,
    reclaimable_pods,
)
from reference_impl.kueue.jobs.steps import SetReclaimable

from .objects import ADMITTED, RESERVED, job, snapshot, workload

INDEXES = {
    "one": (("2",), 5, 1),
    "a range": (("0,2-4",), 5, 4),
    "two texts": (("0", "1"), 5, 2),
    "an index in both counts once": (("0-2", "2-3"), 5, 4),
    "a range within another": (("0-4", "1-2"), 5, 5),
    "beyond the completions": (("0,3-9",), 5, 3),
    "no index": (("x,-,3-1,4",), 5, 1),
    "none": ((), 5, 0),
}


@pytest.mark.parametrize(("texts", "limit", "count"), INDEXES.values(), ids=INDEXES)
def test_indexes_are_counted_once_each(texts: tuple[str, ...], limit: int, count: int) -> None:
    assert count_indexes(texts, limit) == count


def make_indexed(count: int, **status: Any) -> Job:
    plain = job(count=count, status=status)
    return Job({**plain.object, "spec": {**plain.spec, "completionMode": "Indexed"}})


def test_failed_indexes_have_ended_as_well() -> None:
    assert count_ended(make_indexed(3, failedIndexes="1")) == 1
    assert count_ended(make_indexed(3, failedIndexes="1", completedIndexes="0", succeeded=1)) == 2
    assert count_ended(job(count=3, status={"succeeded": 2, "failedIndexes": "0"})) == 2


JOBS = {
    "nothing ended": (job(count=3), 0, 0),
    "more remains than runs": (job(count=3, completions=9, status={"succeeded": 2}), 0, 0),
    "one is not needed": (job(count=3, status={"succeeded": 1}), 1, 1),
    "a single pod": (job(count=1, status={"succeeded": 1}), 0, 0),
    "more succeeded than has to": (job(count=3, status={"succeeded": 7}), 3, 3),
    "more parallelism than completions": (job(count=5, completions=3, status={"succeeded": 1}), 3, 1),
    "all of these ended": (job(count=5, completions=3, status={"succeeded": 3}), 5, 3),
}


@pytest.mark.parametrize(("of", "slots", "pods"), JOBS.values(), ids=JOBS)
def test_what_a_job_does_not_need_again_bug_158(of: Job, slots: int, pods: int) -> None:
    assert (free_slots(of), free_pods(of)) == (slots, pods)


def test_no_more_is_given_back_than_the_workload_has() -> None:
    of = workload(job(count=3))

    assert [reclaimable_pods(count, of) for count in (0, 2, 5)] == [
        [],
        [{"name": "main", "count": 2}],
        [{"name": "main", "count": 3}],
    ]


@pytest.mark.parametrize(
    ("conditions", "had", "count", "accepted"),
    [
        ((RESERVED,), 2, 1, False),
        ((RESERVED,), 1, 0, False),
        ((RESERVED,), 1, 2, True),
        ((RESERVED,), 0, 1, True),
        ((), 2, 1, True),
    ],
    ids=["fewer", "none", "more", "the first", "fewer without quota"],
)
def test_pods_are_not_taken_back_while_quota_is_held_bug_159(
    conditions: Any, had: int, count: int, accepted: bool
) -> None:
    of = job(count=3)
    present = workload(of, *conditions, reclaimablePods=reclaimable_pods(had, workload(of)))

    assert is_accepted(present, reclaimable_pods(count, present)) is accepted


def test_what_is_given_back_is_written_once() -> None:
    running = job(count=3, suspend=False, status={"succeeded": 1})
    entries = [{"name": "main", "count": 1}]

    step = reclaim_pods(snapshot(running, workload(running, RESERVED, ADMITTED)))

    assert isinstance(step, SetReclaimable)
    assert step.pods == entries
    written = workload(running, RESERVED, ADMITTED, reclaimablePods=entries)
    assert reclaim_pods(snapshot(running, written)) is None
