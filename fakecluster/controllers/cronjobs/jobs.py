"""The Jobs of a CronJob: what one looks like,
which are known to be active, and which are beyond the history's limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ..jobs.conditions import holds
from ..owners import reference_to

SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp"
LIMITS = (("Complete", "successfulJobsHistoryLimit"), ("Failed", "failedJobsHistoryLimit"))
"""Ends of Jobs, with the member that says how many of them stay."""


def name_at(cron_job: Json, moment: int) -> str:
    """Return the name of the Job of a moment."""
    return f"{cron_job['metadata']['name']}-{moment // 60}"


def job_at(cron_job: Json, moment: int) -> Json:
    """Return the Job of a moment."""
    template = cron_job["spec"]["jobTemplate"]
    metadata = template.get("metadata") or {}
    zone = ZoneInfo(cron_job["spec"].get("timeZone") or "UTC")
    scheduled = datetime.fromtimestamp(moment, zone).isoformat(timespec="seconds").replace("+00:00", "Z")
    own = {
        "name": name_at(cron_job, moment),
        "namespace": cron_job["metadata"]["namespace"],
        "labels": dict(metadata.get("labels") or {}),
        "annotations": {**(metadata.get("annotations") or {}), SCHEDULED_AT: scheduled},
        "ownerReferences": [reference_to(cron_job)],
    }
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": own, "spec": template["spec"]}


def reference(job: Json) -> Json:
    """Return how the status of a CronJob names an active Job."""
    members = ("namespace", "name", "uid", "resourceVersion")
    return {"kind": "Job", "apiVersion": "batch/v1", **{name: job["metadata"][name] for name in members}}


def end_of(job: Json) -> str:
    """Return how a Job has ended, Complete or Failed; empty when it has not."""
    return next((end for end, _ in LIMITS if holds(job.get("status", {}), end)), "")


def surplus(cron_job: Json, jobs: Sequence[Json]) -> list[Json]:
    """Return the Jobs that have ended beyond the limits, the oldest first."""
    beyond: list[Json] = []
    for end, member in LIMITS:
        limit = cron_job["spec"].get(member)
        ended = sorted((job for job in jobs if end_of(job) == end), key=_start)
        beyond += ended[: max(0, len(ended) - limit)] if limit is not None else ()
    return beyond


def _start(job: Json) -> tuple[bool, float, str]:
    started = job.get("status", {}).get("startTime")
    return started is None, since_epoch(started) if started else 0.0, job["metadata"]["name"]
