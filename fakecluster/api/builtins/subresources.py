"""Verbs of subresources that are special to one built-in kind."""

from __future__ import annotations

from collections.abc import Mapping

from ..action import Verb
from . import connections, finalize, pod_actions, pod_views

VERBS: Mapping[tuple[str, str, str], Verb] = {
    **connections.VERBS, **pod_actions.VERBS, **pod_views.VERBS, **finalize.VERBS,
}  # fmt: skip
