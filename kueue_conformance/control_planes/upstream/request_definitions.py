"""The definition of ProvisioningRequests, which Kueue does not bring and its check controller needs."""

from __future__ import annotations

from ...wire import kinds
from ...wire.client import ApiError, Client

MANAGER = "kueue-conformance"
GROUP_VERSION = "/apis/autoscaling.x-k8s.io/v1"


def are_requests_served(client: Client) -> bool:
    """Tell whether the cluster serves ProvisioningRequests."""
    try:
        # The group's discovery document costs one request and needs no right on the kind.
        client.call("GET", GROUP_VERSION)
    except ApiError:
        return False
    return True


def install_request_definitions(client: Client) -> None:
    """Apply the definition where the cluster serves none; it goes with the other objects of the run."""
    # Imported on use: a run that judges the reference needs nothing of it here.
    from ..reference.manifests import request_definitions

    # Before Kueue starts: its controller of ProvisioningRequests is set up only where they are served.
    if not are_requests_served(client):
        kinds.apply(client, request_definitions(), manager=MANAGER)
