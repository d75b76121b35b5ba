"""What Jobs that Kueue manages must say (AC-330…336, Q-060):
labels, annotations, and what may change while they run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...api import numbers
from ..jobs.job import (
    MAX_EXECUTION_LABEL,
    MIN_PARALLELISM_ANNOTATION,
    PREBUILT_LABEL,
    PRIORITY_CLASS_LABEL,
    QUEUE_LABEL,
    SYNC_COMPLETIONS_ANNOTATION,
    Job,
)
from .gates import gates_of, gates_unchanged
from .jobs_pods_ready import timeouts, timeouts_unchanged
from .jobs_topology import topology
from .names import subdomain
from .problems import IMMUTABLE, Problem, forbidden, invalid, unchanged
from .writes import ReviewedWrite, ValidationRule

TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
FALSE: Final = frozenset({"0", "f", "F", "false", "FALSE", "False"})


def names(write: ReviewedWrite) -> Iterator[Problem]:
    """The queue and the prebuilt Workload are names of objects; the latter may also be
    said by an annotation.
    """
    job = Job(write.new)
    labels = {_label(QUEUE_LABEL): job.labels.get(QUEUE_LABEL)}
    # The annotation wins, as in Kueue: names of Workloads may be longer than label
    # values.
    if annotated := job.annotations.get(PREBUILT_LABEL):
        labels[_annotation(PREBUILT_LABEL)] = annotated
    else:
        labels[_label(PREBUILT_LABEL)] = job.labels.get(PREBUILT_LABEL)
    for path, value in labels.items():
        if value is not None and (wrong := list(subdomain(value))):
            yield invalid(path, value, ",".join(wrong))


def execution_time(write: ReviewedWrite) -> Iterator[Problem]:
    """The longest execution time is a number of seconds."""
    text = Job(write.new).labels.get(MAX_EXECUTION_LABEL)
    if text is None:
        return
    seconds = numbers.parse_int64(text)
    if seconds is None:
        yield invalid(_label(MAX_EXECUTION_LABEL), text, _not_a_number(text))
    elif seconds <= 0:
        yield invalid(_label(MAX_EXECUTION_LABEL), seconds, "should be greater than 0")


def partial_admission(write: ReviewedWrite) -> Iterator[Problem]:
    """The smallest parallelism is less than the parallelism; on an update it is judged when it changes."""
    job = Job(write.new)
    text = job.annotations.get(MIN_PARALLELISM_ANNOTATION)
    before = Job(write.old).annotations.get(MIN_PARALLELISM_ANNOTATION) if write.old is not None else None
    if text is None or (write.old is not None and text == before):
        return
    path, least = _annotation(MIN_PARALLELISM_ANNOTATION), numbers.parse_int64(text)
    if least is None:
        yield invalid(path, text, _not_a_number(text))
    elif not _is_within(least, job):
        yield _beyond(path, least, job)


def min_parallelism_of_32_bits(write: ReviewedWrite) -> Iterator[Problem]:
    """Refuse a smallest parallelism that is within bounds only after it was truncated (KV-57)."""
    job = Job(write.new)
    least = numbers.parse_int64(job.annotations.get(MIN_PARALLELISM_ANNOTATION, ""))
    if least is not None and _is_within(least, job) and least != numbers.of_32_bits(least):
        yield _beyond(_annotation(MIN_PARALLELISM_ANNOTATION), least, job)


def _is_within(least: int, job: Job) -> bool:
    # Go compares what is left of it in 32 bits.
    return least > 0 and numbers.of_32_bits(least) < job.pod_count


def _beyond(path: str, least: int, job: Job) -> Problem:
    return invalid(path, least, f"should be between 0 and {job.pod_count - 1}")


def sync_completions(write: ReviewedWrite) -> Iterator[Problem]:
    """Completions follow parallelism in indexed Jobs only, and begin with the same number."""
    job = Job(write.new)
    text = job.annotations.get(SYNC_COMPLETIONS_ANNOTATION)
    path = _annotation(SYNC_COMPLETIONS_ANNOTATION)
    # strconv.ParseBool takes just these words.
    if text is None or text in FALSE:
        return
    if text not in TRUE:
        yield invalid(path, text, f'strconv.ParseBool: parsing "{text}": invalid syntax')
        return
    if job.spec.get("completionMode", "NonIndexed") == "NonIndexed":
        yield invalid(path, text, "should not be enabled for NonIndexed jobs")
    # Go reads a missing pointer as 1 here.
    if job.parallelism != job.spec.get("completions", 1):
        expectation = f"should be equal to parallelism when {SYNC_COMPLETIONS_ANNOTATION} annotation is true"
        yield invalid("spec.completions", job.spec.get("completions"), expectation)


def labels_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """While a Job runs, its queue, its Workload and its time stay; a priority class comes early or never."""
    if write.old is None:
        return
    new, old = Job(write.new), Job(write.old)
    if not new.is_suspended:
        yield from unchanged(new.queue_name, old.queue_name, _label(QUEUE_LABEL))
        yield from unchanged(new.prebuilt, old.prebuilt, _label(PREBUILT_LABEL))
    # The write that suspends or starts a Job is judged as if it ran: the Workload has
    # the old values.
    if not (new.is_suspended and old.is_suspended):
        current_time, before = (job.labels.get(MAX_EXECUTION_LABEL, "") for job in (new, old))
        yield from unchanged(current_time, before, _label(MAX_EXECUTION_LABEL))
    yield from _priority(new, old)


def _priority(new: Job, old: Job) -> Iterator[Problem]:
    current_time, before = (job.labels.get(PRIORITY_CLASS_LABEL, "") for job in (new, old))
    path = _label(PRIORITY_CLASS_LABEL)
    if current_time and not before and not new.is_suspended:
        yield invalid(path, current_time, "WorkloadPriorityClass cannot be added to a non-suspended workload")
    if before and not current_time:
        yield invalid(path, current_time, "WorkloadPriorityClass cannot be removed from a workload")


def parallelism_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """A Job that may run smaller keeps its parallelism while it runs, and whether completions follow."""
    if write.old is None:
        return
    new, old = Job(write.new), Job(write.old)
    # Judged by the old object: the write that starts a Job may still change its
    # parallelism.
    runs = not old.spec.get("suspend")
    if MIN_PARALLELISM_ANNOTATION in old.annotations and runs and new.parallelism != old.parallelism:
        text = "cannot change when partial admission is enabled and the job is not suspended"
        yield forbidden("spec.parallelism", text)
    if not new.is_suspended and not old.is_suspended and new.syncs_completions != old.syncs_completions:
        yield forbidden(
            _annotation(SYNC_COMPLETIONS_ANNOTATION), f"{IMMUTABLE} while the job is not suspended"
        )


def _label(name: str) -> str:
    return f"metadata.labels[{name}]"


def _annotation(name: str) -> str:
    return f"metadata.annotations[{name}]"


def _not_a_number(text: str) -> str:
    try:
        numbers.parse(text)
    except numbers.NumberError as error:
        return str(error)
    return ""


JOB: Final = (
    ValidationRule(names),
    ValidationRule(execution_time),
    ValidationRule(gates_of, (0, 16)),
    ValidationRule(partial_admission),
    ValidationRule(min_parallelism_of_32_bits, ("0.19.6", "0.20.0")),
    ValidationRule(sync_completions),
    ValidationRule(labels_unchanged),
    ValidationRule(gates_unchanged, (0, 16)),
    ValidationRule(parallelism_unchanged),
    ValidationRule(topology, (0, 14)),
    ValidationRule(timeouts, ("0.20.0",)),
    ValidationRule(timeouts_unchanged, ("0.20.0",)),
)
