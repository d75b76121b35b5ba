"""A cluster that shows a past state answers questions and refuses to be changed (F-05)."""

from __future__ import annotations

from msgspec import Struct

from ..api import routes, status
from ..api.context import Context
from ..api.outcome import Outcome, Request

READ_VERBS = frozenset({"get", "list", "watch", "head", "options"})
REVIEW_GROUPS = frozenset({"authentication.k8s.io", "authorization.k8s.io"})
"""Groups whose kinds are asked by POST and never stored."""


class ReadOnly(Struct, frozen=True):
    """A handler that comes first."""

    revision: int

    def __call__(self, api: Context, request: Request) -> Outcome | None:
        """Let reading through. Raises StatusError for anything else."""
        del api
        info = routes.parse(request.method, request.path, request.query)
        # Reviews are posted and never stored, so a past state can answer them.
        if not info.is_resource or info.verb in READ_VERBS or info.group in REVIEW_GROUPS:
            return None
        message = f"this server shows revision {self.revision} and cannot be changed: ask the cluster itself to {info.verb}"
        raise status.failure(405, "MethodNotAllowed", message, {})
