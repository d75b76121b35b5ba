"""Faults that a cluster can inject between a client and its API server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultHit:
    """A request or watch that met a fault: when, what was asked, and what it got."""

    at: float
    request: str
    effect: str


class Faults(Protocol):
    """Disturbs requests of the subject, never those of the harness or the control plane.

    Seconds are those of the cluster's clock.

    `kind` is `Workload` with its subresources or `Workload/status`, `verb` an RBAC verb, `name` an object's
    name; empty means all but Leases, without which a leader may have to end, and Events. A rule holds for
    `times` requests that it fits, 0 for ever, after the first `skip` of them.
    """

    def refuse(
        self,
        code: int,
        *,
        verb: str = "",
        kind: str = "",
        name: str = "",
        times: int = 0,
        skip: int = 0,
        after: bool = False,
        retry_after: int = 0,
    ) -> None:
        """Answer with an error; with `after`, carry out the request first."""

    def cut(
        self, *, verb: str = "", kind: str = "", times: int = 0, skip: int = 0, after: bool = False
    ) -> None:
        """Cut the connection in place of an answer."""

    def cut_after(self, requests: int) -> None:
        """Answer so many requests and cut all later ones."""

    def delay(self, seconds: float, *, verb: str = "", kind: str = "", times: int = 0) -> None:
        """Answer later."""

    def serve_stale(self, revisions: int, *, kind: str = "", times: int = 0) -> None:
        """Answer reads from the state of so many revisions ago."""

    def end_watches(self, code: int = 0, *, kind: str = "") -> None:
        """End the open watches now: by an ERROR event with this code, or by cutting the connection."""

    def give_short_pages(self, items: int) -> None:
        """Return at most so many objects in a page of a list, as the API permits."""

    def freeze_watches(self, *, kind: str = "", times: int = 0) -> None:
        """Stop sending events on open watches, all or the given number, and keep their connections open."""

    def repeat_events(self, *, kind: str = "") -> None:
        """Send every event twice."""

    def withhold_bookmarks(self) -> None:
        """Send no bookmark."""

    def refuse_events(self, code: int, *, kind: str = "", times: int = 1, skip: int = 0) -> None:
        """End a watch with an ERROR event in place of the next event, or of a later one."""

    @property
    def hits(self) -> Sequence[FaultHit]:
        """The requests and watches that a fault of this case has affected, in order of time."""

    def clear(self) -> None:
        """Remove all faults; frozen watches end, so that no event arrives late."""
