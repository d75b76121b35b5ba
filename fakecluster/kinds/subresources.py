"""Verbs of subresources that are special to one built-in kind."""

from __future__ import annotations

from collections.abc import Mapping

from ..registry.action import Verb
from .certificates import verdicts
from .core import component_statuses, connections, namespace_finalize
from .core.pod import actions as pod_actions
from .core.pod import views

VERBS: Mapping[tuple[str, str, str], Verb] = {
    **connections.VERBS,
    **pod_actions.VERBS,
    **views.VERBS,
    **namespace_finalize.VERBS,
    **component_statuses.VERBS,
    **verdicts.VERBS,
}
