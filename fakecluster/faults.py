"""Where a lab disturbs the cluster on purpose: the seam through which every request and watch event passes.

The rules that decide come in a later release; `NO_FAULTS` lets everything through.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Disturbance:
    """What to do instead of answering: answer with `code`, or drop the connection, before or after the commit."""

    code: int = 0
    retry_after: int = 0
    drop: bool = False
    after_commit: bool = False


class Faults(Protocol):
    """Decides, for each request, whether it is disturbed."""

    def on_request(self, method: str, path: str, user: str) -> Disturbance | None:
        """Return the disturbance for a request, None to let it through."""


class NoFaults:
    """Disturbs nothing."""

    def on_request(self, method: str, path: str, user: str) -> Disturbance | None:
        """Let the request through."""
        del method, path, user
        return None


NO_FAULTS = NoFaults()
