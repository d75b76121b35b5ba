"""The release of a real Kueue: the tag of its Deployment's image,
a label, or the log of a manager's start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...base.json_types import Json
from ...wire.client import ApiError, Client

SELECTOR = "app.kubernetes.io/name=kueue"
REFERENCE = "app.kubernetes.io/name=kueue-reference"
_DEPLOYMENTS = "/apis/apps/v1/deployments"
_VERSION = re.compile(r"v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$")
_SAID = re.compile(r'"gitVersion":\s*"(v[^"]+)"')
_UNSET_VERSION = "v0.0.0"
"""The version in the log of a manager that was built without a version."""


def deployments(client: Client, selector: str = SELECTOR) -> list[Json]:
    """Return the Deployments of a control plane, those that run a manager first."""
    try:
        all_deployments = client.call("GET", _DEPLOYMENTS, labelSelector=selector)["items"]
    except ApiError as error:
        if error.code in (403, 404):
            return []
        raise
    return sorted(all_deployments, key=lambda deployment: "controller" not in deployment["metadata"]["name"])


def of_deployments(deployments_or_pods: Iterable[Json]) -> str:
    """Return the version of Deployments or their pods, such as `v0.19.2`; empty when there is none."""
    return next(
        (
            version
            for deployment in deployments_or_pods
            for text in _version_texts(deployment)
            if (version := version_in(text))
        ),
        "",
    )


def of_log(lines: Iterable[str]) -> str:
    """Return the version in a manager's log; empty when there is none, or it was built without one."""
    versions = (match[1] for line in lines if (match := _SAID.search(line)))
    return next((version for version in versions if not version.startswith(_UNSET_VERSION)), "")


def version_in(text: str) -> str:
    """Return the version that ends a text such as the name of an image; empty when there is none."""
    match = _VERSION.search(text.partition("@")[0])
    return f"v{match[1]}" if match else ""


def _version_texts(deployment: Json) -> Iterable[str]:
    pod = deployment["spec"]["template"]
    for container in pod["spec"]["containers"]:
        yield container["image"]
    for metadata in (deployment["metadata"], pod.get("metadata") or {}):
        yield (metadata.get("labels") or {}).get("app.kubernetes.io/version", "")
