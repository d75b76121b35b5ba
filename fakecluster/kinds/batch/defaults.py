"""Defaults of Jobs and CronJobs (FK-465)."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ..default_rules import Defaulter, constants, where_empty, with_template_labels


def job(value: Json) -> Json:
    """Counts, limits and policies of a Job (FK-465)."""
    spec = value["spec"]
    # Only where both are missing: with parallelism alone the Job is a work queue.
    if spec.get("completions") is None and spec.get("parallelism") is None:
        spec = {**spec, "completions": 1}
    # With a limit for each index the limit of the whole Job is out of the way.
    limit = 2**31 - 1 if spec.get("backoffLimitPerIndex") is not None else 6
    # A failure policy judges pods that have ended, so replacements wait for that.
    replacement = "Failed" if spec.get("podFailurePolicy") else "TerminatingOrFailed"
    spec = constants(
        parallelism=1,
        backoffLimit=limit,
        completionMode="NonIndexed",
        suspend=False,
        podReplacementPolicy=replacement,
        manualSelector=False,
    )(spec)
    return with_template_labels({**value, "spec": spec})


DEFAULTS: Mapping[str, Defaulter] = {
    "batch.v1.CronJobSpec": constants(
        concurrencyPolicy="Allow", suspend=False, successfulJobsHistoryLimit=3, failedJobsHistoryLimit=1
    ),
    "batch.v1.Job": job,
    "batch.v1.PodFailurePolicyOnPodConditionsPattern": where_empty(status="True"),
}
