"""The definition of ProvisioningRequests in a cluster that has none of others."""

from __future__ import annotations

from ...backends import Cluster
from ...dialect import Dialect
from ...wire.client import ApiError, Client

AGENT = "kueue-conformance"
SERVED_SECONDS = 30.0
GROUP = "/apis/autoscaling.x-k8s.io/v1"


def install(cluster: Cluster, dialect: Dialect) -> None:
    """Create the definition, and return when its kind is served."""
    from reference_impl.api.crds.provisioning_requests import definition_of_requests

    del dialect
    client, definition = Client(cluster.transport, agent=AGENT), definition_of_requests()
    if client.find("CustomResourceDefinition", definition["metadata"]["name"]) is None:
        client.create(definition)
    cluster.wait(lambda: _is_served(client), SERVED_SECONDS, lambda: False)


def _is_served(client: Client) -> bool:
    try:
        client.call("GET", GROUP)
    except ApiError:
        return False
    return True
