"""The controllers whose kinds most clusters do not use, by name; each is made when there is first an object for it
(FK-390, FK-404).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..registry.machinery import Api
from .deferred import Deferred
from .engine import Controller
from .keys import Keys

SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
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


RARELY_USED: Mapping[str, Callable[[Api, Keys], Controller]] = {
    "certificates": _certificates,
    "tokens": _tokens,
}
