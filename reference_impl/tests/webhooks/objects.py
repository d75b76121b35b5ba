"""Short builders for writes that a webhook looks at, and what it says of them."""

from __future__ import annotations

from typing import Any

from reference_impl.kueue.features import Features
from reference_impl.kueue.webhooks.hooks import HOOKS
from reference_impl.kueue.webhooks.writes import ReviewedWrite, problems

RELEASE = (0, 19, 2)
EARLIER = "2026-01-01T00:00:00Z"
RESERVED = {
    "type": "QuotaReserved",
    "status": "True",
    "reason": "QuotaReserved",
    "message": "",
    "lastTransitionTime": EARLIER,
}


def hook(kind: str) -> Any:
    return next(hook for hook in HOOKS if hook.resource.kind == kind)


def messages_of(kind: str, new: Any, old: Any = None, release: tuple[int, ...] = RELEASE) -> list[str]:
    """What the validating webhook of a kind says."""
    return [
        str(problem)
        for problem in problems(
            hook(kind).rules, ReviewedWrite(new, old, new, Features(version=release)), release
        )
    ]


def obj(spec: Any = None, status: Any = None, **metadata: Any) -> Any:
    return {"metadata": {"name": "x", **metadata}, "spec": spec or {}, "status": status or {}}


def group(covered: list[str], **flavors: list[Any]) -> Any:
    return {
        "coveredResources": covered,
        "flavors": [{"name": name, "resources": amounts} for name, amounts in flavors.items()],
    }


def amount(name: str = "cpu", nominal: str = "1", **limits: str) -> Any:
    return {"name": name, "nominalQuota": nominal, **limits}


def pod_set(name: str = "main", requests: Any = None, metadata: Any = None, **fields: Any) -> Any:
    container = {"name": "c", "resources": {"requests": requests or {}}}
    template = {"metadata": metadata or {}, "spec": {"containers": [container]}}
    return {"name": name, "count": 3, "template": template, **fields}


def workload(*pod_sets: Any, conditions: Any = (), annotations: Any = None, **status: Any) -> Any:
    return {
        "metadata": {"name": "w", "namespace": "ns", "annotations": annotations or {}},
        "spec": {"podSets": list(pod_sets) or [pod_set()]},
        "status": {"conditions": list(conditions), **status},
    }
