"""The gate UnadmittedWorkloadsObservability: conditions name why a Workload is not admitted (KV-01…KV-16)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..workload import admitted, messages, queue_state, unreserved_state
from ..workload.rules import AdmittedReasons
from ..workload.unreserved import named_reason
from .rules import Dialect
from .workloads import swap

NO_RESERVATION: Final = ("NoReservation", messages.NO_RESERVATION)
REASONS: Final = AdmittedReasons(
    no_reservation=NO_RESERVATION,
    unsatisfied=("UnsatisfiedAdmissionChecks", messages.UNSATISFIED),
    no_reservation_unsatisfied=NO_RESERVATION,
)


def name_causes(dialect: Dialect) -> Dialect:
    """Return the dialect with the gate on."""
    order = swap(dialect.workload.order, {queue_state.explain_block: (unreserved_state.explain_unadmitted,)})
    workload = replace(
        dialect.workload,
        order=order,
        sync_admitted=admitted.sync_whenever_known,
        admitted_reasons=REASONS,
        unreserved_reason=named_reason,
        names_causes=True,
    )
    return replace(dialect, workload=workload)
