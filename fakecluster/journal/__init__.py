"""What happened, request by request (F-01): record it, ask for parts of it, assert on it, export it.

`record` keeps entries, `selection` is what a question returns, `exports/` writes a selection down for other programs and people.
"""

from .entry import Change, Entry
from .record import Journal
from .selection import Selection

__all__ = ["Change", "Entry", "Journal", "Selection"]
