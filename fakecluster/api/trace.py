"""What a request leaves behind for its answer and the journal."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from ..base.json_types import Json
from ..store import Event, Stored


class Trace(Struct):
    """What a request leaves behind while it is handled; the only thing about it that changes."""

    warnings: dict[str, None] = field(default_factory=dict)
    """The texts of the Warnings of the answer, in their order."""
    events: list[Event] = field(default_factory=list)
    name: str = ""
    """The name of a created object whose URL has none."""

    manager: str = ""
    attempts: int = 0
    dry_run: bool = False
    notes: dict[str, Json] = field(default_factory=dict)
    copies: dict[int, Stored] = field(default_factory=dict)
    drafts: dict[bytes, Stored] = field(default_factory=dict)
    """Objects on their way, by content: what is converted of them is kept with the request."""

    entry: Json = None
    """The journal's entry of this request, once there is one."""

    def warn(self, text: str) -> None:
        """Add a Warning to the answer, once (FK-236)."""
        self.warnings[text] = None

    def own_copy(self, stored: Stored) -> Stored:
        """Return the request's own copy of a stored object:
        webhooks convert single objects for each request (FK-335).
        """
        return self.copies.setdefault(stored.revision, replace(stored, cache={}))
