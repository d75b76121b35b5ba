"""The ConfigMap that says which certificates an extension API server accepts, as a value (VIS-401)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import orjson
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from ....api.resource import Json, Key

SOURCE: Final = Key("kube-system", "extension-apiserver-authentication")
CLIENTS, PROXIES = "client-ca-file", "requestheader-client-ca-file"


class TrustError(ValueError):
    """A ConfigMap lacks an entry, which the text names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Which authorities sign certificates of clients and of the front proxy,
    and what the headers of a proxy are called.
    """

    proxies: tuple[x509.Certificate, ...] = ()
    proxy_names: tuple[str, ...] = ()
    """Common names that a front proxy may have; empty: any."""
    clients: tuple[x509.Certificate, ...] = ()
    user_headers: tuple[str, ...] = ()
    """Names in lower case, like all names of headers here."""
    uid_headers: tuple[str, ...] = ()
    group_headers: tuple[str, ...] = ()
    extra_prefixes: tuple[str, ...] = ()

    @property
    def pem(self) -> bytes:
        """Return all authorities in PEM: certificates of clients are asked for by them."""
        return b"".join(
            certificate.public_bytes(Encoding.PEM) for certificate in (*self.clients, *self.proxies)
        )

    @classmethod
    def of(cls, config_map: Json) -> Trust:
        """Read the ConfigMap. Raises TrustError."""
        data = config_map.get("data") or {}
        proxies = _certificates(data, PROXIES)
        if not proxies:
            raise TrustError(f"{PROXIES} is missing")
        return cls(
            proxies=proxies,
            proxy_names=_strings(data, "requestheader-allowed-names"),
            clients=_certificates(data, CLIENTS),
            user_headers=_lower(data, "requestheader-username-headers"),
            uid_headers=_lower(data, "requestheader-uid-headers"),
            group_headers=_lower(data, "requestheader-group-headers"),
            extra_prefixes=_lower(data, "requestheader-extra-headers-prefix"),
        )


STANDARD: Final = Trust(
    user_headers=("x-remote-user",),
    uid_headers=("x-remote-uid",),
    group_headers=("x-remote-group",),
    extra_prefixes=("x-remote-extra-",),
)
"""What the headers of a front proxy are called unless a cluster says otherwise."""


def _certificates(data: Json, name: str) -> tuple[x509.Certificate, ...]:
    text = data.get(name) or ""
    if not text.strip():
        return ()
    try:
        return tuple(x509.load_pem_x509_certificates(text.encode()))
    except ValueError as error:
        raise TrustError(f"{name} holds no certificates: {error}") from None


def _strings(data: Json, name: str) -> tuple[str, ...]:
    try:
        names = orjson.loads(data.get(name) or "[]")
    except orjson.JSONDecodeError as error:
        raise TrustError(f"{name} is not JSON: {error}") from None
    if not isinstance(names, list) or not all(isinstance(text, str) for text in names):
        raise TrustError(f"{name} is no list of strings")
    return tuple(names)


def _lower(data: Json, name: str) -> tuple[str, ...]:
    return tuple(text.lower() for text in _strings(data, name))
