"""The kinds of `batch` (FK-465…470)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.lazy_modules import LazyModule
from ..default_rules import with_template_labels
from ..row import CATEGORY_ALL, STATUS, row
from ..statuses import chain, initial_status
from . import columns, strategy

if TYPE_CHECKING:
    from . import cron_jobs, job_updates, status, validation, warnings
else:
    job_updates = LazyModule(".job_updates", __package__)
    cron_jobs = LazyModule(".cron_jobs", __package__)
    status = LazyModule(".status", __package__)
    validation = LazyModule(".validation", __package__)
    warnings = LazyModule(".warnings", __package__)

ORPHAN_WARNING = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them"
    " or set propagationPolicy=Orphan to suppress this warning"
)
KINDS: tuple[Kind, ...] = (
    row(
        "batch.v1.CronJob",
        "cronjobs",
        warnings=warnings.cron_job,
        short="cj",
        categories=CATEGORY_ALL,
        subresources=STATUS,
        generation="spec",
        validate=cron_jobs.cron,
        judge_update=cron_jobs.judge_update,
        columns=columns.CRON_JOB,
    ),
    row(
        "batch.v1.Job",
        "jobs",
        prepare=chain(initial_status("batch.v1.Job"), strategy.select_by_uid),
        from_stored=with_template_labels,
        selectable={"status.successful": strategy.successful_field},
        validate=validation.judge,
        validate_update=job_updates.judge_update,
        warnings=warnings.job,
        validate_status=status.judge_update,
        categories=CATEGORY_ALL,
        subresources=STATUS,
        generation="spec",
        default_propagation="Orphan",
        delete_warning=ORPHAN_WARNING,
        columns=columns.JOB,
    ),
)
