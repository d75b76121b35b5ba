"""An autoscaler's attempts at one request, and whether they were on time (PR-122, finding X4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt, at seconds since the epoch; `answered` is False where a conflict lost the answer."""

    at: float
    answered: bool = True


def follows(tries: Sequence[Attempt], gaps: Sequence[float], slack: float) -> bool:
    """Tell whether attempts after the first are due each
    by its gap in seconds, at most `slack` seconds later.

    A gap counts from the last answer that was stored, so that a lost answer leaves time for further attempts,
    which are not judged.
    """
    since = tries[0].at if tries else 0.0
    for attempt, gap in zip(tries[1:], gaps, strict=False):
        if not 0 <= attempt.at - since - gap <= slack:
            return False
        # The next delay counts from the last answer that was stored.
        since = attempt.at if attempt.answered else since
    # More attempts than gaps are allowed only where an answer was lost.
    surplus = len(tries) - 1 - len(gaps)
    return surplus == 0 or (surplus > 0 and not all(attempt.answered for attempt in tries))


def gaps_between(tries: Sequence[Attempt]) -> list[float]:
    """Return the seconds from each attempt to the next."""
    return [later.at - earlier.at for earlier, later in pairwise(tries)]
