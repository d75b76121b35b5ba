"""The controllers whose kinds most clusters do not use, by name; each is made when there is first an object for it
(FK-390, FK-404, FK-464).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..registry.machinery import Api
from .deferred import Deferred
from .engine import Controller
from .keys import Keys

SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
PODS, REVISIONS = ("", "pods"), ("apps", "controllerrevisions")
REQUESTS = ("certificates.k8s.io", "certificatesigningrequests")


def _certificates(api: Api, keys: Keys) -> Controller:
    def make() -> Controller:
        from .certificates import CertificateController

        return CertificateController(api, keys)

    return Deferred(api.store, make, (REQUESTS,))


def _tokens(api: Api, keys: Keys) -> Controller:
    def make() -> Controller:
        from .token_secrets import TokenSecrets

        return TokenSecrets(api, keys.tokens)

    return Deferred(api.store, make, (SECRETS,), (ACCOUNTS,))


def _replication_controllers(api: Api, _: Keys) -> Controller:
    def make() -> Controller:
        from .replicasets import ReplicationManager

        return ReplicationManager(api)

    return Deferred(api.store, make, (("", "replicationcontrollers"),), (PODS,))


def _stateful_sets(api: Api, _: Keys) -> Controller:
    def make() -> Controller:
        from .statefulsets import StatefulSetController

        return StatefulSetController(api)

    return Deferred(api.store, make, (("apps", "statefulsets"),), (PODS, REVISIONS))


RARELY_USED: Mapping[str, Callable[[Api, Keys], Controller]] = {
    "certificates": _certificates,
    "replicationcontrollers": _replication_controllers,
    "statefulsets": _stateful_sets,
    "tokens": _tokens,
}
