"""Operations that connect to what runs: pods, nodes and services (FK-371, FK-485)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api.kind import Kind
from ..subresources import subresource
from .names import group_title, tag, version_title
from .operations import Method, Operation, PathItem

METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
STREAMS = ("container", "stderr", "stdin", "stdout", "tty")
OF_PODS: Mapping[str, tuple[str, ...]] = {
    "attach": tuple(f"attach.{name}" for name in STREAMS),
    "exec": ("command", *(f"exec.{name}" for name in STREAMS)),
    "portforward": ("ports",),
}
"""Query parameters of what GET and POST connect to."""


def connections_of(
    kind: Kind, name: str, path: str, places: tuple[str, ...], scope: str
) -> dict[str, PathItem]:
    """Return the paths of a subresource that connects, by their addresses."""
    if name in OF_PODS:
        return {path: _item(kind, name, ("get", "post"), places, OF_PODS[name], scope)}
    if name != "proxy":
        return {}
    query = (f"{kind.plural}.path",)
    return {
        path: _item(kind, name, METHODS, places, query, scope),
        # A proxy takes any path behind its own, and OpenAPI has to describe that as another one.
        f"{path}/{{path}}": _item(kind, name, METHODS, (*places, "path"), query, scope, "WithPath"),
    }


def _item(
    kind: Kind,
    name: str,
    methods: tuple[str, ...],
    places: tuple[str, ...],
    query: tuple[str, ...],
    scope: str,
    end: str = "",
) -> PathItem:
    (_, _, options), _ = subresource(kind, name)
    beginning = f"connect{group_title(kind.group)}{version_title(kind.version)}"
    operations = tuple(
        Operation(
            method=Method(method, "connect", "connect", "connect", "", query),
            id=f"{beginning}{method.capitalize()}{scope}{kind.kind}{name.capitalize()}{end}",
            description=f"connect {method.upper()} requests to {name} of {kind.kind}",
            tag=tag(kind.group, kind.version),
            gvk={"group": kind.group, "version": kind.version, "kind": options},
            text=("*/*",),
        )
        for method in methods
    )
    return PathItem(places, operations, pretty=False)
