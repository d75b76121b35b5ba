"""Where a Service of the cluster is reached from this process: for webhooks and extension servers alike
(FK-310, FK-436, FK-498).

Addresses of Services are not routed here, so a Service stands for one of its ready endpoints, for its
external name, or for an address that was given for it when the cluster was started.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

from msgspec import Struct, field

from ..base.json_types import Json
from ..base.numbers.integers import short
from ..store import Store

SLICES = ("discovery.k8s.io", "endpointslices")
SERVICE_OF_SLICE = "kubernetes.io/service-name"
HEADLESS = "None"
"""The cluster IP of a Service that has none."""


class ServiceUnreachableError(Exception):
    """Why a Service has no address, as it stands behind the URL in messages."""


class ServiceMapError(ValueError):
    """A given address of a Service that cannot be used."""


class Address(Struct, frozen=True):
    """A host and a port to connect to."""

    host: str
    port: int
    is_configured: bool = False
    """Whether it was given from outside the cluster, and may therefore be called wherever it is."""


class ServiceResolver(Struct, frozen=True):
    """Resolves Services from `static` (`namespace/name` → `host:port`), then from the stored objects."""

    store: Store
    static: Mapping[str, Address] = field(default_factory=lambda: MappingProxyType({}))

    def address(self, namespace: str, name: str, port: int = 443) -> Address:
        """Return where a port of a Service is reached. Raises ServiceUnreachableError."""
        static = self.static.get(f"{namespace}/{name}")
        if static is not None:
            return static
        service = self.store.get(("", "services"), (namespace, name))
        if service is None:
            raise ServiceUnreachableError(f'service "{name}" not found')
        spec = service.object["spec"]
        # An ExternalName has no endpoints: the host is its DNS name, the port the caller's.
        if spec.get("type") == "ExternalName":
            return Address(spec["externalName"], port)
        if spec.get("clusterIP") == HEADLESS:
            raise ServiceUnreachableError('cannot route to service with ClusterIP "None"')
        declared = next(
            (port_spec for port_spec in spec.get("ports") or () if port_spec["port"] == port), None
        )
        if declared is None:
            raise ServiceUnreachableError(f'no service port {port} found for service "{name}"')
        ready = next(self.ready(namespace, name, declared.get("name", "")), None)
        if ready is None:
            where = f"{spec.get('clusterIP', '')}:{port}"
            raise ServiceUnreachableError(f"dial tcp {where}: connect: connection refused")
        return ready

    def virtual_address(self, namespace: str, name: str, port: int = 443) -> Address:
        """Return the address of a Service itself, or its name where it has none or is not stored."""
        service = self.store.get(("", "services"), (namespace, name))
        virtual = service.object["spec"].get("clusterIP", "") if service else ""
        return Address(virtual if virtual not in {"", HEADLESS} else f"{name}.{namespace}.svc", port)

    def ready(self, namespace: str, name: str, port_name: str) -> Iterator[Address]:
        """Yield the ready endpoints of a Service's port."""
        for piece in self.slices(namespace, name):
            ports = [
                port_spec["port"]
                for port_spec in piece.get("ports") or ()
                if port_spec.get("name", "") == port_name
            ]
            for endpoint, port in product(piece.get("endpoints") or (), ports):
                # In an EndpointSlice an absent `ready` means unknown, which callers take for ready.
                if (endpoint.get("conditions") or {}).get("ready") is not False:
                    yield from (Address(host, port) for host in endpoint["addresses"])

    def slices(self, namespace: str, name: str) -> Iterator[Json]:
        """Yield the EndpointSlices of a Service."""
        for stored in self.store.list(SLICES, namespace=namespace):
            if (stored.object["metadata"].get("labels") or {}).get(SERVICE_OF_SLICE) == name:
                yield stored.object


def parse_addresses(texts: Mapping[str, str]) -> Mapping[str, Address]:
    """Read `namespace/name` → `host:port`. Raises ServiceMapError for anything else."""
    return MappingProxyType({service_key(key): _parse_address(key, value) for key, value in texts.items()})


def service_key(text: str) -> str:
    """Return `namespace/name`. Raises ServiceMapError for anything else."""
    namespace, slash, name = text.partition("/")
    if not (namespace and slash and name) or "/" in name:
        raise ServiceMapError(f"services: key {text!r} names no Service; expected namespace/name")
    return text


def _parse_address(key: str, text: str) -> Address:
    host, _, port = text.rpartition(":")
    if not host or not 0 < (short(port) or 0) < 65536:
        raise ServiceMapError(
            f"services: {key}: {text!r} is no address; expected host:port, such as 127.0.0.1:9443"
        )
    return Address(host.strip("[]"), int(port), is_configured=True)
