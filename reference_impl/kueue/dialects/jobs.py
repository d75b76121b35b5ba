"""How Jobs are followed, by release."""

from __future__ import annotations

from typing import Final

from ...api.releases import Row, by_release
from ..jobs import decide as jobs
from ..jobs import ownership, priority, reclaiming, workload_construction
from ..jobs.legacy_v0_6 import V0_6_ORDER
from ..jobs.rules import JobRules
from ..jobs.snapshot import JobRule

JOB_ORDER: Final[tuple[JobRule, ...]] = by_release(
    Row("AC-337", (0, 6), V0_6_ORDER), Row("AC-293", (0, 8), jobs.ORDER)
)
"""The evaluation order of a Job."""

JOBS: Final = JobRules(
    count_reclaimable=by_release(Row("BUG-158", (0, 6), reclaiming.free_slots)),
    may_write_reclaimable=by_release(Row("BUG-159", (0, 6), reclaiming.write_whatever_holds_quota)),
    is_of_job=by_release(Row("BUG-165", (0, 6), ownership.refers_to)),
    describe_pods=by_release(Row("BUG-162", (0, 6), workload_construction.describe_containers)),
    compared_job=by_release(
        Row("AC-100", (0, 6), workload_construction.without_time_limit),
        Row("AC-100", (0, 9), workload_construction.with_time_limit),
    ),
    follows_label=by_release(Row("KV-53", (0, 6), priority.follows_any_label)),
    missing_class_event=by_release(
        Row("C-28", (0, 6), priority.ignore_missing_class),
        Row("KV-20", ("0.20.0-devel",), priority.report_missing_class),
    ),
    is_gone=by_release(Row("BUG-164", (0, 6), ownership.is_gone_with_deletion)),
)
"""How Jobs are followed, beside the order."""
