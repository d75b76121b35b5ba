"""Who may change or refuse a write between decoding and storing: the seam for webhooks (FK-300, design.md §5).

An admission step gets the review of one write and a continuation. It goes on at once, or returns something Pending that goes
on later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from . import options
from .kinds import Kind
from .outcome import Outcome, User

if TYPE_CHECKING:
    from .action import Action, Trace
    from .context import Context

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
    """What the request asks beside its body, as an object; made when somebody wants to see it."""
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


def of_subresource(action: Action, obj: Json) -> Review:
    """Return what admission sees of an object that is posted to a subresource, such as a Binding."""
    placed = {**obj["metadata"], "name": action.name, "namespace": action.namespace}
    wanted = options.of_write(action.request, "CreateOptions")
    return Review(
        operation="CREATE", kind=action.kind, subresource=action.info.subresource, namespace=action.namespace,
        name=action.name, new={**obj, "metadata": placed}, old=None, user=action.request.user,
        dry_run=wanted.dry_run, trace=action.trace, asked=lambda: options.shown(action.request, "CreateOptions"),
    )  # fmt: skip


def admitted(api: Context, review: Review, proceed: Proceed) -> Outcome:
    """Ask everybody who has a say about a write that nobody judges in between."""
    admission = api.admission
    return admission.mutate(
        api, review, lambda new: admission.validate(api, replace(review, new=new), lambda: proceed(new))
    )


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
