"""The columns of Job, CronJob and the kinds of apps (FK-425)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.kind import Column
from ...codec import ages
from ...codec.cells import AGE, NONE, column, condition, containers, member, pairs, selector

Json = Any
TEMPLATE = containers("spec", "template")
SELECTOR = column("Selector", lambda obj: selector(member("spec", "selector")(obj)), wide=True)
JOB_STATES = (
    ("Complete", "Complete"),
    ("Failed", "Failed"),
    ("", "Terminating"),
    ("Suspended", "Suspended"),
    ("FailureTarget", "FailureTarget"),
    ("SuccessCriteriaMet", "SuccessCriteriaMet"),
)
"""(condition, shown word) in order; the empty condition is a deletion."""


def _count(*path: str) -> Callable[[Json], Json]:
    return member(*path, default=0)


def _job_status(job: Json) -> str:
    for kind, word in JOB_STATES:
        if (condition(job, kind).get("status") == "True") if kind else "deletionTimestamp" in job["metadata"]:
            return word
    return "Running"


def _completions(job: Json) -> str:
    done, wanted = _count("status", "succeeded")(job), member("spec", "completions", default=None)(job)
    if wanted is not None:
        return f"{done}/{wanted}"
    parallel = _count("spec", "parallelism")(job)
    return f"{done}/1 of {parallel}" if parallel > 1 else f"{done}/1"


def _took(job: Json, now: float) -> str:
    start = member("status", "startTime", default=None)(job)
    end = member("status", "completionTime", default=None)(job)
    if start is None:
        return ""
    return ages.since(start, now if end is None else ages.moment(end))


def _fraction(job: Json) -> str:
    return f"{_count('status', 'readyReplicas')(job)}/{_count('spec', 'replicas')(job)}"


JOB = (
    column("Status", _job_status),
    column("Completions", _completions),
    Column(name="Duration", cell=_took),
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
        cell=lambda obj, now: (
            ages.since(last, now) if (last := member("status", "lastScheduleTime")(obj)) else NONE
        ),
    ),
    AGE,
    *containers("spec", "jobTemplate", "spec", "template"),
    SELECTOR,
)
DEPLOYMENT = (
    column("Ready", _fraction),
    column("Up-to-date", _count("status", "updatedReplicas")),
    column("Available", _count("status", "availableReplicas")),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
REPLICA_SET = (
    column("Desired", _count("spec", "replicas"), "integer"),
    column("Current", _count("status", "replicas"), "integer"),
    column("Ready", _count("status", "readyReplicas"), "integer"),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
STATEFUL_SET = (column("Ready", _fraction), AGE, *TEMPLATE)
DAEMON_SET = (
    column("Desired", _count("status", "desiredNumberScheduled"), "integer"),
    column("Current", _count("status", "currentNumberScheduled"), "integer"),
    column("Ready", _count("status", "numberReady"), "integer"),
    column("Up-to-date", _count("status", "updatedNumberScheduled"), "integer"),
    column("Available", _count("status", "numberAvailable"), "integer"),
    column("Node Selector", lambda obj: pairs(member("spec", "template", "spec", "nodeSelector")(obj))),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
TABLES = {
    ("apps", "daemonsets"): DAEMON_SET,
    ("apps", "deployments"): DEPLOYMENT,
    ("apps", "replicasets"): REPLICA_SET,
    ("apps", "statefulsets"): STATEFUL_SET,
    ("batch", "cronjobs"): CRON_JOB,
    ("batch", "jobs"): JOB,
}
