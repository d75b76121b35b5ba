"""Mirrors the Endpoints that users write for a Service without a selector into EndpointSlices (FK-462)."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any

from ...api.service_address import SLICES
from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Event, Store
from ..actor import Actor, service_account
from ..engine import Key
from .legacy import MANAGED_LABELS
from .packing import EndpointSlice, port_key
from .slices import TRIGGER_TIME, SliceMetadata, SliceWriter, slice_of

ENDPOINTS, SERVICES = ("", "endpoints"), ("", "services")
MANAGER = "endpointslicemirroring-controller.k8s.io"
SKIP_MIRROR_LABEL = "endpointslice.kubernetes.io/skip-mirror"
LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader"
NOT_MIRRORED = frozenset({TRIGGER_TIME, "kubectl.kubernetes.io/last-applied-configuration"})
"""Annotations of Endpoints that their slices do not have."""
MAX_ADDRESSES = 1000
"""Addresses of a subset that are mirrored."""


class EndpointSliceMirroringController:
    """Keeps one slice for the ports of each subset and each type of addresses."""

    resources = (ENDPOINTS, SERVICES, SLICES)

    def __init__(self, api: Api) -> None:
        self._store = api.store
        account = service_account("endpointslicemirroring-controller")
        self._writer = SliceWriter(Actor(api, account, "kube-controller-manager"), MANAGER)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return all Endpoints."""
        return [stored.name for stored in store.list(ENDPOINTS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Endpoints of an event; those of Services with a selector are not looked at."""
        if event.resource == ENDPOINTS:
            labels = event.after.object["metadata"].get("labels") or {}
            return () if MANAGED_LABELS.items() <= labels.items() else (event.after.name,)
        if event.resource == SERVICES:
            selectors = {
                bool(service.object["spec"].get("selector"))
                for service in (event.before, event.after)
                if service
            }
            return (event.after.name,) if event.type != "MODIFIED" or len(selectors) == 2 else ()
        service = self._writer.service_of(event.after)
        return ((event.after.name[0], service),) if service and event.type != "ADDED" else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Mirror one object Endpoints, or take back what was mirrored."""
        name = (key[0], key[1])
        stored, present = self._store.get(ENDPOINTS, name), self._writer.of(*name)
        service = self._store.get(SERVICES, name)
        endpoints = {**stored.object, "apiVersion": "v1", "kind": "Endpoints"} if stored else {"metadata": {}}
        metadata = endpoints["metadata"]
        mirrored = (
            stored is not None
            and service is not None
            and not service.object["spec"].get("selector")
            and (metadata.get("labels") or {}).get(SKIP_MIRROR_LABEL) != "true"
            and LEADER_ANNOTATION not in (metadata.get("annotations") or {})
        )
        desired = _with_names(_slices_of(endpoints), [slice_of(old) for old in present]) if mirrored else []
        annotations = {
            name: text
            for name, text in (metadata.get("annotations") or {}).items()
            if name not in NOT_MIRRORED
        }
        yield from self._writer.write(
            present, desired, SliceMetadata(endpoints, metadata.get("labels") or {}, annotations)
        )
        return None


def _slices_of(endpoints: Json) -> list[EndpointSlice]:
    groups: dict[Any, EndpointSlice] = {}
    for subset in endpoints.get("subsets") or ():
        ports = [{"name": "", "protocol": "TCP", **port} for port in subset.get("ports") or ()]
        members = (("addresses", True), ("notReadyAddresses", False))
        addresses = [(address, ready) for member, ready in members for address in subset.get(member) or ()]
        for address, ready in addresses[:MAX_ADDRESSES]:
            version = f"IPv{ipaddress.ip_address(address['ip']).version}"
            group = groups.setdefault((version, port_key(ports)), EndpointSlice("", version, ports, []))
            group.endpoints.append(_endpoint(address, ready=ready))
    return list(groups.values())


def _endpoint(address: Json, *, ready: bool) -> Json:
    optional = {name: address[name] for name in ("hostname", "nodeName", "targetRef") if address.get(name)}
    return {"addresses": [address["ip"]], "conditions": {"ready": ready}, **optional}


def _with_names(desired: Iterable[EndpointSlice], present: Iterable[EndpointSlice]) -> list[EndpointSlice]:
    """Return slices under the names of those there are for the same ports and type."""
    names = {(old.address_type, port_key(old.ports)): old.name for old in present}
    return [
        EndpointSlice(
            names.get((new.address_type, port_key(new.ports)), ""), new.address_type, new.ports, new.endpoints
        )
        for new in desired
    ]
