"""What may change or refuse a write between decoding and storing:
the seam for plugins and webhooks (FK-300, design.md §5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from ..base.json_types import Json
from ..schema.fields import FieldError
from .context import Context
from .kind import Kind
from .outcome import User
from .steps import Steps
from .trace import Trace

NAMESPACES = ("", "namespaces")
Operation = Literal["CREATE", "UPDATE", "DELETE", "CONNECT"]


class Charge(Protocol):
    """The amounts that a write adds to the usage of quotas."""

    def check(self) -> None:
        """Check that there is still room, however long the write has waited. Raises 403."""

    def note(self) -> None:
        """Add it to the usage of the quotas, after the commit."""


class Review(Struct, frozen=True, kw_only=True):
    """One write as admission sees it; `new` is None for DELETE, `old` for CREATE.

    `kind` is the resource's; what is written through a subresource
    may be an object of another kind, such as a Scale.
    """

    operation: Operation
    verb: str
    """Of the request: a CREATE may be done by a PUT or an apply."""
    kind: Kind
    subresource: str
    namespace: str
    name: str
    new: Json
    old: Json
    user: User
    dry_run: bool
    options: Callable[[], Json] = dict
    """What the request asks beside its body, as an object; made when a webhook or a policy reads it."""
    trace: Trace
    """Where warnings and notes for the journal go."""

    @property
    def display_name(self) -> str:
        """What refusals call the object: its name, or the base of one that is not generated yet."""
        return self.name or (self.new or {}).get("metadata", {}).get("generateName") or "Unknown"

    @property
    def place(self) -> str:
        """The namespace that the write is in; a namespace is in itself."""
        return self.name if self.kind.stored_as == NAMESPACES else self.namespace


class AuthorizationChecks(Struct, frozen=True):
    """What authorization has to say about a write; each raises 403."""

    mutated: tuple[Callable[[Review, Json], None], ...] = ()
    """Told the object after mutation."""
    with_validation: tuple[Callable[[Review, Json, list[FieldError]], list[FieldError]], ...] = ()
    """(review, object, errors of validation) → the errors with those of fields that the user may not write.
    """
    before_validation: tuple[Callable[[Review], None], ...] = ()
    """Asked before admission validates."""
    admitted: tuple[Callable[[Review], None], ...] = ()
    """Asked when everything else has admitted the request."""


class Admission(Protocol):
    """The two moments of a write at which it is admitted."""

    def mutate(self, api: Context, review: Review) -> Steps[Json]:
        """Return the mutated object, None for a DELETE. Raises the StatusError of a refusal."""

    def permit(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of an object with those of fields that its user may not write."""

    def validate(self, api: Context, review: Review) -> Steps[Charge | None]:
        """Return the charge to quotas that is noted after the commit, None for no quota.

        Raises the StatusError of a refusal.
        """


class AdmitAll:
    """Admission that accepts every write unchanged."""

    def mutate(self, api: Context, review: Review) -> Steps[Json]:
        """Return the object unchanged."""
        del api
        yield from ()
        return review.new

    def permit(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Permit every field."""
        del review, new
        return errors

    def validate(self, api: Context, review: Review) -> Steps[Charge | None]:
        """Accept the write."""
        del api, review
        yield from ()
        return None


ADMIT_ALL = AdmitAll()
