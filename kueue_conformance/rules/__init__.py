"""Safety rules: what a check controller must never do, judged over the story of every case (admission.md §6, harness/N-02).

A rule is a row: its id on the fact page, level, wording, and a pure function from the story to its violations. Each module
below holds the rows of one question; `RULES` is all of them, by id.
"""

from __future__ import annotations

from ..dialect import Dialect
from .beside import BESIDE
from .conditions import CONDITIONS
from .economy import ECONOMY
from .grounds import GROUNDS
from .leaving import LEAVING
from .manners import MANNERS
from .messages import MESSAGES
from .sending import SENDING
from .story import Rule, Story, Violation
from .timing import TIMING
from .writing import WRITING

__all__ = ["RULES", "Rule", "Story", "Violation", "judge"]

RULES = tuple(
    sorted(
        (
            *BESIDE,
            *CONDITIONS,
            *ECONOMY,
            *GROUNDS,
            *LEAVING,
            *MANNERS,
            *MESSAGES,
            *SENDING,
            *TIMING,
            *WRITING,
        ),
        key=lambda rule: rule.id,
    )
)


def judge(story: Story, dialect: Dialect) -> list[Violation]:
    """Return every breach of the rules that hold in a dialect, in order of the rules."""
    return [one for rule in RULES if dialect.holds(rule.since, "") for one in rule.violations(story)]
