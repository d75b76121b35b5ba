"""The conditions of a Workload: which there are, why, and what they say."""

from __future__ import annotations

from ...base.numbers import moment
from ...base.objects import Condition
from ...history.fact import Fact, record_value
from ...scenarios.dialect import Dialect
from .reader import WorkloadReader


def unreserved_reason(dialect: Dialect, cause: str) -> str:
    """Return the reason of QuotaReserved=False that a release has for a cause (KV-05…KV-13)."""
    return str(dialect.fact("unreserved-reasons")[cause])


class ConditionFacts(WorkloadReader):
    """Facts about status.conditions."""

    def has_condition(self, condition: str, status: str, *reasons: str) -> Fact:
        """The condition has this status, for one of the reasons
        (any when none is named); an empty status means any.
        """
        view = self._read()
        entry = view.condition(condition)
        holds = (
            bool(entry) and status in ("", entry["status"]) and (not reasons or entry["reason"] in reasons)
        )
        return self._fact(view, holds, f"{condition}={status or 'any'} {' or '.join(reasons)}")

    def has_no_condition(self, condition: str) -> Fact:
        """There is no condition of this type."""
        view = self._read()
        return self._fact(view, not view.condition(condition), f"no condition {condition}")

    def has_reason(self, condition: str, *reasons: str) -> Fact:
        """The condition is True or False for one of these reasons."""
        view = self._read()
        holds = view.condition(condition).get("reason", "") in reasons
        return self._fact(view, holds, f"{condition} with reason {' or '.join(reasons)}")

    def reason(self, condition: str) -> str:
        """Return the current reason of a condition, empty when there is none."""
        return str(self._read().condition(condition).get("reason", ""))

    def is_unreserved_for(self, cause: str) -> Fact:
        """QuotaReserved is False with the reason that the release has for a cause, such as `suspended`
        (KV-05…KV-13).
        """
        return self.has_condition("QuotaReserved", "False", unreserved_reason(self._context.dialect, cause))

    def has_message_containing(self, condition: str, text: str) -> Fact:
        """The condition's message contains a text."""
        view = self._read()
        message = view.condition(condition).get("message", "")
        return self._fact(view, text in message, f"{condition} with the message {text!r}", repr(message))

    def has_message(self, condition: str, text: str) -> Fact:
        """The condition's message is exactly this text."""
        message = self._read().condition(condition).get("message", "")
        return Fact(message == text, f"{self}: {condition} says {text!r}", f"it says {message!r}")

    def is_waiting_for_preemptions(self, count: int) -> Fact:
        """Quota is reserved, and it is said how many preemptions
        are waited for; none is not mentioned (AC-489).
        """
        view = self._read()
        waiting_text = str(view.condition("QuotaReserved").get("message", "")).partition("; waiting for ")[2]
        holds = view.is_true("QuotaReserved") and waiting_text == (f"{count} preemption(s)" if count else "")
        return self._fact(
            view, holds, f"waits for {count} preemption(s)", f"{view.condition('QuotaReserved')}"
        )

    def condition(self, condition: str) -> Condition:
        """Return the current condition, empty when there is none."""
        return record_value(f"{condition} of {self}", self._read().condition(condition))

    def has_observed_generation(self, condition: str) -> Fact:
        """The condition was computed from the present spec (AC-273)."""
        view = self._read()
        expected = view.object["metadata"]["generation"]
        observed = view.condition(condition).get("observedGeneration")
        return Fact(
            observed == expected,
            f"{condition} has the observedGeneration {expected}",
            f"it has {observed}",
        )

    def seconds_until(self, condition: str) -> float:
        """Return how many seconds after its creation a condition took its status."""
        view = self._read()
        return moment(view.condition(condition)["lastTransitionTime"]) - moment(
            view.object["metadata"]["creationTimestamp"]
        )
