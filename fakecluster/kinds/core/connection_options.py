"""What admission sees of a connection into a pod,
a node or a service: the options on its URL (FK-305, FK-487).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...api.admission import Review
from ...api.outcome import Outcome
from ...api.routes import flag
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.integers import short
from ...registry.action import Action, Verb

KINDS: Mapping[tuple[str, str], str] = {
    ("pods", "exec"): "PodExecOptions",
    ("pods", "attach"): "PodAttachOptions",
    ("pods", "portforward"): "PodPortForwardOptions",
    ("pods", "proxy"): "PodProxyOptions",
    ("nodes", "proxy"): "NodeProxyOptions",
    ("services", "proxy"): "ServiceProxyOptions",
}
STREAMS = ("stdin", "stdout", "stderr", "tty")


def asking(verb: Callable[[Action], Outcome]) -> Verb:
    """Return the verb of a connection that admission is asked about before anything is looked at."""

    def connect(action: Action) -> Steps[Outcome]:
        review = Review(
            operation="CONNECT",
            verb=action.info.verb,
            kind=action.kind,
            subresource=action.info.subresource,
            namespace=action.namespace,
            name=action.name,
            new=_options(action),
            old=None,
            user=action.request.user,
            dry_run=False,
            trace=action.trace,
            options=lambda: None,
        )
        # Before anything is looked at, so that a webhook can refuse even a pod that does not exist.
        yield from action.admit(review)
        return verb(action)

    return connect


def _options(action: Action) -> Json:
    """Return the options of a connection as an object."""
    kind = KINDS[action.kind.plural, action.info.subresource]
    options: dict[str, Json] = {"kind": kind, "apiVersion": "v1"}
    if action.info.subresource == "proxy":
        return options | ({"path": "/" + "/".join(action.info.rest)} if action.info.rest else {})
    if kind == "PodPortForwardOptions":
        # Ports that are no numbers are left out.
        ports = [port for text in _all(action, "ports") if (port := short(text)) is not None]
        return options | ({"ports": ports} if ports else {})
    commands = _all(action, "command") if kind == "PodExecOptions" else []
    container = action.request.option("container")
    flags = {name: True for name in STREAMS if flag(action.request.option(name))}
    return (
        options
        | flags
        | ({"command": commands} if commands else {})
        | ({"container": container} if container else {})
    )


def _all(action: Action, name: str) -> list[str]:
    return [value for key, value in action.request.query if key == name]
