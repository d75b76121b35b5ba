"""Who may change or refuse a write between decoding and storing: the seam for webhooks (FK-300, design.md §5).

An admission step gets the review of one write and a continuation. It goes on at once, or returns something Pending that goes
on later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from .context import Context
from .kind import Kind
from .outcome import Outcome, User
from .trace import Trace

Json = Any
NAMESPACES = ("", "namespaces")
Operation = Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]
Proceed = Callable[[Json], Outcome]


class Review(Struct, frozen=True, kw_only=True):
    """One write as admission sees it; `new` is None for DELETE, `old` for CREATE.

    `kind` is the resource's; what is written through a subresource may be an object of another kind, such as a Scale.
    """

    operation: Operation
    kind: Kind
    subresource: str
    namespace: str
    name: str
    new: Json
    old: Json
    user: User
    dry_run: bool
    asked: Callable[[], Json] = dict
    """What the request asks beside its body, as an object; made when a webhook or a policy reads it."""
    trace: Trace
    """Where warnings and notes for the journal go."""

    @property
    def called(self) -> str:
        """What refusals call the object: its name, or the base of one that is not generated yet."""
        return self.name or (self.new or {}).get("metadata", {}).get("generateName") or "Unknown"

    @property
    def place(self) -> str:
        """The namespace that the write is in; a namespace is in itself."""
        return self.name if self.kind.stored_as == NAMESPACES else self.namespace


class Admission(Protocol):
    """The two moments at which others have a say."""

    def mutate(self, api: Context, review: Review, proceed: Proceed) -> Outcome:
        """Go on with a changed object, or raise a StatusError to refuse."""

    def validate(self, api: Context, review: Review, proceed: Callable[[], Outcome]) -> Outcome:
        """Go on, or raise a StatusError to refuse."""


class AdmitAll:
    """Admission that accepts every write unchanged."""

    def mutate(self, api: Context, review: Review, proceed: Proceed) -> Outcome:
        """Go on with the object as it is."""
        del api
        return proceed(review.new)

    def validate(self, api: Context, review: Review, proceed: Callable[[], Outcome]) -> Outcome:
        """Go on."""
        del api, review
        return proceed()


ADMIT_ALL = AdmitAll()
