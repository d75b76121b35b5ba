"""The state that a Workload is in, in the words of the KEP (admission.md §2.1)."""

from __future__ import annotations

from ...history.fact import Fact
from .reader import WorkloadReader


class StateFacts(WorkloadReader):
    """Facts about the present state of a Workload."""

    def is_suspended(self) -> Fact:
        """Suspended: no quota is reserved, no admission is set, and it is not Admitted."""
        view = self._read()
        return self._fact(view, view.holds_nothing, "Suspended (no quota reserved)")

    def is_prechecked(self) -> Fact:
        """Prechecked: quota is reserved, and the Workload is not admitted."""
        view = self._read()
        reserved = view.is_true("QuotaReserved") and bool(view.admission)
        return self._fact(
            view, reserved and not view.is_true("Admitted"), "Prechecked (QuotaReserved=True, not Admitted)"
        )

    def is_admitted(self) -> Fact:
        """Admitted, with quota."""
        view = self._read()
        return self._fact(view, view.is_true("Admitted") and view.is_true("QuotaReserved"), "Admitted")

    def is_evicted(self) -> Fact:
        """Evicted=True."""
        view = self._read()
        return self._fact(view, view.is_true("Evicted"), "Evicted=True")

    def is_rejected(self) -> Fact:
        """Rejected: no quota, and never tried again without a human action (D-08)."""
        view = self._read()
        out = {"deactivated": not view.active, "finished": view.is_true("Finished")}[
            self._context.dialect.fact("reject")
        ]
        return self._fact(view, out and view.holds_nothing, "Rejected (deactivated and without quota)")

    def is_inactive(self) -> Fact:
        """spec.active is false."""
        view = self._read()
        return self._fact(view, not view.active, "spec.active is false")

    def is_active_and_suspended(self) -> Fact:
        """spec.active is not false, and no quota is reserved."""
        view = self._read()
        return self._fact(view, view.active and view.holds_nothing, "active, and Suspended")

    def is_finished(self) -> Fact:
        """Finished=True."""
        view = self._read()
        return self._fact(view, view.is_true("Finished"), "Finished=True")

    def has_quota_reserved(self) -> Fact:
        """Quota is reserved, and its assignment is set."""
        view = self._read()
        return self._fact(view, view.is_true("QuotaReserved") and bool(view.admission), "it holds quota")

    def is_waiting_for_requeue(self) -> Fact:
        """status.requeueState is set."""
        view = self._read()
        return self._fact(
            view, "requeueState" in view.status, "requeueState is set", f"{view.status.get('requeueState')}"
        )
