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


def needed(manifests: Iterable[Json], address: str, port: int) -> Iterator[Json]:
    """Return the objects by which the API server passes requests on to a manager at this address and port.

    The roles of users and the limits for their requests are those of the manifests.
    """
    known = list(manifests)
    places = {
        (one["spec"]["service"]["namespace"], one["spec"]["service"]["name"]) for one in _services(known)
    }
    for namespace, name in sorted(places):
        yield service(name, namespace, address)
    for one in _services(known):
        yield {**one, "spec": on_port(one["spec"], port)}
    for one in known:
        if one["kind"] in _OF_USERS:
            yield one


def unanswered(client: Client, manifests: Iterable[Json]) -> str:
    """Return which version of the visibility API is not answered yet."""
    for one in _services(manifests):
        try:
            client.call("GET", f"/apis/{one['spec']['group']}/{one['spec']['version']}")
        except ApiError as error:
            return str(error)
    return ""


def _services(manifests: Iterable[Json]) -> Iterator[Json]:
    return (one for one in manifests if one["kind"] == "APIService" and one["spec"].get("service"))
