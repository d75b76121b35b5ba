"""Verbs of subresources that are special to one built-in kind."""

from __future__ import annotations

from collections.abc import Mapping

from ..registry.action import Verb
from . import components, connections, finalize, pod_actions, pod_views, signing

VERBS: Mapping[tuple[str, str, str], Verb] = {
    **connections.VERBS, **pod_actions.VERBS, **pod_views.VERBS, **finalize.VERBS,
    **components.VERBS, **signing.VERBS,
}  # fmt: skip
