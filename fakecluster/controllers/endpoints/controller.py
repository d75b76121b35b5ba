"""Keeps the EndpointSlices and the Endpoints of every Service in step with its pods (FK-462, FK-498).

A Service without a selector whose address was given when the
cluster was started has one endpoint that is always ready.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...api.service_address import SERVICE_OF_SLICE, SLICES
from ...api.steps import Steps, pauses
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Event, Name, Store, Stored
from ..actor import Actor, service_account
from ..engine import Key
from . import pods as published
from .legacy import HEADLESS, LegacyEndpoints
from .packing import EndpointSlice, key_of, port_key, repack
from .slices import MANAGED_BY, SliceMetadata, SliceWriter, slice_of

SERVICES, PODS, NODES = ("", "services"), ("", "pods"), ("", "nodes")
MANAGER = "endpointslice-controller.k8s.io"
NODE_ADDRESS = "192.168.0.1"
"""The address of the node `node-0`; loopback may not be published."""
SELECTED_BYTES = 32
"""As how many bytes of work a pod counts that a selector looks at."""
RESERVED_LABELS = frozenset({MANAGED_BY, SERVICE_OF_SLICE, HEADLESS})
"""Labels of slices that are not those of the Service."""


class EndpointSliceController:
    """Writes what stands behind Services."""

    resources = (SERVICES, PODS, NODES, SLICES)

    def __init__(self, api: Api) -> None:
        self._api = api
        actor = Actor(api, service_account("endpointslice-controller"), "kube-controller-manager")
        self._writer = SliceWriter(actor, MANAGER)
        self._legacy = LegacyEndpoints(api)
        self._trigger_times = TriggerTimes()
        self._without_node: set[Name] = set()
        """The Services of which a pod is on a node that is not there."""

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every Service."""
        return [stored.name for stored in store.list(SERVICES)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the Services whose endpoints an event may change."""
        if event.resource == SERVICES:
            return (event.after.name,)
        if event.resource == PODS:
            return self._around(event)
        if event.resource == NODES:
            return tuple(self._without_node) if event.type == "ADDED" else ()
        service = self._writer.service_of(event.after)
        return ((event.after.name[0], service),) if service and event.type != "ADDED" else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Write the endpoints of one Service."""
        name = (key[0], key[1])
        stored = self._api.store.get(SERVICES, name)
        if stored is None:
            self._trigger_times.forget(name)
            yield from self._legacy.delete(*name)
        elif "deletionTimestamp" in stored.object["metadata"]:
            return None
        elif stored.object["spec"].get("selector") and stored.object["spec"].get("type") != "ExternalName":
            service = {**stored.object, "apiVersion": "v1", "kind": "Service"}
            yield from pauses(SELECTED_BYTES * len(self._api.store.list(PODS, namespace=key[0])))
            pods = [pod.object for pod in self._api.store.list(PODS, namespace=key[0])]
            selected = [pod for pod in pods if published.selects(service, pod)]
            yield from self._write(service, selected)
        elif f"{key[0]}/{key[1]}" in self._api.services.static:
            yield from self._write_local({**stored.object, "apiVersion": "v1", "kind": "Service"})
        return None

    def _around(self, event: Event) -> Iterable[Key]:
        """Return the Services that a changed pod stands or stood behind."""
        states = [state.object for state in (event.before, event.after) if state]
        if event.type == "MODIFIED" and published.relevant(states[0]) == published.relevant(states[1]):
            return ()
        services = self._api.store.list(SERVICES, namespace=event.after.name[0])
        return [
            service.name
            for service in services
            if any(published.selects(service.object, pod) for pod in states)
        ]

    def _write(self, service: Json, pods: Sequence[Json]) -> Steps[None]:
        trigger_time = self._trigger_times.of(service, pods)
        yield from self._legacy.write(service, pods, trigger_time)
        namespace, name = service["metadata"]["namespace"], service["metadata"]["name"]
        present = self._writer.of(namespace, name)
        slices = [slice_of(stored) for stored in present]
        self._without_node.discard((namespace, name))
        desired = [
            new
            for address_type in published.address_types(service)
            for new in self._slices_of(service, pods, address_type, slices)
        ]
        yield from self._writer.write(present, desired, _metadata(service, trigger_time))

    def _slices_of(
        self, service: Json, pods: Sequence[Json], address_type: str, slices: Sequence[EndpointSlice]
    ) -> list[EndpointSlice]:
        """Return the slices of one type of addresses;
        one without endpoints when there is nothing to publish.
        """
        present = [old for old in slices if old.address_type == address_type]
        groups: dict[Any, tuple[list[Json], dict[Any, Json]]] = {}
        for pod in pods:
            if not published.is_published(pod, going=True):
                continue
            ports = published.ports(service, pod)
            _, endpoints = groups.setdefault(port_key(ports), (ports, {}))
            endpoint = self._endpoint(service, pod, address_type)
            if endpoint:
                endpoints[key_of(endpoint)] = endpoint
        desired = [
            new
            for key, (ports, endpoints) in groups.items()
            for new in repack(
                [old for old in present if port_key(old.ports) == key], endpoints, address_type, ports
            )
        ]
        return desired or [EndpointSlice("", address_type, [], [])]

    def _endpoint(self, service: Json, pod: Json, address_type: str) -> Json | None:
        """Return the endpoint of a pod, None when it has no such address or no node."""
        metadata, node = (
            service["metadata"],
            self._api.store.get(NODES, ("", pod["spec"].get("nodeName", ""))),
        )
        if node is None and not published.publishes_not_ready(service):
            self._without_node.add((metadata["namespace"], metadata["name"]))
            return None
        endpoint = published.endpoint(service, pod, node.object if node else None, address_type)
        return endpoint if endpoint["addresses"] else None

    def _write_local(self, service: Json) -> Steps[None]:
        ports = [
            {"name": port.get("name", ""), "port": number, "protocol": port.get("protocol", "TCP")}
            for port in service["spec"].get("ports") or ()
            if isinstance(number := port.get("targetPort") or port["port"], int)
        ]
        present: list[Stored] = self._writer.of(service["metadata"]["namespace"], service["metadata"]["name"])
        ready = {"addresses": [NODE_ADDRESS], "conditions": {"ready": True}}
        name = present[0].name[1] if present else ""
        yield from self._writer.write(
            present, [EndpointSlice(name, "IPv4", ports, [ready])], _metadata(service, "")
        )


def _metadata(service: Json, trigger_time: str) -> SliceMetadata:
    labels = service["metadata"].get("labels") or {}
    own = {name: value for name, value in labels.items() if name not in RESERVED_LABELS}
    headless = {HEADLESS: ""} if service["spec"].get("clusterIP") in {None, "", published.HEADLESS} else {}
    return SliceMetadata(service, {**own, **headless}, {}, trigger_time)


class TriggerTimes:
    """Remembers when pods became ready, or not, as of the last look at each Service: the annotation
    `last-change-trigger-time` (FK-462).
    """

    def __init__(self) -> None:
        self._pods: dict[Name, dict[str, str]] = {}

    def of(self, service: Json, pods: Iterable[Json]) -> str:
        """Return the earliest time that is new since the last look,
        RFC 3339; that of the Service at the first.
        """
        metadata = service["metadata"]
        name = (metadata["namespace"], metadata["name"])
        before, times = self._pods.get(name), {pod["metadata"]["name"]: _ready_since(pod) for pod in pods}
        self._pods[name] = times
        if before is None:
            return str(metadata["creationTimestamp"])
        return min((time for pod, time in times.items() if time > before.get(pod, "")), default="")

    def forget(self, name: Name) -> None:
        """Forget a Service that is gone."""
        self._pods.pop(name, None)


def _ready_since(pod: Json) -> str:
    conditions = pod.get("status", {}).get("conditions") or ()
    return next(
        (
            condition.get("lastTransitionTime") or ""
            for condition in conditions
            if condition["type"] == "Ready"
        ),
        "",
    )
