"""How an API server learns of the visibility server:
a Service and one APIService for each version (VIS-701, VIS-801).
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from ...api.resource import Json, Resource
from .attributes import GROUP

SERVICE: Final = "kueue-visibility-server"
PORT: Final = 443
LOCAL: Final = "localhost"
# Of the group and of each version: those of definitions stand before it (VIS-323).
PRIORITY: Final = 100
APISERVICES: Final = Resource(
    group="apiregistration.k8s.io",
    version="v1",
    plural="apiservices",
    kind="APIService",
    namespaced=False,
)
SERVICES: Final = Resource(group="", version="v1", plural="services", kind="Service")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceReference:
    """The Service that leads to the server, its port, and the authority that has signed its certificate (PEM;
    empty: not verified).
    """

    namespace: str = "kueue-system"
    port: int = PORT
    authority: bytes = b""


def api_services(versions: tuple[str, ...], where: ServiceReference) -> tuple[Json, ...]:
    """Return an APIService for each version."""
    return tuple(_api_service(version, where) for version in versions)


def outside_service(namespace: str, host: str = LOCAL) -> Json:
    """Return the Service of a server that runs outside the cluster: another name of the host where the API
    server reaches it.
    """
    return {
        "apiVersion": SERVICES.api_version,
        "kind": SERVICES.kind,
        "metadata": {"name": SERVICE, "namespace": namespace},
        "spec": {"type": "ExternalName", "externalName": host},
    }


def reachable_host(listening: str) -> str:
    """Return the host name under which an API server reaches a server that listens at a host.

    That is `localhost` for loopback, for all addresses, and for IPv6, which an ExternalName cannot spell.
    """
    try:
        address = ip_address(listening)
    except ValueError:
        return listening or LOCAL
    usable = address.version == 4 and not (address.is_loopback or address.is_unspecified)
    return listening if usable else LOCAL


def _api_service(version: str, where: ServiceReference) -> Json:
    trust: Json = (
        {"caBundle": base64.b64encode(where.authority).decode()}
        if where.authority
        else {"insecureSkipTLSVerify": True}
    )
    return {
        "apiVersion": APISERVICES.api_version,
        "kind": APISERVICES.kind,
        "metadata": {"name": f"{version}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "version": version,
            "groupPriorityMinimum": PRIORITY,
            "versionPriority": PRIORITY,
            "service": {"namespace": where.namespace, "name": SERVICE, "port": where.port},
            **trust,
        },
    }
