"""The rules of the scheduling cycle, by release."""

from __future__ import annotations

from typing import Final

from ...api.releases import Row, by_release
from ..quota import fitness
from ..quota import legacy_v0_6 as legacy_quota
from ..quota.catalogue import Catalogue
from ..scheduling import assignment, entry, flavor_fit, texts
from ..scheduling import legacy_v0_6 as legacy_scheduling
from ..scheduling.rules import SchedulingRules

SCHEDULING: Final = SchedulingRules(
    process_entry=by_release(
        Row("Q-507", (0, 6), legacy_scheduling.process_entry),
        Row("Q-224", (0, 9), entry.process_entry),
    ),
    usage_to_reserve=by_release(
        Row("Q-507", (0, 6), entry.usage_within_limits),
        Row("Q-229", (0, 9), entry.whole_usage),
    ),
    fit_quota=by_release(
        Row("Q-519", (0, 6), legacy_scheduling.fit_quota),
        Row("Q-519", (0, 9), legacy_scheduling.fit_quota_or_reclaim),
        Row("Q-168", (0, 13), flavor_fit.fit_quota),
    ),
    combine_modes=by_release(
        Row("Q-154", (0, 6), assignment.worst_of_all),
        Row("QC-07", (0, 15), assignment.worst_by_preference),
    ),
    preemption_usage=by_release(Row("QC-06", (0, 6), assignment.usage_without_pods)),
    is_preemptible_queue=by_release(Row("QC-08", (0, 6), Catalogue.is_active)),
    label_keys=by_release(Row("Q-159", (0, 6), flavor_fit.flavor_label_keys)),
    validate_requests=by_release(
        Row("Q-510", (0, 6), legacy_quota.validate_requests),
        Row("M-042", (0, 19), fitness.validate_requests),
    ),
    counts_recomputations=by_release(
        Row("Q-227", (0, 6), value=False), Row("KV-28", ("0.20.0-devel",), value=True)
    ),
    namespace_mismatch_message=by_release(
        Row("Q-511", (0, 6), legacy_scheduling.NAMESPACE_MISMATCH),
        Row("M-041", (0, 19), texts.NAMESPACE_MISMATCH),
    ),
    describe_flavors=by_release(
        Row("Q-175", (0, 6), assignment.omit_flavors), Row("Q-175", (0, 15), assignment.describe_flavors)
    ),
)
"""The rules of the scheduling cycle."""
