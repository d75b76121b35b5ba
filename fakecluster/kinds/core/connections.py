"""Connections into pods, nodes and services: what they fail with, since no kubelet and no container runs
anything (FK-485, FK-487).

A request gets as far as in a cluster whose nodes are switched off: what it names must exist, have a
container, a node, an address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from ...api import status
from ...registry.action import Action, Verb
from .connection_options import asking
from .pod.logs import container_of

Json = Any
KUBELET = 10250
SLICES = ("discovery.k8s.io", "endpointslices")


def stream(action: Action) -> NoReturn:
    """Fail to exec or attach: a container is chosen before its node is asked. Raises 400, 404, 500."""
    pod = action.existing().object
    container_of(action.request, pod)
    _dial_node(action, pod)


def forward(action: Action) -> NoReturn:
    """Fail to forward a port. Raises 400, 404, 500."""
    _dial_node(action, action.existing().object)


def pod_proxy(action: Action) -> NoReturn:
    """Fail to reach a pod by its address. Raises 400, 404, 503."""
    name, port = _target(action.name)
    found = action.api.store.get(action.kind.stored_as, (action.namespace, name))
    if found is None:
        raise status.not_found(action.kind, name)
    address = found.object.get("status", {}).get("podIP")
    if not address:
        raise status.bad_request("address not allowed")
    _refused(f"{address}:{port or 80}")


def node_proxy(action: Action) -> NoReturn:
    """Fail to reach a node. Raises 404, 500, 503."""
    name, port = _target(action.name)
    _refused(f"{_address(action, name)}:{port or KUBELET}")


def service_proxy(action: Action) -> NoReturn:
    """Refuse a connection to the endpoints of a Service. Raises 404, 503."""
    name, port = _target(action.name)
    found = action.api.store.get(action.kind.stored_as, (action.namespace, name))
    if found is None:
        raise status.not_found(action.kind, name)
    ports = found.object["spec"].get("ports") or []
    if port and not any(port in {str(one["port"]), one.get("name")} for one in ports):
        raise status.unavailable(f'no service port {port} found for service "{name}"')
    addresses = list(_endpoints(action, name))
    if not addresses:
        raise status.not_found(action.kind, name)
    _refused(f"{addresses[0]}:{port or ports[0]['port']}")


def _target(said: str) -> tuple[str, str]:
    """Return name and port of `name`, `name:port` or `scheme:name:port`."""
    parts = said.split(":")
    name, port, *_ = parts[1:] if len(parts) > 2 else [*parts, ""]
    return name, port


def _dial_node(action: Action, pod: Json) -> NoReturn:
    node = pod["spec"].get("nodeName")
    if not node:
        raise status.bad_request(f"pod {action.name} does not have a host assigned")
    address = _address(action, node)
    raise status.raw(f"error dialing backend: dial tcp {address}:{KUBELET}: connect: connection refused")


def _address(action: Action, name: str) -> str:
    found = action.api.store.get(("", "nodes"), ("", name))
    if found is None:
        # The real server says so of the kind that was asked for, also when that is a pod.
        raise status.not_found(action.kind, name)
    known = found.object.get("status", {}).get("addresses") or ()
    if not known:
        raise status.raw("no preferred addresses found; known addresses: []")
    return str(known[0]["address"])


def _endpoints(action: Action, service: str) -> Iterator[str]:
    for one in action.api.store.list(SLICES, namespace=action.namespace):
        if (one.object["metadata"].get("labels") or {}).get("kubernetes.io/service-name") == service:
            for endpoint in one.object.get("endpoints") or ():
                yield from endpoint.get("addresses") or ()


def _refused(address: str) -> NoReturn:
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
