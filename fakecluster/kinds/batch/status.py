"""Which statuses of a Job make sense, and which changes of them (FK-477).

A rule applies when its fields change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...base.json_types import Json
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from .completion_indexes import IndexFormatError, count_indexes, overlap

COUNTERS = ("active", "succeeded", "failed", "ready", "terminating")
KINDS = ("Complete", "Failed", "FailureTarget", "SuccessCriteriaMet")
ConditionsByType = Mapping[str, bool]


def judge_update(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge an update of a Job's status."""
    return [*_now(new, old), *_change(new, old)]


def facts(job: Json) -> ConditionsByType:
    """Return which of the conditions that end a Job hold."""
    conditions = job.get("status", {}).get("conditions", ())
    holding = {condition["type"] for condition in conditions if condition["status"] == "True"}
    facts = {kind: kind in holding for kind in KINDS}
    return {**facts, "finished": facts["Complete"] or facts["Failed"]}


# Rules run only where their fields have changed, so that an old status does not block a new one.
def _now(new: Json, old: Json) -> Errors:
    status, before = new.get("status", {}), old.get("status", {})
    is_, was = facts(new), facts(old)

    def differs(*names: str) -> bool:
        return any(status.get(name) != before.get(name) for name in names)

    def has_become_true(*names: str) -> bool:
        return any(is_[name] != was[name] for name in names)

    for name in COUNTERS:
        yield from basics.not_negative(status.get(name), f"status.{name}")
    yield from _pod_uids(status.get("uncountedTerminatedPods") or {})
    conditions = "status.conditions"
    if has_become_true("Complete", "Failed") and is_["Complete"] and is_["Failed"]:
        yield basics.invalid_whole(conditions, "cannot set Complete=True and Failed=true conditions")
    if has_become_true("Complete", "FailureTarget") and is_["Complete"] and is_["FailureTarget"]:
        yield basics.invalid_whole(conditions, "cannot set Complete=True and FailureTarget=true conditions")
    yield from _times(status, is_, completed=has_become_true("Complete"), differs=differs)
    if (has_become_true("Failed") or differs("failedIndexes")) and is_["Failed"] and not is_["FailureTarget"]:
        why = "cannot set Failed=True condition without the FailureTarget=true condition"
        yield basics.invalid_whole(conditions, why)
    if (
        has_become_true("Complete", "SuccessCriteriaMet")
        and is_["Complete"]
        and not is_["SuccessCriteriaMet"]
    ):
        why = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition"
        yield basics.invalid_whole(conditions, why)
    yield from _finish_errors(new, is_, ended=has_become_true("finished"), differs=differs)
    yield from _indexes(new, differs)
    if (
        (has_become_true("finished") or differs("terminating"))
        and status.get("terminating", 0) > 0
        and is_["finished"]
    ):
        why = "terminating>0 is invalid for finished job"
        yield fields.invalid("status.terminating", status["terminating"], why)
    # A pointer in Go: an absent number is not judged.
    if differs("ready", "active") and "ready" in status and status["ready"] > status.get("active", 0):
        yield fields.invalid("status.ready", status["ready"], "cannot set more ready pods than active")
    yield from _criteria(new, is_)


def _criteria(job: Json, is_: ConditionsByType) -> Errors:
    """Judge SuccessCriteriaMet beside the other conditions."""
    for other in ("Failed", "FailureTarget"):
        if is_["SuccessCriteriaMet"] and is_[other]:
            yield basics.invalid_whole(
                "status.conditions", f"cannot set SuccessCriteriaMet=True and {other}=true conditions"
            )
    if job["spec"].get("successPolicy") and is_["Complete"] and not is_["SuccessCriteriaMet"]:
        why = "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"
        yield basics.invalid_whole("status.conditions", why)


def _pod_uids(value: Json) -> Errors:
    uids: set[str] = set()
    for name in ("succeeded", "failed"):
        for number, uid in enumerate(value.get(name) or ()):
            path = f"status.uncountedTerminatedPods.{name}[{number}]"
            if not uid:
                yield fields.invalid(path, uid, "must not be empty")
            elif uid in uids:
                yield fields.duplicate(path, uid)
            # Across both lists: a pod has either succeeded or failed.
            uids.add(uid)


def _times(status: Json, is_: ConditionsByType, *, completed: bool, differs: Callable[..., bool]) -> Errors:
    ended, started, path = status.get("completionTime"), status.get("startTime"), "status.completionTime"
    if completed or differs("completionTime"):
        if ended and not is_["Complete"]:
            why = "cannot set completionTime when there is no Complete=True condition"
            yield fields.invalid(path, ended, why)
        if not ended and is_["Complete"]:
            yield fields.required(path, "completionTime is required for Complete jobs")
    # Times of one format compare as texts.
    if differs("startTime", "completionTime") and ended and started and ended < started:
        yield fields.invalid(path, ended, "must be equal to or after `startTime`")


