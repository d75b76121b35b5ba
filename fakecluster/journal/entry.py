"""An entry of the journal: user, request, answer, and the object before and after (F-01).

Objects are references to what the store holds, never copies.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from ..base.json_types import Json

AUDIT_ANNOTATIONS = "auditAnnotations"
"""The note of what admission tells the audit log, by key."""


class Change(Struct, frozen=True, kw_only=True):
    """One object that a request changed:
    its state before (None when created) and after (None when removed).
    """

    revision: int
    before: Json
    after: Json


class Entry(Struct, frozen=True, kw_only=True):
    """One request. `resource` is the plural, `code` the HTTP status, `reason` the Status' machine word."""

    seq: int = 0
    time: float
    audit_id: str
    user: str
    user_agent: str = ""
    manager: str = ""
    verb: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    group: str = ""
    version: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    code: int
    reason: str = ""
    message: str = ""
    dry_run: bool = False
    patch_type: str = ""
    body: bytes = b""
    answered: int = 0
    """Bytes of the answer's body, 0 for a watch, whose events come later."""
    changes: tuple[Change, ...] = ()
    notes: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    """What no client sees, such as why a JSON patch did not apply (FK-161)."""

    @property
    def before(self) -> Json:
        """The first changed object's state before the request, None when there was none."""
        return self.changes[0].before if self.changes else None

    @property
    def after(self) -> Json:
        """The first changed object's state after the request, None when it is gone or nothing changed."""
        return self.changes[0].after if self.changes else None

    @property
    def revision_before(self) -> str:
        """The resourceVersion before the request."""
        return _revision(self.before)

    @property
    def revision_after(self) -> str:
        """The resourceVersion after the request; of a removed object that of its removal."""
        # Not from the object: a removed one still carries the revision before its removal.
        return str(self.changes[0].revision) if self.changes else ""

    @property
    def wrote(self) -> bool:
        """Whether anything was stored or removed."""
        return bool(self.changes)

    @property
    def target(self) -> str:
        """The resource, with its subresource after a slash."""
        return f"{self.resource}/{self.subresource}" if self.subresource else self.resource

    @property
    def actors(self) -> tuple[str, str, str]:
        """The names of the client: user, field manager, first word of the user agent."""
        return self.user, self.manager, self.user_agent.partition("/")[0]

    def line(self) -> str:
        """Return the entry as one line of a story."""
        revision = f" -> {self.revision_after}" if self.revision_after else ""
        why = f" {self.reason}: {self.message}" if self.message else ""
        manager = f" as {self.manager}" if self.manager else ""
        return f"#{self.seq} t={self.time:.3f} {self.user}{manager}: {self.verb} {self.path} {self.code}{revision}{why}"


def _revision(object: Json) -> str:  # noqa: A002
    return str((object or {}).get("metadata", {}).get("resourceVersion", ""))
