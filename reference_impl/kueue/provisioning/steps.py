"""What a decision wants done, in this order (PA-035)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from reference_impl.api.objects import CheckState
from reference_impl.api.resource import Json

from .request import Request


@dataclass(frozen=True, slots=True)
class StateChange:
    """A check whose state changes, for the event that tells it."""

    check: str
    before: str
    after: str
    message: str


@dataclass(frozen=True, slots=True)
class WriteChecks:
    """Apply all answers of a Workload (PA-155)."""

    entries: tuple[CheckState, ...]
    changes: tuple[StateChange, ...] = ()
    requeue: Json = None
    """`status.requeueState`, in releases that keep the wait there (DK-48)."""


@dataclass(frozen=True, slots=True)
class ReportChecks:
    """Record events for answers that are not written (PA-072)."""

    changes: tuple[StateChange, ...]


@dataclass(frozen=True, slots=True)
class DeleteRequest:
    """Delete a request that no check needs any more."""

    request: Request


@dataclass(frozen=True, slots=True)
class Template:
    """A PodTemplate to be made, or why it cannot be."""

    name: str
    object: Json = None
    problem: str = ""
    replaces: Json = None
    """What is there under its name and is made anew in place."""


@dataclass(frozen=True, slots=True)
class CreateRequest:
    """Make the PodTemplates that are not there yet, then the request that refers to them (PA-057)."""

    check: str
    object: Json
    templates: tuple[Template, ...]
    present: tuple[Json, ...] = ()
    """PodTemplates of the right names that are there already (PA-068)."""
    is_request_first: bool = False
    """Make the request first, as releases before v0.11 did (DK-13)."""


@dataclass(frozen=True, slots=True)
class CreateTemplates:
    """Make PodTemplates of a request that are missing, as releases before v0.11 did (DK-13)."""

    request: Request
    templates: tuple[Template, ...]


@dataclass(frozen=True, slots=True)
class TransferTemplates:
    """Have PodTemplates belong to a request (PA-067)."""

    request: Request
    templates: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class RequeueLater:
    """Look again after so many seconds."""

    after: float


@dataclass(frozen=True, slots=True)
class Fail:
    """Nothing can be done; try again later, a little later each time."""

    message: str


Step: TypeAlias = (
    WriteChecks
    | ReportChecks
    | DeleteRequest
    | CreateRequest
    | CreateTemplates
    | TransferTemplates
    | RequeueLater
    | Fail
)
