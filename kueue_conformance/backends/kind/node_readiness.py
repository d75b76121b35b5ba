"""Waits until a cluster is ready: its nodes are Ready, and pods can be created (harness.md §8)."""

from __future__ import annotations

from collections.abc import Iterator

from ...base.errors import EnvironmentProblem
from ...programs.polling import still_missing
from ...wire.client import ApiError, Client

_TIMEOUT_SECONDS = 60.0


def await_ready(client: Client) -> None:
    """Wait until the cluster is ready. Raises EnvironmentProblem that names the missing parts."""
    if missing := still_missing(lambda: next(lacks(client), ""), _TIMEOUT_SECONDS):
        raise EnvironmentProblem(
            f"the cluster was made, but {missing} after {_TIMEOUT_SECONDS:.0f} s",
            hint="the logs beside the report say more; is the machine out of memory or overloaded?",
        )


def lacks(client: Client) -> Iterator[str]:
    """Yield the missing parts of the cluster."""
    try:
        nodes = client.call("GET", "/api/v1/nodes")["items"]
        if not nodes:
            yield "it has no node"
        for node in nodes:
            if not _is_ready(node):
                yield f"node {node['metadata']['name']} is not ready"
        # Admission refuses a Pod whose service account is missing, and a controller makes it some
        # time after the server is up.
        if not client.call("GET", "/api/v1/namespaces/default/serviceaccounts")["items"]:
            yield "namespace default has no service account"
    except (ApiError, EnvironmentProblem) as problem:
        yield f"its API server does not answer ({problem.args[0]})"


def _is_ready(node: dict[str, dict[str, list[dict[str, str]]]]) -> bool:
    conditions = node.get("status", {}).get("conditions", [])
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)
