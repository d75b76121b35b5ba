"""DefaultTolerationSeconds: a pod stays on a failing node
for five minutes, unless it says otherwise (FK-317).
"""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from .plugin import PODS, Plugin

TAINTS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
TOLERATION_SECONDS = 300


def tolerate(api: Context, review: Review, pod: Json) -> Json:
    """Return a pod with the tolerations that it lacks."""
    del api, review
    tolerations = pod["spec"].get("tolerations", [])
    added = [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": TOLERATION_SECONDS}
        for key in TAINTS
        if not any(_tolerates(toleration, key) for toleration in tolerations)
    ]
    return {**pod, "spec": {**pod["spec"], "tolerations": [*tolerations, *added]}} if added else pod


def _tolerates(toleration: Json, key: str) -> bool:
    # A toleration of all effects or all keys covers the taint as well.
    return toleration.get("key") in {None, "", key} and toleration.get("effect") in {None, "", "NoExecute"}


PLUGIN = Plugin(name="DefaultTolerationSeconds", mutates={PODS: tolerate})
