"""Concurrent requests: how many are answered, refused with 429, or pending (VIS-606, VIS-607)."""

from __future__ import annotations

from collections.abc import Sequence

from ...history.fact import Fact
from ...wire.raw_client import RawAnswer, SentRequests

TOO_MANY = 429


class Burst:
    """The concurrent requests of one client."""

    def __init__(self, sent: SentRequests) -> None:
        self._sent = sent

    @property
    def throttled_responses(self) -> Sequence[RawAnswer]:
        """The answers with 429 so far."""
        return [answer for answer in self._sent.answers() if answer is not None and answer.code == TOO_MANY]

    @property
    def other_responses(self) -> Sequence[RawAnswer]:
        """The other answers so far."""
        return [answer for answer in self._sent.answers() if answer is not None and answer.code != TOO_MANY]

    @property
    def pending_count(self) -> int:
        """The number of requests without an answer."""
        return sum(answer is None for answer in self._sent.answers())

    def has_counts(self, *, answered: int, throttled: int, under_way: int = 0) -> Fact:
        """The numbers of answered, refused and pending requests are these."""
        expected, observed = (answered, throttled, under_way), self._counts()
        return Fact(observed == expected, _counts_text(expected), _counts_text(observed))

    def is_answered(self) -> Fact:
        """All requests are answered."""
        counts = self._counts()
        return Fact(not any(counts[1:]), "every request is answered", _counts_text(counts))

    def is_over(self) -> Fact:
        """No request is pending."""
        counts = self._counts()
        return Fact(not counts[2], "no request is under way", _counts_text(counts))

    def cancel(self) -> None:
        """Cancel all pending requests."""
        self._sent.give_up()

    def _counts(self) -> tuple[int, int, int]:
        return len(self.other_responses), len(self.throttled_responses), self.pending_count


def _counts_text(counts: tuple[int, int, int]) -> str:
    return "{} answered, {} throttled, {} under way".format(*counts)
