"""The controllers whose kinds most clusters do not use, by name; each is made when there is first an object
for it (FK-390, FK-404, FK-464).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module

from ..api.service_address import SLICES
from ..registry.machinery import Api
from ..store import Resource
from .deferred import Deferred
from .engine import Controller
from .keys import Keys

SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
JOBS, REPLICA_SETS = ("batch", "jobs"), ("apps", "replicasets")
PODS, NODES, REVISIONS = ("", "pods"), ("", "nodes"), ("apps", "controllerrevisions")
REQUESTS = ("certificates.k8s.io", "certificatesigningrequests")


def _certificates(api: Api, keys: Keys) -> Controller:
    def make() -> Controller:
        from .certificates import CertificateController

        return CertificateController(api, keys)

    return Deferred(api.store, make, (REQUESTS,))


def _disruptions(api: Api, _: Keys) -> Controller:
    def make() -> Controller:
        from .disruptions import DisruptionKeeper

        return DisruptionKeeper(api)

    return Deferred(api.store, make, (("policy", "poddisruptionbudgets"),), (PODS,))


def _tokens(api: Api, keys: Keys) -> Controller:
    def make() -> Controller:
        from .token_secrets import TokenSecrets

        return TokenSecrets(api, keys.tokens)

    return Deferred(api.store, make, (SECRETS,), (ACCOUNTS,))


def _on_first_object(
    module: str, controller: str, kinds: Collection[Resource], *watched: Resource
) -> Callable[[Api, Keys], Controller]:
    """Return how to make a controller, which a module of this package has under a name, for objects of some
    kinds.
    """

    def make(api: Api, _: Keys) -> Controller:
        return Deferred(
            api.store,
            lambda: getattr(import_module(f".{module}", __package__), controller)(api),
            kinds,
            watched,
        )

    return make


RARELY_USED: Mapping[str, Callable[[Api, Keys], Controller]] = {
    "certificates": _certificates,
    "cronjobs": _on_first_object("cronjobs", "CronJobController", (("batch", "cronjobs"),), JOBS),
    "daemonsets": _on_first_object(
        "daemonsets", "DaemonSetController", (("apps", "daemonsets"),), PODS, NODES, REVISIONS
    ),
    "deployments": _on_first_object(
        "deployments", "DeploymentController", (("apps", "deployments"),), REPLICA_SETS, PODS
    ),
    "disruptions": _disruptions,
    "jobs": _on_first_object("jobs", "JobController", (JOBS,), PODS),
    "mirroring": _on_first_object(
        "endpoints", "EndpointMirror", (("", "endpoints"),), ("", "services"), SLICES
    ),
    "nodes": _on_first_object("nodes", "NodeKeeper", (NODES,)),
    "podgc": _on_first_object("nodes", "PodGarbageCollector", (PODS,), NODES),
    "replicasets": _on_first_object("replicasets", "ReplicaSetController", (REPLICA_SETS,), PODS),
    "replicationcontrollers": _on_first_object(
        "replicasets", "ReplicationManager", (("", "replicationcontrollers"),), PODS
    ),
    "statefulsets": _on_first_object(
        "statefulsets", "StatefulSetController", (("apps", "statefulsets"),), PODS, REVISIONS
    ),
    "taints": _on_first_object("nodes", "TaintEviction", (NODES,), PODS),
    "tokens": _tokens,
    "volumes": _on_first_object(
        "volumes",
        "VolumeBinder",
        (("", "persistentvolumes"), ("", "persistentvolumeclaims")),
        ("storage.k8s.io", "storageclasses"),
    ),
}
