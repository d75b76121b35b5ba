"""Which taints keep a pod away (Q-158, PR-331)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..api.resource import Json

_REPELLING: Final = frozenset({"NoSchedule", "NoExecute"})


def find_untolerated(taints: Sequence[Json], tolerations: Sequence[Json]) -> Json | None:
    """Return the first taint that keeps a pod away, None when it tolerates all of them."""
    repelling = (taint for taint in taints if taint.get("effect") in _REPELLING)
    return next((taint for taint in repelling if not any(_tolerates(t, taint) for t in tolerations)), None)


def _tolerates(toleration: Json, taint: Json) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    operator = toleration.get("operator") or "Equal"
    same_value = (toleration.get("value") or "") == (taint.get("value") or "")
    return operator == "Exists" or (operator == "Equal" and bool(toleration.get("key")) and same_value)
