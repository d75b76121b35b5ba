"""Whether a queue can admit, as the Active conditions of
its ClusterQueue and its LocalQueue tell it (AC-410…438).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...base.json_types import Json
from ...history.fact import Fact, record_value
from .reader import QueueReader

_KINDS = ("ClusterQueue", "LocalQueue")


class ActiveConditions(QueueReader):
    """Facts about the Active conditions; `users_…` is about that of the LocalQueue."""

    def has_active_condition(self) -> Fact:
        """The ClusterQueue has an Active condition."""
        condition = self._active("ClusterQueue")
        return Fact(
            bool(condition), f"ClusterQueue {self.name} says whether it is Active", _condition_text(condition)
        )

    def has_active_condition_locally(self) -> Fact:
        """The LocalQueue has an Active condition."""
        condition = self._active("LocalQueue")
        return Fact(
            bool(condition), f"LocalQueue {self.name} says whether it is Active", _condition_text(condition)
        )

    def is_active(self) -> Fact:
        """The ClusterQueue is Active."""
        condition = self._active("ClusterQueue")
        return Fact(
            condition.get("status") == "True",
            f"ClusterQueue {self.name} is Active",
            _condition_text(condition),
        )

    def is_inactive(self, *reasons: str) -> Fact:
        """The ClusterQueue is not Active, for one of the reasons (any when none is named)."""
        return self._is_inactive("ClusterQueue", reasons)

    def is_inactive_for_missing_checks(self) -> Fact:
        """The ClusterQueue is not Active because a check is missing (D-17)."""
        return self.is_inactive(self._context.dialect.fact("check-problem-reasons")[0])

    def is_inactive_for_inactive_checks(self) -> Fact:
        """The ClusterQueue is not Active because a check is not (D-17)."""
        return self.is_inactive(self._context.dialect.fact("check-problem-reasons")[1])

    def is_stopped(self, queue_kind: str) -> Fact:
        """The `cluster-queue` or the `local-queue` is not Active because it is stopped."""
        kind = {"cluster-queue": "ClusterQueue", "local-queue": "LocalQueue"}[queue_kind]
        return self._is_inactive(kind, ["Stopped"])

    def shows_message(self, text: str) -> Fact:
        """The message of the ClusterQueue's Active condition contains a text."""
        condition = self._active("ClusterQueue")
        return Fact(
            text in condition.get("message", ""),
            f"ClusterQueue {self.name} says {text!r}",
            _condition_text(condition),
        )

    def shows_reason(self, reason: str, message: str) -> Fact:
        """The Active condition of the ClusterQueue has this reason and message."""
        return self._says_exactly("ClusterQueue", reason, message)

    def is_active_locally(self) -> Fact:
        """The LocalQueue is Active."""
        condition = self._active("LocalQueue")
        return Fact(
            condition.get("status") == "True", f"LocalQueue {self.name} is Active", _condition_text(condition)
        )

    def is_inactive_locally(self, *reasons: str) -> Fact:
        """The LocalQueue is not Active, for one of the reasons."""
        return self._is_inactive("LocalQueue", reasons)

    def shows_reason_locally(self, reason: str, message: str) -> Fact:
        """The Active condition of the LocalQueue has this reason and message."""
        return self._says_exactly("LocalQueue", reason, message)

    def active_since(self) -> tuple[str, str]:
        """Return the times of the last change of both Active conditions."""
        cluster_queue_time, local_queue_time = (
            str(self._active(kind).get("lastTransitionTime", "")) for kind in _KINDS
        )
        return record_value(
            "last changes of Active of ClusterQueue and LocalQueue", (cluster_queue_time, local_queue_time)
        )

    def has_observed_its_generation(self) -> Fact:
        """Both Active conditions have the generation of their object as observedGeneration."""
        observed = [self._active(kind).get("observedGeneration") for kind in _KINDS]
        newest = [self._object(kind)["metadata"]["generation"] for kind in _KINDS]
        return Fact(
            observed == newest, f"the conditions speak of generations {newest}", f"they speak of {observed}"
        )

    def _active(self, kind: str) -> Json:
        conditions = (self._object(kind).get("status") or {}).get("conditions", [])
        return next((condition for condition in conditions if condition["type"] == "Active"), {})

    def _is_inactive(self, kind: str, reasons: Sequence[str]) -> Fact:
        condition = self._active(kind)
        holds = condition.get("status") == "False" and (not reasons or condition["reason"] in reasons)
        return Fact(
            holds,
            f"{kind} {self.name} is not Active{' because ' + ' or '.join(reasons) if reasons else ''}",
            _condition_text(condition),
        )

    def _says_exactly(self, kind: str, reason: str, message: str) -> Fact:
        condition = self._active(kind)
        holds = (condition.get("reason"), condition.get("message")) == (reason, message)
        return Fact(holds, f"{kind} {self.name} says {reason}: {message}", _condition_text(condition))


def _condition_text(condition: Json) -> str:
    return (
        f"Active={condition['status']} ({condition['reason']}): {condition['message']}"
        if condition
        else "no Active condition"
    )
