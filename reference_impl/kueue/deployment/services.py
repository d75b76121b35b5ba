"""How others reach the replicas: API servers call the webhooks
and the visibility server, a Prometheus reads the metrics.
"""

from __future__ import annotations

from typing import Final

from ...api.resource import Json, Resource
from ..config import WEBHOOK_SERVICE
from ..visibility import registration
from .site import LABELS, NAME, Site, make_object

SERVICES: Final = Resource(group="", version="v1", plural="services", kind="Service")
PORTS: Final = {
    WEBHOOK_SERVICE: (443, "webhooks"),
    registration.SERVICE: (registration.PORT, "visibility"),
    f"{NAME}-metrics": (8080, "metrics"),
}
"""Service → its port, and the name of the container's."""


def services(site: Site) -> tuple[Json, ...]:
    """Return the Services."""
    return tuple(
        make_object(
            SERVICES,
            name,
            site.namespace,
            spec={
                "selector": dict(LABELS),
                "ports": [{"name": target, "port": port, "targetPort": target, "protocol": "TCP"}],
            },
        )
        for name, (port, target) in PORTS.items()
    )
