"""The row of Pod (FK-496)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....api.kind import Kind
from ....base.lazy_modules import LazyModule
from ...row import CATEGORY_ALL, row
from . import columns, strategy

if TYPE_CHECKING:
    from .validation import pod, pod_status
    from .warnings import pods
else:
    pod = LazyModule(".validation.pod", __package__)
    pod_status = LazyModule(".validation.pod_status", __package__)
    pods = LazyModule(".warnings.pods", __package__)

SUBRESOURCES = frozenset(
    {
        "attach",
        "binding",
        "ephemeralcontainers",
        "eviction",
        "exec",
        "log",
        "portforward",
        "proxy",
        "resize",
        "status",
    }
)
POD: Kind = row(
    "core.v1.Pod",
    "pods",
    short="po",
    categories=CATEGORY_ALL,
    subresources=SUBRESOURCES,
    generation="spec",
    returns_deleted=True,
    graceful=True,
    prepare=strategy.prepare,
    prepare_status=strategy.prepare_status,
    status_resets=(("spec",), ("metadata", "deletionTimestamp"), ("metadata", "ownerReferences")),
    selectable=strategy.SELECTABLE,
    validate=pod.judge,
    warnings=pods.warnings,
    status_warnings=pods.status_warnings,
    validate_new=pod.new,
    validate_status=pod_status.status_errors,
    judge_update=pod.judge_update,
    columns=columns.POD,
)
