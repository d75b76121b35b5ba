"""Who may change or refuse a write between decoding and storing: the seam for webhooks (FK-300, design.md §5).

An admission step gets the review of one write and a continuation. It goes on at once, or returns a Call whose `resume` goes
on later. Webhooks come in a later release; `ADMIT_ALL` lets everything through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .kinds import Kind
from .outcome import Outcome, User

if TYPE_CHECKING:
    from .context import Context

Json = Any
Proceed = Callable[[Json], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One write as admission sees it; `new` is None for DELETE, `old` for CREATE."""

    operation: Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]
    kind: Kind
    subresource: str
    namespace: str
    name: str
    new: Json
    old: Json
    user: User
    dry_run: bool
    options: Json = None


class Admission(Protocol):
    """The two moments at which others have a say."""

    def mutate(self, api: Context, review: Review, proceed: Proceed) -> Outcome:
        """Go on with a changed object, or raise a StatusError to refuse."""

    def validate(self, api: Context, review: Review, proceed: Callable[[], Outcome]) -> Outcome:
        """Go on, or raise a StatusError to refuse."""


class AdmitAll:
    """Nobody has a say."""

    def mutate(self, api: Context, review: Review, proceed: Proceed) -> Outcome:
        """Go on with the object as it is."""
        del api
        return proceed(review.new)

    def validate(self, api: Context, review: Review, proceed: Callable[[], Outcome]) -> Outcome:
        """Go on."""
        del api, review
        return proceed()


ADMIT_ALL = AdmitAll()
