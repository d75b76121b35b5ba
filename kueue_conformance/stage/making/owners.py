"""Owners of Workloads, of any kind."""

from __future__ import annotations

from ...base.json_types import Json
from ...wire import kinds
from ...wire.client import Client
from ...wire.resource import KUEUE


def set_owner(client: Client, owner: Json, workload: Json) -> None:
    """Create an object, and have a Workload that does not exist yet be controlled by it."""
    resource = kinds.resource_of(client, owner)
    namespace = owner["metadata"]["namespace"] if resource.namespaced else ""
    metadata = {name: value for name, value in owner["metadata"].items() if name != "namespace" or namespace}
    created = client.create({**owner, "metadata": metadata}, resource)
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": created["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    workload["metadata"]["ownerReferences"] = [reference]
    workload["metadata"]["labels"][f"{KUEUE}/job-uid"] = reference["uid"]
