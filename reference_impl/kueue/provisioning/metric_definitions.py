"""The series of the provisioning check. The release has none; these bear the reference's name."""

from __future__ import annotations

from typing import Final

from reference_impl.runtime.metrics import Metric

REQUESTS: Final = "kueue_reference_provisioning_requests_created_total"
ANSWERS: Final = "kueue_reference_provisioning_check_answers_total"
METRICS: Final = (
    Metric(REQUESTS, "counter", ("admission_check", "provisioning_class"), help="ProvisioningRequests made."),
    Metric(ANSWERS, "counter", ("admission_check", "state"), help="Changes of the state of a check."),
)
