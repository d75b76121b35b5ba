"""Connections into pods, nodes and services: what they fail with, since no kubelet and no container runs
anything (FK-485, FK-487).

A request gets as far as in a cluster whose nodes are switched off: what it names must exist, have a
container, a node, an address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NoReturn

from ...api import status
from ...api.outcome import Outcome
from ...base.json_types import Json
from ...registry.action import Action, Verb
from . import remote_command
from .connection_options import asking
from .pod.logs import container_of

KUBELET = 10250
ADDRESS_TYPES = ("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP")
"""Which of a node's addresses is dialed, the first that there is."""
SLICES = ("discovery.k8s.io", "endpointslices")


def stream(action: Action) -> Outcome:
    """Fail to exec or attach, after the container is chosen. Raises 400, 404, 500."""
    pod = action.existing().object
    container = container_of(action.request, pod)
    kubelet = _kubelet(action, pod)
    if remote_command.is_websocket_request(action.request):
        path = f"{action.info.subresource}/{action.namespace}/{action.name}/{container}"
        return remote_command.refuse(action.request, path, kubelet)
    raise _dialing(kubelet)


def forward(action: Action) -> NoReturn:
    """Fail to forward a port. Raises 400, 404, 500."""
    raise _dialing(_kubelet(action, action.existing().object))


def pod_proxy(action: Action) -> NoReturn:
    """Fail to reach a pod by its address. Raises 400, 404, 503."""
    name, port = _target(action.name)
    pod = action.api.store.get(action.kind.stored_as, (action.namespace, name))
    if pod is None:
        raise status.not_found(action.kind, name)
    address = pod.object.get("status", {}).get("podIP")
    if not address:
        raise status.bad_request("address not allowed")
    _refuse(f"{address}:{port or 80}")


def node_proxy(action: Action) -> NoReturn:
    """Fail to reach a node. Raises 404, 500, 503."""
    name, port = _target(action.name)
    host, own_port = _address(action, name)
    _refuse(f"{host}:{port or own_port}")


def service_proxy(action: Action) -> NoReturn:
    """Refuse a connection to the endpoints of a Service. Raises 404, 503."""
    name, port = _target(action.name)
    service = action.api.store.get(action.kind.stored_as, (action.namespace, name))
    if service is None:
        raise status.not_found(action.kind, name)
    ports = service.object["spec"].get("ports") or []
    if port and not any(
        port in {str(service_port["port"]), service_port.get("name")} for service_port in ports
    ):
        raise status.unavailable(f'no service port {port} found for service "{name}"')
    addresses = list(_endpoints(action, name))
    if not addresses:
        raise status.not_found(action.kind, name)
    _refuse(f"{addresses[0]}:{port or ports[0]['port']}")


def _target(target: str) -> tuple[str, str]:
    """Return name and port of `name`, `name:port` or `scheme:name:port`."""
    segments = target.split(":")
    name, port, *_ = segments[1:] if len(segments) > 2 else [*segments, ""]
    return name, port


def _kubelet(action: Action, pod: Json) -> str:
    """Return the address of the kubelet of a pod. Raises 400, 404, 500."""
    node = pod["spec"].get("nodeName")
    if not node:
        raise status.bad_request(f"pod {action.name} does not have a host assigned")
    host, port = _address(action, node)
    return f"{host}:{port}"


def _dialing(kubelet: str) -> status.StatusError:
    return status.raw(f"error dialing backend: dial tcp {kubelet}: connect: connection refused")


def _address(action: Action, name: str) -> tuple[str, int]:
    """Return host and port of the kubelet of a node. Raises 404, 500."""
    node = action.api.store.get(("", "nodes"), ("", name))
    if node is None:
        # The real server says so of the kind that was asked for, also when that is a pod.
        raise status.not_found(action.kind, name)
    reported = node.object.get("status", {})
    hosts = {
        address["type"]: str(address["address"]) for address in reversed(reported.get("addresses") or ())
    }
    host = next((hosts[kind] for kind in ADDRESS_TYPES if kind in hosts), "")
    if not host:
        raise status.raw("no preferred addresses found; known addresses: []")
    endpoint = (reported.get("daemonEndpoints") or {}).get("kubeletEndpoint") or {}
    return host, endpoint.get("Port") or KUBELET


def _endpoints(action: Action, service: str) -> Iterator[str]:
    for stored in action.api.store.list(SLICES, namespace=action.namespace):
        if (stored.object["metadata"].get("labels") or {}).get("kubernetes.io/service-name") == service:
            for endpoint in stored.object.get("endpoints") or ():
                yield from endpoint.get("addresses") or ()


def _refuse(address: str) -> NoReturn:
    raise status.unavailable(
        f"error trying to reach service: dial tcp {address}: connect: connection refused"
    )


VERBS: Mapping[tuple[str, str, str], Verb] = {
    ("", "pods", "attach"): asking(stream),
    ("", "pods", "exec"): asking(stream),
    ("", "pods", "portforward"): asking(forward),
    ("", "pods", "proxy"): asking(pod_proxy),
    ("", "nodes", "proxy"): asking(node_proxy),
    ("", "services", "proxy"): asking(service_proxy),
}
