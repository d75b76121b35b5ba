"""The columns of Job and CronJob (FK-425)."""

from __future__ import annotations

from ...api.kind import Column
from ...base.json_types import Json
from ...codec import ages
from ...codec.cells import AGE, NONE, column, condition, containers, member
from ..apps.columns import SELECTOR, TEMPLATE, count

JOB_STATES = (
    ("Complete", "Complete"),
    ("Failed", "Failed"),
    ("", "Terminating"),
    ("Suspended", "Suspended"),
    ("FailureTarget", "FailureTarget"),
    ("SuccessCriteriaMet", "SuccessCriteriaMet"),
)
"""(condition, shown word) in order; the empty condition is a deletion."""


def _job_status(job: Json) -> str:
    for kind, word in JOB_STATES:
        if (condition(job, kind).get("status") == "True") if kind else "deletionTimestamp" in job["metadata"]:
            return word
    return "Running"


def _completions(job: Json) -> str:
    done, completions = count("status", "succeeded")(job), member("spec", "completions", default=None)(job)
    if completions is not None:
        return f"{done}/{completions}"
    parallel = count("spec", "parallelism")(job)
    return f"{done}/1 of {parallel}" if parallel > 1 else f"{done}/1"


def _duration(job: Json, current_time: float) -> str:
    start = member("status", "startTime", default=None)(job)
    end = member("status", "completionTime", default=None)(job)
    if start is None:
        return ""
    return ages.since(start, current_time if end is None else ages.to_epoch_seconds(end))


JOB = (
    column("Status", _job_status),
    column("Completions", _completions),
    Column(name="Duration", cell=_duration),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
CRON_JOB = (
    column("Schedule", member("spec", "schedule")),
    column("Timezone", lambda obj: member("spec", "timeZone")(obj) or NONE),
    column("Suspend", lambda obj: str(bool(member("spec", "suspend")(obj))), "boolean"),
    column("Active", lambda obj: len(member("status", "active")(obj)), "integer"),
    Column(
        name="Last Schedule",
        cell=lambda obj, current_time: (
            ages.since(last, current_time) if (last := member("status", "lastScheduleTime")(obj)) else NONE
        ),
    ),
    AGE,
    *containers("spec", "jobTemplate", "spec", "template"),
    SELECTOR,
)
