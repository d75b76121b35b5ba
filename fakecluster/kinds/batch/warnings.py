"""Warnings of Jobs and CronJobs (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.json_types import Json
from ..core.pod.warnings.names import of_name
from ..core.pod.warnings.templates import POD_NAMES, of_template

MANY_COMPLETIONS, MANY_PODS = 100_000, 10_000
MANY_PODS_WARNING = (
    "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4,"
    " Kubernetes might not be able to track completedIndexes when a big number of indexes fail"
)
ZONE_WARNING = (
    "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead,"
    " see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details"
)


def job(new: Json, old: Json) -> list[str]:
    """Return the warnings of a Job."""
    name = of_name(new, POD_NAMES) if old is None else ()
    return [*name, *(_job_spec(new["spec"], "spec") if _is_changed(new, old) else ())]


def cron_job(new: Json, old: Json) -> list[str]:
    """Return the warnings of a CronJob."""
    name = of_name(new, POD_NAMES) if old is None else ()
    spec = new["spec"]
    jobs = (
        _job_spec(spec["jobTemplate"].get("spec") or {}, "spec.jobTemplate.spec")
        if _is_changed(new, old)
        else ()
    )
    return [*name, *jobs, *([ZONE_WARNING] if old is not None and "TZ" in spec.get("schedule", "") else [])]


def _is_changed(new: Json, old: Json) -> bool:
    return old is None or new["metadata"].get("generation") != old["metadata"].get("generation")


def _job_spec(spec: Json, path: str) -> Iterator[str]:
    many = (spec.get("completions") or 0) > MANY_COMPLETIONS and (spec.get("parallelism") or 0) > MANY_PODS
    if many and spec.get("completionMode") == "Indexed":
        yield f"{path}: {MANY_PODS_WARNING}"
    yield from of_template(spec.get("template"), f"{path}.template")