def _finish_errors(job: Json, is_: ConditionsByType, *, ended: bool, differs: Callable[..., bool]) -> Errors:
    if not is_["finished"]:
        return
    status = job["status"]
    if (ended or differs("active")) and status.get("active", 0) > 0:
        yield fields.invalid("status.active", status["active"], "active>0 is invalid for finished job")
    # A suspended Job without completions ends without having started.
    nothing_to_do = job["spec"].get("suspend") and job["spec"].get("completions") == 0
    if (ended or differs("startTime")) and not nothing_to_do and not status.get("startTime"):
        yield fields.required("status.startTime", "startTime is required for finished job")
    uncounted = status.get("uncountedTerminatedPods") or {}
    if (ended or differs("uncountedTerminatedPods")) and any(uncounted.values()):
        value = {"Succeeded": uncounted.get("succeeded"), "Failed": uncounted.get("failed")}
        yield fields.invalid("status.uncountedTerminatedPods", value, "must be empty for finished job")


def _indexes(job: Json, differs: Callable[..., bool]) -> Errors:
    spec, status = job["spec"], job.get("status", {})
    completions = spec.get("completions")
    completed, failed = status.get("completedIndexes", ""), status.get("failedIndexes")
    if differs("completedIndexes"):
        yield from _format("completedIndexes", completed, completions)
        if completed and spec.get("completionMode") != "Indexed":
            why = "cannot set non-empty completedIndexes when non-indexed completion mode"
            yield fields.invalid("status.completedIndexes", completed, why)
    if differs("failedIndexes") and failed is not None:
        if spec.get("backoffLimitPerIndex") is None:
            why = "cannot set non-null failedIndexes when backoffLimitPerIndex is null"
            yield fields.invalid("status.failedIndexes", failed, why)
        else:
            yield from _format("failedIndexes", failed, completions)
    if differs("failedIndexes", "completedIndexes") and completions is not None and failed is not None:
        common = overlap(completed, failed, completions)
        if common:
            yield fields.invalid("status.failedIndexes", failed, common)


def _format(name: str, ranges: str, completions: int | None) -> Errors:
    if completions is None:
        return
    try:
        count_indexes(ranges, completions)
    except IndexFormatError as error:
        yield fields.invalid(f"status.{name}", ranges, f"error parsing {name}: {error}")


def _change(new: Json, old: Json) -> Errors:
    status, before = new.get("status", {}), old.get("status", {})
    is_, was = facts(new), facts(old)
    for kind in ("Failed", "Complete", "FailureTarget"):
        if was[kind] and not is_[kind]:
            yield basics.invalid_whole(
                "status.conditions", f"cannot disable the terminal {kind}=True condition"
            )
    scalable = new["spec"].get("completionMode") == "Indexed" and (
        new["spec"].get("completions") == new["spec"].get("parallelism")
    )
    for name in ("failed", "succeeded"):
        if status.get(name, 0) < before.get(name, 0) and not (name == "succeeded" and scalable):
            yield fields.invalid(f"status.{name}", status.get(name, 0), f"cannot decrease the {name} counter")
    ended, ended_before = status.get("completionTime"), before.get("completionTime")
    if ended and ended_before and ended != ended_before:
        yield fields.invalid("status.completionTime", ended, "field is immutable")
    yield from _start_time(new, old)
    if was["SuccessCriteriaMet"] and not is_["SuccessCriteriaMet"]:
        yield basics.invalid_whole(
            "status.conditions", "cannot disable the SuccessCriteriaMet=True condition"
        )
    if was["Complete"] and not was["SuccessCriteriaMet"] and is_["SuccessCriteriaMet"]:
        why = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"
        yield basics.invalid_whole("status.conditions", why)


def _start_time(new: Json, old: Json) -> Errors:
    before, start_time = old.get("status", {}).get("startTime"), new.get("status", {}).get("startTime")
    resuming = _status_of_suspended(old) == "True" and _status_of_suspended(new) == "False"
    # A Job that is resumed starts anew; only then startTime may change.
    if before and before != start_time and not resuming and not new["spec"].get("suspend"):
        yield fields.invalid(
            "status.startTime", start_time, "field is immutable for unsuspended job once set"
        )


def _status_of_suspended(job: Json) -> str:
    conditions = job.get("status", {}).get("conditions", ())
    return next(
        (str(condition["status"]) for condition in conditions if condition["type"] == "Suspended"), ""
    )
