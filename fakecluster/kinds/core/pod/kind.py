"""The row of Pod (FK-496)."""

from __future__ import annotations

from ....api.kind import Kind
from ...row import ALL, row
from . import columns, strategy
from .validation import pod
from .warnings import pods

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
    categories=ALL,
    subresources=SUBRESOURCES,
    generation="spec",
    returns_deleted=True,
    graceful=True,
    prepare=strategy.prepare,
    prepare_status=strategy.prepare_status,
    status_resets=(("spec",), ("metadata", "deletionTimestamp"), ("metadata", "ownerReferences")),
    selectable=strategy.SELECTABLE,
    validate=pod.judged,
    warnings=pods.warnings,
    status_warnings=pods.status_warnings,
    validate_new=pod.new,
    validate_status=pod.status,
    judge_update=pod.changed,
    columns=columns.POD,
)
