"""The kinds of `batch` (FK-465…470)."""

from __future__ import annotations

from ...api.kind import Kind
from ..default_rules import labelled
from ..row import ALL, STATUS, row
from ..statuses import chain, wiped
from . import changes, columns, cron_jobs, status, strategy, validation, warnings

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
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        validate=cron_jobs.cron,
        judge_update=cron_jobs.changed,
        columns=columns.CRON_JOB,
    ),
    row(
        "batch.v1.Job",
        "jobs",
        prepare=chain(wiped("batch.v1.Job"), strategy.select_by_uid),
        from_stored=labelled,
        selectable={"status.successful": strategy.succeeded},
        validate=validation.judged,
        validate_update=changes.changed,
        warnings=warnings.job,
        validate_status=status.judged,
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        default_propagation="Orphan",
        delete_warning=ORPHAN_WARNING,
        columns=columns.JOB,
    ),
)
