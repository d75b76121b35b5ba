"""The rights of a subject on a fake cluster: a ClusterRole of what its file declares, bound to the group of its replicas (CC-078)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from fakecluster.cluster import FakeCluster
from fakecluster.lab.desk import PREFIX

Json: TypeAlias = Any
GROUP = "kueue-conformance:subjects"
_RBAC = "rbac.authorization.k8s.io"
_NAME = "kueue-conformance:subject"
_PAGES = (
    "/.well-known/*", "/api", "/api/*", "/apis", "/apis/*", "/healthz", "/healthz/*", "/livez", "/livez/*", "/metrics", "/openapi/*",
    "/readyz", "/readyz/*", "/version", "/version/*",
)  # fmt: skip
"""What a role means by every path: the pages of an API server, and not those of the laboratory."""


def grant(cluster: FakeCluster, rules: Sequence[Json]) -> None:
    """Allow the replicas of the subject what the rules say."""
    cluster.apply(
        [
            {
                "apiVersion": f"{_RBAC}/v1", "kind": "ClusterRole", "metadata": {"name": _NAME},
                "rules": [*_of_a_server(rules)],
            },
            {
                "apiVersion": f"{_RBAC}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": _NAME},
                "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": _NAME},
                "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": GROUP}],
            },
        ]
    )  # fmt: skip


def _of_a_server(rules: Sequence[Json]) -> Iterator[Json]:
    """Yield the rules without paths of the laboratory: faults and journal of the judge are none of the subject's business."""
    for rule in rules:
        paths = rule.get("nonResourceURLs")
        if not paths:
            yield rule
        elif kept := [*dict.fromkeys(each for one in paths for each in _pages(one))]:
            yield {**rule, "nonResourceURLs": kept}


def _pages(pattern: str) -> Sequence[str]:
    reaches = pattern.endswith("*") and PREFIX.startswith(pattern[:-1])
    if reaches:
        return _PAGES if pattern in ("*", "/*") else ()
    return () if pattern.startswith(PREFIX.rstrip("/")) else (pattern,)
