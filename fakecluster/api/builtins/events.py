"""The two kinds Event: core/v1 and events.k8s.io/v1 serve one stored object (FK-490, FK-491, FK-135)."""

from __future__ import annotations

from ..kinds import Kind
from .rows import row

STORED_AS = ("", "events")
KINDS: tuple[Kind, ...] = (
    row("core.v1.Event", "events", short="ev", create_on_update=True),
    row("events.v1.Event", "events", short="ev", create_on_update=True, storage_key=STORED_AS),
)
