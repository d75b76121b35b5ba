"""The rights of a subject on a fake cluster: a ClusterRole of what its file declares, bound to the group of
its replicas (CC-078).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.lab.laboratory import PREFIX

from ...base.json_types import Json

GROUP = "kueue-conformance:subjects"
_RBAC = "rbac.authorization.k8s.io"
_NAME = "kueue-conformance:subject"
# A role with `*` would open the laboratory of the fake server too, through which a subject could
# change its own verdict.
_PAGES = (
    "/.well-known/*",
    "/api",
    "/api/*",
    "/apis",
    "/apis/*",
    "/healthz",
    "/healthz/*",
    "/livez",
    "/livez/*",
    "/metrics",
    "/openapi/*",
    "/readyz",
    "/readyz/*",
    "/version",
    "/version/*",
)
"""The paths granted for every path of a role: those of an API server, without those of the laboratory."""


# Written out, since `*` grants impersonate, bind and escalate as well.
_VERBS = (
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
    "head",
    "options",
    "post",
    "put",
)
"""The verbs granted for every verb of a role."""
_OF_OTHERS = frozenset({"bind", "escalate", "impersonate"})
"""Verbs by which a client can become another user,
and would not be seen, disturbed and judged as the subject.
"""


def grant(cluster: FakeCluster, rules: Sequence[Json]) -> None:
    """Allow the replicas of the subject what the rules say."""
    cluster.apply(
        [
            {
                "apiVersion": f"{_RBAC}/v1",
                "kind": "ClusterRole",
                "metadata": {"name": _NAME},
                "rules": [*_of_a_server(rules)],
            },
            {
                "apiVersion": f"{_RBAC}/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": _NAME},
                "roleRef": {"apiGroup": _RBAC, "kind": "ClusterRole", "name": _NAME},
                "subjects": [{"apiGroup": _RBAC, "kind": "Group", "name": GROUP}],
            },
        ]
    )


def _of_a_server(rules: Sequence[Json]) -> Iterator[Json]:
    """Yield the rules without impersonation and without the laboratory of the fake API server."""
    for rule in rules:
        server_rule = {
            **rule,
            "verbs": _expand(rule["verbs"], _verbs),
            **(
                {"nonResourceURLs": _expand(rule["nonResourceURLs"], _pages)}
                if "nonResourceURLs" in rule
                else {}
            ),
        }
        # A rule that has lost all its verbs is left out: RBAC refuses a rule without verbs.
        if all(server_rule[word] for word in ("verbs", "nonResourceURLs") if word in server_rule):
            yield server_rule


def _expand(words: Sequence[str], means: Callable[[str], Sequence[str]]) -> list[str]:
    return [*dict.fromkeys(expanded for word in words for expanded in means(word))]


def _verbs(verb: str) -> Sequence[str]:
    return _VERBS if verb == "*" else () if verb in _OF_OTHERS else (verb,)


def _pages(pattern: str) -> Sequence[str]:
    # RBAC knows both spellings of every path.
    if pattern in ("*", "/*"):
        return _PAGES
    leads_there = pattern.startswith(PREFIX.rstrip("/")) or (
        # A `*` at the end of a path fits every longer path, so /a* may lead to the laboratory as
        # well.
        pattern.endswith("*") and PREFIX.startswith(pattern[:-1])
    )
    return () if leads_there else (pattern,)
