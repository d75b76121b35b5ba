"""The time limit of a Job, and whether its Workload fits it (AC-100)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_impl.kueue.jobs.job import MAX_EXECUTION_LABEL
from reference_impl.kueue.jobs.rules import V0_19, JobRules
from reference_impl.kueue.jobs.snapshot import is_equivalent
from reference_impl.kueue.jobs.workload_construction import with_time_limit, without_time_limit

from .objects import job, workload

LIMITED = {MAX_EXECUTION_LABEL: "60"}
V0_6 = replace(V0_19, compared_job=without_time_limit)


@pytest.mark.parametrize(
    ("rules", "limit", "fits"),
    [
        pytest.param(V0_19, 60, True, id="the same"),
        pytest.param(V0_19, None, False, id="none"),
        pytest.param(V0_6, None, True, id="none, where a Workload has no field for it"),
    ],
)
def test_a_workload_fits_a_job_with_a_time_limit(rules: JobRules, limit: int | None, fits: bool) -> None:
    limited = job(labels=LIMITED)
    present = workload(limited)
    spec = {**present.spec, "maximumExecutionTimeSeconds": limit}

    assert is_equivalent(replace(present, object={**present.object, "spec": spec}), limited, rules) is fits


def test_a_job_without_its_time_limit_keeps_its_other_labels() -> None:
    limited = job(labels=LIMITED)

    assert with_time_limit(limited).max_execution_seconds == 60
    assert without_time_limit(limited).max_execution_seconds is None
    assert without_time_limit(limited).queue_name == limited.queue_name
