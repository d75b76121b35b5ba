"""CronJobs: rules (FK-504)."""

from __future__ import annotations

from ...schema import fields
from ..validation import basics
from ..validation.basics import Errors, Json
from . import schedules
from .validation import without_selector

CRON_NAME_LIMIT = 52


def cron(obj: Json) -> list[fields.FieldError]:
    """Judge a CronJob."""
    value = obj["spec"]
    policies = ("Allow", "Forbid", "Replace")
    limits = ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")
    return [
        *_cron_name(obj["metadata"].get("name", "")),
        *_schedule(value),
        *(error for name in limits for error in basics.not_negative(value.get(name), f"spec.{name}")),
        *basics.choice(value.get("concurrencyPolicy"), "spec.concurrencyPolicy", policies),
        *without_selector(value["jobTemplate"]["spec"], "spec.jobTemplate.spec"),
        *_cron_selector(value["jobTemplate"]["spec"], "spec.jobTemplate.spec"),
    ]


def _cron_name(name: str) -> Errors:
    """Judge that a Job's name, which is eleven characters longer, will fit."""
    if len(name) > CRON_NAME_LIMIT:
        yield fields.invalid("metadata.name", name, f"must be no more than {CRON_NAME_LIMIT} characters")


def _schedule(value: Json) -> Errors:
    text, zone = value.get("schedule", ""), value.get("timeZone")
    if not text:
        yield fields.required("spec.schedule")
    elif why := schedules.problem(text):
        yield fields.invalid("spec.schedule", text, why)
    if zone is not None and (why := schedules.zone_problem(zone)):
        yield fields.invalid("spec.timeZone", zone, why)


def _cron_selector(value: Json, path: str) -> Errors:
    if value.get("manualSelector"):
        yield fields.not_supported(f"{path}.manualSelector", True, ["nil", "false"])
    if value.get("selector") is not None:
        yield fields.invalid(f"{path}.selector", value["selector"], "`selector` will be auto-generated")
