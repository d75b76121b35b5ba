"""What every namespace gets: the ServiceAccount `default`
and the ConfigMap `kube-root-ca.crt` (FK-347, FK-463).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..api.steps import Steps
from ..registry.machinery import Api
from ..store import Event, Store
from .actor import Actor, service_account
from .engine import Key

NAMESPACES = ("", "namespaces")
AUTHORITY = (("", "configmaps"), ("kube-system", "extension-apiserver-authentication"))
ACCOUNT, ROOT_CA = "default", "kube-root-ca.crt"
RESOURCES = {("", "serviceaccounts"): ACCOUNT, ("", "configmaps"): ROOT_CA}
CA_DESCRIPTION = (
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal "
    "service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters."
)


class ServiceAccountController:
    """Creates both where they are missing, and again when they are deleted or changed."""

    resources = (NAMESPACES, *RESOURCES)

    def __init__(self, api: Api) -> None:
        self._store = api.store
        self._accounts = Actor(api, service_account("service-account-controller"), "kube-controller-manager")
        self._publisher = Actor(api, service_account("root-ca-cert-publisher"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every namespace."""
        return [(namespace.name[1],) for namespace in store.list(NAMESPACES)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a namespace that changed, or that lost one of the two."""
        if event.resource == NAMESPACES:
            return ((event.after.name[1],),) if event.type != "DELETED" else ()
        return ((event.after.name[0],),) if RESOURCES.get(event.resource) == event.after.name[1] else ()

    def work(self, key: Key) -> Steps[float | None]:
        """See to one namespace, unless it is going."""
        namespace = self._store.get(NAMESPACES, ("", key[0]))
        if namespace is None or "deletionTimestamp" in namespace.object["metadata"]:
            return None
        yield from self._see_to_account(key[0])
        yield from self._see_to_authority(key[0])
        return None

    def _see_to_account(self, namespace: str) -> Steps[None]:
        row = self._accounts.kind("v1", "ServiceAccount")
        if row and self._store.get(("", "serviceaccounts"), (namespace, ACCOUNT)) is None:
            yield from self._accounts.create(row, {"metadata": {"name": ACCOUNT, "namespace": namespace}})

    def _see_to_authority(self, namespace: str) -> Steps[None]:
        row, bundle = self._publisher.kind("v1", "ConfigMap"), root_certificates(self._store)
        if row is None:
            return
        there = self._store.get(("", "configmaps"), (namespace, ROOT_CA))
        metadata = {
            "name": ROOT_CA,
            "namespace": namespace,
            "annotations": {"kubernetes.io/description": CA_DESCRIPTION},
        }
        if there is None:
            yield from self._publisher.create(row, {"metadata": metadata, "data": {"ca.crt": bundle}})
        elif there.object.get("data") != {"ca.crt": bundle}:
            yield from self._publisher.update(row, {**there.object, "data": {"ca.crt": bundle}})


def root_certificates(store: Store) -> str:
    """Return the certificates that verify the API server, PEM; empty where it has none."""
    authority = store.get(*AUTHORITY)
    return str((authority.object.get("data") or {}).get("client-ca-file", "")) if authority else ""
