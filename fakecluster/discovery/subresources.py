"""Subresources in discovery: the kinds that subresources answer with and their verbs (FK-362, FK-368)."""

from __future__ import annotations

from collections.abc import Mapping

from ..api.kind import Kind

READ_WRITE = ("get", "patch", "update")
ANY_METHOD = ("create", "delete", "get", "patch", "update")
SUBRESOURCE_VERBS: Mapping[str, tuple[str, ...]] = {
    "attach": ("create", "get"),
    "binding": ("create",),
    "eviction": ("create",),
    "exec": ("create", "get"),
    "finalize": ("update",),
    "log": ("get",),
    "portforward": ("create", "get"),
    "proxy": ANY_METHOD,
    "token": ("create",),
}
SUBRESOURCE_KINDS: Mapping[str, tuple[str, str, str]] = {
    "scale": ("autoscaling", "v1", "Scale"),
    "eviction": ("policy", "v1", "Eviction"),
    "token": ("authentication.k8s.io", "v1", "TokenRequest"),
    "binding": ("", "", "Binding"),
    "attach": ("", "", "PodAttachOptions"),
    "exec": ("", "", "PodExecOptions"),
    "portforward": ("", "", "PodPortForwardOptions"),
}


def subresource(kind: Kind, name: str) -> tuple[tuple[str, str, str], list[str]]:
    """Return what a subresource answers with, as (group, version, kind), and its verbs."""
    answer_kind = SUBRESOURCE_KINDS.get(name)
    if name == "proxy":
        answer_kind = ("", "", f"{kind.kind}ProxyOptions")
    return answer_kind or ("", "", kind.kind), list(SUBRESOURCE_VERBS.get(name, READ_WRITE))


def below(kind: Kind) -> list[str]:
    """Return the subresources of a kind in the order in which they are listed."""
    # The real server lists status before scale for custom resources, and sorts those of built-in kinds.
    return sorted(kind.subresources, reverse=kind.custom)
