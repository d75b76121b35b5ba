"""The CustomResourceDefinition of ProvisioningRequests, for a cluster that has none."""

from __future__ import annotations

from ...backends.cluster import Cluster
from ...scenarios.dialect import Dialect
from ...wire.client import ApiError, Client

AGENT = "kueue-conformance"
SERVED_SECONDS = 30.0
GROUP = "/apis/autoscaling.x-k8s.io"


def install(cluster: Cluster, dialect: Dialect) -> None:
    """Create the CustomResourceDefinition; return when its kind is served."""
    from reference_impl.api.crds.provisioning_requests import definition_of_requests

    client = Client(cluster.transport, agent=AGENT)
    definition = definition_of_requests(dialect.fact("request-definition"))
    path = f"{GROUP}/{dialect.fact('request-version')}"
    if client.find("CustomResourceDefinition", definition["metadata"]["name"]) is None:
        client.create(definition)
    cluster.wait(lambda: _is_served(client, path), SERVED_SECONDS, lambda: False)


def _is_served(client: Client, path: str) -> bool:
    try:
        client.call("GET", path)
    except ApiError:
        return False
    return True
