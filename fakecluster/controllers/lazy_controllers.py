"""The controllers whose kinds most clusters do not use, by name; each is made when there is first an object
for it (FK-390, FK-404, FK-464).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ..api.steps import Steps
from ..base.lazy_modules import LazyModule
from ..registry.machinery import Api
from ..store import Event, Resource, Store
from .engine import Controller, Key
from .signing_keys import SigningKeys


class LazyController:
    """Stands for a controller until there is an object of its own kinds.

    kinds: resources of which an object has the controller made.
    further: further resources whose events concern it, once it is made.
    """

    def __init__(
        self,
        store: Store,
        make: Callable[[], Controller],
        kinds: Collection[Resource],
        further: Collection[Resource] = (),
    ) -> None:
        self._store = store
        self._make = make
        self._kinds = kinds
        self._controller: Controller | None = None
        self.resources = (*kinds, *further)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return the keys to look at when starting; none where there is no object of its kinds."""
        if self._controller is None and store.has_any(self._kinds):
            self._controller = self._make()
        return () if self._controller is None else self._controller.initial(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the keys that an event concerns;
        the first of its kinds has the controller look at everything.
        """
        if self._controller is not None:
            return self._controller.keys(event)
        return self.initial(self._store) if event.resource in self._kinds else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Reconcile a key. Raises StatusError."""
        assert self._controller is not None
        return self._controller.work(key)


if TYPE_CHECKING:
    from . import (
        certificates,
        cronjobs,
        daemonsets,
        deployments,
        disruptions,
        jobs,
        nodes,
        replicasets,
        statefulsets,
        token_secrets,
        volumes,
    )
else:
    certificates = LazyModule(".certificates", __package__)
    cronjobs = LazyModule(".cronjobs", __package__)
    daemonsets = LazyModule(".daemonsets", __package__)
    deployments = LazyModule(".deployments", __package__)
    disruptions = LazyModule(".disruptions", __package__)
    jobs = LazyModule(".jobs", __package__)
    nodes = LazyModule(".nodes", __package__)
    replicasets = LazyModule(".replicasets", __package__)
    statefulsets = LazyModule(".statefulsets", __package__)
    token_secrets = LazyModule(".token_secrets", __package__)
    volumes = LazyModule(".volumes", __package__)

SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
JOBS, REPLICA_SETS = ("batch", "jobs"), ("apps", "replicasets")
PODS, NODES, REVISIONS = ("", "pods"), ("", "nodes"), ("apps", "controllerrevisions")
REQUESTS = ("certificates.k8s.io", "certificatesigningrequests")


def _certificates(api: Api, keys: SigningKeys) -> Controller:
    return LazyController(api.store, lambda: certificates.CertificateController(api, keys), (REQUESTS,))


def _tokens(api: Api, keys: SigningKeys) -> Controller:
    return LazyController(
        api.store, lambda: token_secrets.TokenSecrets(api, keys.tokens), (SECRETS,), (ACCOUNTS,)
    )


def _on_first_object(
    controller: Callable[[Api], Controller], kinds: Collection[Resource], *watched: Resource
) -> Callable[[Api, SigningKeys], Controller]:
    """Return how to make a controller for objects of some kinds."""

    def make(api: Api, _: SigningKeys) -> Controller:
        return LazyController(api.store, partial(controller, api), kinds, watched)

    return make


RARELY_USED: Mapping[str, Callable[[Api, SigningKeys], Controller]] = {
    "certificates": _certificates,
    "cronjobs": _on_first_object(cronjobs.CronJobController, (("batch", "cronjobs"),), JOBS),
    "daemonsets": _on_first_object(
        daemonsets.DaemonSetController, (("apps", "daemonsets"),), PODS, NODES, REVISIONS
    ),
    "deployments": _on_first_object(
        deployments.DeploymentController, (("apps", "deployments"),), REPLICA_SETS, PODS
    ),
    "disruptions": _on_first_object(
        disruptions.DisruptionController, (("policy", "poddisruptionbudgets"),), PODS
    ),
    "jobs": _on_first_object(jobs.JobController, (JOBS,), PODS),
    "nodes": _on_first_object(nodes.NodeController, (NODES,)),
    "podgc": _on_first_object(nodes.PodGarbageCollector, (PODS,), NODES),
    "replicasets": _on_first_object(replicasets.ReplicaSetController, (REPLICA_SETS,), PODS),
    "replicationcontrollers": _on_first_object(
        replicasets.ReplicationManager, (("", "replicationcontrollers"),), PODS
    ),
    "statefulsets": _on_first_object(
        statefulsets.StatefulSetController, (("apps", "statefulsets"),), PODS, REVISIONS
    ),
    "taints": _on_first_object(nodes.TaintEviction, (NODES,), PODS),
    "tokens": _tokens,
    "volumes": _on_first_object(
        volumes.PersistentVolumeController,
        (("", "persistentvolumes"), ("", "persistentvolumeclaims")),
        ("storage.k8s.io", "storageclasses"),
    ),
}
