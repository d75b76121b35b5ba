"""What Kueue owes as the integration of batch/v1 Jobs, with the judgements of job integrations, and what it
owes at rest beside them (AC-332, AC-335, AC-363, AC-367).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..job_integration.pods import admitted_workloads, describe_remainder, starts_with_remainders, wrong_pods
from ..job_integration.quota import early_releases
from ..job_integration.starts import starts_without_admission
from ..job_integration.writes import Writes, integration_rule
from ..story import Finding
from ..workload import admission, is_true, owner
from .progress import runs_unadmitted
from .quiet_states import rests


def _runs_without_admission(writes: Writes) -> Iterator[Finding]:
    yield from starts_without_admission(writes)
    yield from runs_unadmitted(writes.story)


def _wrong_starts(writes: Writes) -> Iterator[Finding]:
    yield from wrong_pods(writes)
    for change in writes.starts():
        (parallelism,), (runs,) = (writes.fields.counts(job) for job in (change.before, change.after))
        counts = [
            (admission(workload).get("podSetAssignments") or [{}])[0].get("count")
            for _, workload in admitted_workloads(writes, change)
        ]
        # With partial admission fewer pods run than the Job asks for.
        if counts and runs not in (*counts, parallelism):
            yield change, f"is started with {runs} pods, and {counts[-1]} are admitted"


def _remainders(writes: Writes) -> Iterator[Finding]:
    yield from starts_with_remainders(writes)
    yield from _remainders_at_rest(writes)


def _remainders_at_rest(writes: Writes) -> Iterator[Finding]:
    """Yield each Job that waits again, has no pods, and has not got its pod template back."""
    started = {(change.namespace, change.name) for change in writes.starts()}
    reported: set[tuple[str, str]] = set()
    for rest in rests(writes.story):
        for change, workload in rest.all("Workload"):
            job = rest.job(workload)
            key = (change.namespace, owner(workload).get("name", ""))
            if (
                job is None
                or key not in started
                or key in reported
                or is_true(workload, "Admitted")
                or is_true(workload, "Finished")
            ):
                continue
            # Kueue restores the pods of a Job by a later write than the one that suspends it (AC-336).
            if not writes.fields.is_suspended(job) or writes.fields.has_pods(job):
                continue
            newest = rest.newest["Job", *key]
            if text := describe_remainder(writes, newest, job, workload):
                reported.add(key)
                yield newest, f"is suspended, and {text}"


JOBS = (
    integration_rule(
        "AC-332",
        "keeps quota until the Job of a Workload is suspended and has no pods",
        early_releases,
        since="0.9",
    ),
    integration_rule("AC-335", "lets a Job run only while its Workload is Admitted", _runs_without_admission),
    integration_rule(
        "AC-363",
        "starts the pods of a Job with what flavors, checks and their user name, nothing else, and no more of them than are admitted",
        _wrong_starts,
    ),
    integration_rule("AC-367", "restores the pod template of a Job that is suspended again", _remainders),
)
