"""LimitRanger: the defaults and bounds of a namespace for pods and claims (FK-504)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ..quotas import limits
from .plugin import PODS, Plugin


def fill(api: Context, review: Review, pod: Json) -> Json:
    """Return a new pod with the defaults of its namespace."""
    return limits.fill_defaults(api.store, review, pod)


def check(api: Context, review: Review) -> None:
    """Check a pod or a claim against the bounds of its namespace. Raises 403."""
    limits.judge(api.store, review)


PLUGIN = Plugin(
    name="LimitRanger",
    mutates={PODS: fill},
    validates={PODS: check, ("", "pods", "resize"): check, ("", "persistentvolumeclaims", ""): check},
)
