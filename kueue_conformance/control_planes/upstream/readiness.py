"""Waits for a started Kueue: its kinds are served, its webhooks answer, and it reconciles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from ...programs.polling import still_missing
from ...wire.client import ApiError, Client
from ...wire.resource import KUEUE

KINDS = ("AdmissionCheck", "ClusterQueue", "LocalQueue", "ResourceFlavor", "Workload")
_START_SECONDS = 180.0
_PROBE = {
    "apiVersion": f"{KUEUE}/v1beta2",
    "kind": "ResourceFlavor",
    "metadata": {"name": "kueue-conformance-probe"},
    "spec": {},
}
"""Created in a dry run, which only calls the webhooks."""


def until(
    problem: str,
    holds: Callable[[], str],
    *,
    hint: str,
    alive: Callable[[], str] = str,
    seconds: float = _START_SECONDS,
) -> None:
    """Wait until `holds` returns "".

    Raises EnvironmentProblem with its last text, or with the text of `alive`.
    """

    def look() -> str:
        missing = holds()
        if missing and (ended := alive()):
            raise EnvironmentProblem(f"{problem}: {ended}", hint=hint)
        return missing

    if missing := still_missing(look, seconds):
        raise EnvironmentProblem(f"{problem} within {seconds:.0f} s: {missing}", hint=hint)


def missing_kinds(client: Client) -> str:
    """Return which of Kueue's kinds is not served yet."""
    try:
        served = {resource["kind"] for resource in client.call("GET", f"/apis/{KUEUE}/v1beta2")["resources"]}
    except ApiError as error:
        return f"the cluster does not serve {KUEUE}/v1beta2: {error}"
    missing = [kind for kind in KINDS if kind not in served]
    return f"the cluster does not serve {', '.join(missing)} of {KUEUE}/v1beta2" if missing else ""


def unavailable_webhook(client: Client) -> str:
    """Return which webhook does not answer yet: admission is tried by a dry run, conversion by a read."""
    try:
        client.call("POST", f"/apis/{KUEUE}/v1beta2/resourceflavors", _PROBE, dryRun="All")
        for version in older(client):
            client.call("GET", f"/apis/{KUEUE}/{version}/clusterqueues", limit="1")
    except ApiError as error:
        return str(error) if error.code >= 500 else ""
    return ""


def older(client: Client) -> Sequence[str]:
    """Return the versions of Kueue's API beside the newest one."""
    group = client.call("GET", f"/apis/{KUEUE}")
    return [version["version"] for version in group["versions"] if version["version"] != "v1beta2"]


def unready(client: Client, deployments: Sequence[Json]) -> str:
    """Return which Deployment has not rolled out yet."""
    for deployment in deployments:
        metadata = deployment["metadata"]
        path = f"/apis/apps/v1/namespaces/{metadata['namespace']}/deployments/{metadata['name']}"
        if missing := _unready(client.call("GET", path)):
            return f"Deployment {metadata['namespace']}/{metadata['name']}: {missing}"
    return ""


def _unready(deployment: Json) -> str:
    replicas, status = deployment["spec"].get("replicas", 1), deployment.get("status") or {}
    if status.get("observedGeneration", 0) < deployment["metadata"]["generation"]:
        return "its controller has not seen it yet"
    ready = min(status.get("updatedReplicas", 0), status.get("readyReplicas", 0))
    if ready >= replicas and status.get("replicas", 0) == replicas:
        return ""
    messages = [
        condition.get("message", "")
        for condition in status.get("conditions", ())
        if condition["status"] == "False"
    ]
    return f"{ready} of {replicas} replicas are ready{''.join(f'; {message}' for message in messages)}"
