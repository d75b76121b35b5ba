"""What a Job may say about how long its pods take, while the gate for it is on (KV-61)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..jobs.job import Job
from ..workload.workload_timeouts import ANNOTATION, parse_timeouts
from .problems import Problem, forbidden, invalid
from .writes import ReviewedWrite

GATE: Final = "WorkloadLevelWaitForPodsReady"
PATH: Final = f"metadata.annotations[{ANNOTATION}]"


def timeouts(write: ReviewedWrite) -> Iterator[Problem]:
    """Judge the times: positive, no longer than configured, and none for a recovery alone."""
    text = Job(write.new).annotations.get(ANNOTATION)
    # Kueue reads an empty annotation as none.
    if not text or not write.features[GATE]:
        return
    try:
        named = parse_timeouts(text)
    except ValueError as error:
        yield invalid(PATH, text, str(error))
        return
    if named.timeout_seconds is None:
        yield invalid(PATH, text, "timeoutSeconds is required")
    for name, seconds in (
        ("timeoutSeconds", named.timeout_seconds),
        ("recoveryTimeoutSeconds", named.recovery_timeout_seconds),
    ):
        if seconds is None:
            continue
        if seconds <= 0:
            yield invalid(PATH, text, f"{name} must be greater than 0")
        elif seconds > write.max_timeout_seconds:
            yield invalid(PATH, text, f"{name} must not be greater than {write.max_timeout_seconds:.0f}")


def timeouts_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """The times of a Job that runs stay."""
    if write.old is None or not write.features[GATE]:
        return
    new, old = Job(write.new), Job(write.old)
    # Between two attempts a user may give the pods more time: the Job is suspended then.
    if not new.is_suspended and new.annotations.get(ANNOTATION) != old.annotations.get(ANNOTATION):
        yield forbidden(PATH, "cannot change while the job is not suspended")
