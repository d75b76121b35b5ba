"""Prepares the readiness probe of a subject: the kinds and the parameters of its checks."""

from __future__ import annotations

from ..backends.cluster import Cluster
from ..base.json_types import Json
from ..wire import kinds
from ..wire.client import Client
from .parameters import Parameters

MANAGER = "kueue-conformance"


def install(declared: Parameters | None, cluster: Cluster, seconds: float) -> None:
    """Have the kinds of parameters served."""
    crds = declared.crds if declared else ()
    if not crds:
        return
    client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
    kinds.apply(client, crds, manager=MANAGER)
    cluster.wait(lambda: all(kinds.is_served(client, one) for one in crds), seconds, lambda: False)


def spec_of_probe(controller: str, declared: Parameters | None, client: Client, name: str) -> Json:
    """Return the spec of a check that the subject must make Active; its parameters are made with it."""
    spec = {"controllerName": controller}
    if declared is None:
        return spec
    if declared.valid:
        objects = declared.objects(name)
        kinds.apply(client, objects, manager=MANAGER)
        client.afterwards(lambda: kinds.remove(client, objects))
    return {**spec, "parameters": declared.reference(name if declared.valid else declared.name)}
