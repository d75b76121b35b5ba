"""Requests that were sent at one moment: which of them have an answer, and which were refused for want of a
seat (VIS-606, VIS-607).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..fact import Fact
from ..wire.raw import RawAnswer, Sent

TOO_MANY = 429


class Burst:
    """The requests of one client; each fact looks anew."""

    def __init__(self, sent: Sent) -> None:
        self._sent = sent

    @property
    def throttled(self) -> Sequence[RawAnswer]:
        """The refusals for want of a seat that have come so far."""
        return [one for one in self._sent.answers() if one is not None and one.code == TOO_MANY]

    @property
    def answered(self) -> Sequence[RawAnswer]:
        """The other answers that have come so far."""
        return [one for one in self._sent.answers() if one is not None and one.code != TOO_MANY]

    @property
    def under_way(self) -> int:
        """How many have no answer yet."""
        return sum(one is None for one in self._sent.answers())

    def has(self, *, answered: int, throttled: int, under_way: int = 0) -> Fact:
        """So many are answered, so many refused for want of a seat, and so many under way."""
        wanted, seen = (answered, throttled, under_way), self._counts()
        return Fact(seen == wanted, _told(wanted), _told(seen))

    def is_answered(self) -> Fact:
        """All are answered."""
        seen = self._counts()
        return Fact(not any(seen[1:]), "every request is answered", _told(seen))

    def is_over(self) -> Fact:
        """None is under way."""
        seen = self._counts()
        return Fact(not seen[2], "no request is under way", _told(seen))

    def gives_up(self) -> None:
        """Let the client go away from all that are under way."""
        self._sent.give_up()

    def _counts(self) -> tuple[int, int, int]:
        return len(self.answered), len(self.throttled), self.under_way


def _told(counts: tuple[int, int, int]) -> str:
    return "{} answered, {} throttled, {} under way".format(*counts)
