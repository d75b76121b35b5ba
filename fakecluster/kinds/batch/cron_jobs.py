"""CronJobs: rules (FK-504)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors
from . import schedules
from .validation import without_selector

CRON_NAME_LIMIT = 52


POLICIES = ("Allow", "Forbid", "Replace")


def cron(obj: Json) -> list[fields.FieldError]:
    """Judge a new CronJob."""
    return [*_cron_name(obj["metadata"].get("name", "")), *_spec(obj["spec"], {})]


def judge_update(after: Json, before: Json) -> list[fields.FieldError]:
    """Judge an update of a CronJob, whose name and time zone are judged when they are new."""
    return list(_spec(after["spec"], before["spec"]))


def _spec(value: Json, before: Json) -> Errors:
    yield from _schedule(value.get("schedule", ""))
    yield from basics.not_negative(value.get("startingDeadlineSeconds"), "spec.startingDeadlineSeconds")
    zone = value.get("timeZone")
    # A zone that stays may be unknown: the database of zones may have changed since.
    if zone is not None and zone != before.get("timeZone") and (why := schedules.zone_problem(zone)):
        yield fields.invalid("spec.timeZone", zone, why)
    yield from basics.choice(value.get("concurrencyPolicy"), "spec.concurrencyPolicy", POLICIES)
    yield from without_selector(value["jobTemplate"]["spec"], "spec.jobTemplate.spec")
    yield from _cron_selector(value["jobTemplate"]["spec"], "spec.jobTemplate.spec")
    for name in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit"):
        yield from basics.not_negative(value.get(name), f"spec.{name}")


def _cron_name(name: str) -> Errors:
    """Judge that a Job's name, which is eleven characters longer, will fit."""
    # The controller appends eleven characters to make the name of a Job.
    if len(name) > CRON_NAME_LIMIT:
        yield fields.invalid("metadata.name", name, f"must be no more than {CRON_NAME_LIMIT} characters")


def _schedule(text: str) -> Errors:
    if not text:
        yield fields.required("spec.schedule")
        return
    for why in schedules.problems(text):
        yield fields.invalid("spec.schedule", text, why)


def _cron_selector(value: Json, path: str) -> Errors:
    if value.get("selector") is not None:
        yield fields.invalid(f"{path}.selector", value["selector"], "`selector` will be auto-generated")
    if value.get("manualSelector"):
        yield fields.not_supported(f"{path}.manualSelector", True, ["nil", "false"])
