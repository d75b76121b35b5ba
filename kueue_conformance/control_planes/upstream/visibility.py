"""The visibility server of a manager outside of the cluster:
whether it can be served, and its APIService and Service.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...base.json_types import Json
from ...wire.client import ApiError, Client
from .out_of_cluster import on_port, service

FOLDER = Path("/visibility")
"""The folder for the certificate of a manager's visibility server, which is not configurable."""
_OF_USERS = ("ClusterRole", "FlowSchema", "PriorityLevelConfiguration")


def can_be_served(manifests: Iterable[Json]) -> bool:
    """Tell whether the manifests have an APIService for the manager,
    and the certificate's folder is writable.
    """
    return any(_services(manifests)) and os.access(FOLDER, os.W_OK)


def objects_for_visibility(manifests: Iterable[Json], address: str, port: int) -> Iterator[Json]:
    """Return the objects by which the API server passes requests on to a manager at this address and port.

    The roles of users and the limits for their requests are those of the manifests.
    """
    all_manifests = list(manifests)
    places = {
        (service_["spec"]["service"]["namespace"], service_["spec"]["service"]["name"])
        for service_ in _services(all_manifests)
    }
    for namespace, name in sorted(places):
        yield service(name, namespace, address)
    for service_ in _services(all_manifests):
        yield {**service_, "spec": on_port(service_["spec"], port)}
    for manifest in all_manifests:
        if manifest["kind"] in _OF_USERS:
            yield manifest


def unavailable_version(client: Client, manifests: Iterable[Json]) -> str:
    """Return which version of the visibility API is not answered yet."""
    for service_ in _services(manifests):
        try:
            client.call("GET", f"/apis/{service_['spec']['group']}/{service_['spec']['version']}")
        except ApiError as error:
            return str(error)
    return ""


def _services(manifests: Iterable[Json]) -> Iterator[Json]:
    return (
        manifest
        for manifest in manifests
        if manifest["kind"] == "APIService" and manifest["spec"].get("service")
    )
