"""What happened, request by request (F-01): record it, ask for parts of it, assert on it, export it.

`record` keeps entries, as much of them as `bounds` says; `selection` is what a question returns, `exports/`
writes a selection down for other programs and people, without what `redaction` takes out.
"""

from .entry import Change, Entry
from .record import Journal
from .redaction import redact, redact_object
from .selection import Selection

__all__ = ["Change", "Entry", "Journal", "Selection", "redact", "redact_object"]
