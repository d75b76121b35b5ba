"""When a cluster is ready: its nodes say so, and pods can be made (harness.md §8)."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ...errors import EnvironmentProblem
from ...wire.client import ApiError, Client

_PATIENCE = 60.0
_POLL = 0.1


def await_ready(client: Client) -> None:
    """Return when the cluster can be worked with. Raises EnvironmentProblem that says what it lacks."""
    end = time.monotonic() + _PATIENCE
    while missing := next(lacks(client), ""):
        if time.monotonic() > end:
            raise EnvironmentProblem(
                f"the cluster was made, but {missing} after {_PATIENCE:.0f} s",
                hint="the logs beside the report say more; is the machine out of memory or very busy?",
            )
        time.sleep(_POLL)  # noqa: TID251 - bounded, and no watch spans nodes and accounts


def lacks(client: Client) -> Iterator[str]:
    """Yield what is not there yet."""
    try:
        nodes = client.call("GET", "/api/v1/nodes")["items"]
        if not nodes:
            yield "it has no node"
        for node in nodes:
            if not _is_ready(node):
                yield f"node {node['metadata']['name']} is not ready"
        if not client.call("GET", "/api/v1/namespaces/default/serviceaccounts")["items"]:
            yield "namespace default has no service account"
    except (ApiError, EnvironmentProblem) as problem:
        yield f"its API server does not answer ({problem.args[0]})"


def _is_ready(node: dict[str, dict[str, list[dict[str, str]]]]) -> bool:
    conditions = node.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
