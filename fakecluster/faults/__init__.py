"""Faults on purpose, repeatable from a seed (F-03): which requests and watch events are disturbed, and how.

`effects` says what may go wrong, `rule` whom it hits, `engine` decides; the server carries it out.
"""

from .effects import Answer, Delay, Drop, Effect, EndWatch, Hold, NoBookmarks, Pages, Repeat, Stale, Truncate
from .engine import Faults, Hit
from .rule import Match, Rule, RuleError, match_of
from .subject import Subject

__all__ = [
    "Answer",
    "Delay",
    "Drop",
    "Effect",
    "EndWatch",
    "Faults",
    "Hit",
    "Hold",
    "Match",
    "NoBookmarks",
    "Pages",
    "Repeat",
    "Rule",
    "RuleError",
    "Stale",
    "Subject",
    "Truncate",
    "match_of",
]
