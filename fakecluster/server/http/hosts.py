"""The names by which a server may be asked:
what a browser sends on behalf of a foreign page is refused (issue 16).

A page of another origin reaches loopback in two ways. Either it asks loopback itself, and the browser says so
in Origin; or its own name suddenly leads to loopback (DNS rebinding), and then Host is that name.
kube-apiserver, which is no neighbour of a browser, takes any Host. Clients of WebSockets send an Origin too:
the address of the server.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ...api import status, websocket_request
from .message import ArrivedRequest

LOOPBACK = ("localhost", "*.localhost", "127.0.0.1", "::1")
SERVICE_NAMES = ("kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "kubernetes.default")
"""What a pod may call its API server."""
LONGEST_CHARACTERS = 255
"""Characters of a name in DNS, and of its port: what is longer is no name."""


class Hosts(Struct, frozen=True):
    """Names of a server in lower case; one that begins with `*.` stands for every name below it."""

    names: frozenset[str] = frozenset((*LOOPBACK, *SERVICE_NAMES))
    added_names: frozenset[str] = frozenset()
    """Those that the user of the server added: pages of theirs may ask, too."""
    credentials_suffice: bool = False
    """Whether a request with credentials in its head is answered under any name, as kube-apiserver does: no
    browser adds those by itself.
    """

    @classmethod
    def of(cls, added_names: Iterable[str], *, credentials_suffice: bool = False) -> Self:
        """Return the names that every server has, and these."""
        return cls(added_names=frozenset(map(_plain, added_names)), credentials_suffice=credentials_suffice)

    def with_certificate(self, names: Iterable[str]) -> Self:
        """Return these names and those that the server's certificate shows."""
        return replace(self, names=self.names.union(map(_plain, names)))

    def refusal(self, arrived: ArrivedRequest) -> status.StatusError | None:
        """Return why a request is not answered:
        403 for a foreign Host or Origin, None when there is nothing against it.
        """
        # A browser sends neither tokens nor subprotocols of its own accord, so the request is no foreign
        # page's.
        if self.credentials_suffice and _has_token(arrived):
            return None
        host, origin = arrived.header("host") or "", arrived.header("origin")
        if not self._is_own_name(host):
            return _foreign_name_refusal("Host", host, host)
        if origin is not None and not self._own(origin, host) and not _is_proxied(arrived):
            return _foreign_name_refusal("Origin", origin, origin.partition("://")[2])
        return None

    def _is_own_name(self, host: str) -> bool:
        # Cut before it is looked up in the cache, whose keys a client chooses.
        name = _name(host[: LONGEST_CHARACTERS + 1])
        return name is not None and (
            _local(name) or _is_listed(name, self.names) or _is_listed(name, self.added_names)
        )

    def _own(self, origin: str, host: str) -> bool:
        """Whether a request comes from this very server,
        by whichever of its names, or from a name that was given.
        """
        address = origin.partition("://")[2]
        if not address or address.lower() == host.lower():
            return bool(address)
        name = _name(address[: LONGEST_CHARACTERS + 1]) or ""
        # Pages of this very server's names must come from its own port: another port is another origin.
        return _is_listed(name, self.added_names) or (
            _is_listed(name, self.names) and _port(address) == _port(host)
        )


DEFAULT_HOSTS = Hosts()
"""The names that every server has."""


@lru_cache(maxsize=256)
def _name(address: str) -> str | None:
    """Return the name in `name:port`, None when there is none that can be read."""
    try:
        return _plain(urlsplit(f"//{address}").hostname or "") if len(address) <= LONGEST_CHARACTERS else None
    except ValueError:
        return None


def _has_token(arrived: ArrivedRequest) -> bool:
    """Whether a request has credentials that no browser adds by itself."""
    return bool(arrived.header("authorization") or websocket_request.bearer_protocols(arrived.headers))


def _is_proxied(arrived: ArrivedRequest) -> bool:
    """Whether a front proxy passes a request on, with the Origin of its own client: no page of another origin
    can add the header, nor show the certificate.
    """
    return bool(arrived.peer.certificate) and arrived.header("x-remote-user") is not None


def _port(address: str) -> str:
    """Return the port in `name:port`, empty when it is that of the protocol."""
    return address.rpartition("]")[2].partition(":")[2]


@lru_cache(maxsize=256)
def _local(name: str) -> bool:
    """Whether no foreign DNS server can make a name resolve to this server:
    an address, or a name of one label.
    """
    if "." not in name and ":" not in name:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_listed(name: str, names: frozenset[str]) -> bool:
    return name in names or any(pattern.startswith("*.") and name.endswith(pattern[1:]) for pattern in names)


def _plain(name: str) -> str:
    return name.lower().rstrip(".")


def _foreign_name_refusal(header: str, value: str, address: str) -> status.StatusError:
    name = _name(address[: LONGEST_CHARACTERS + 1]) or "NAME"
    text = (
        f"forbidden: {header} {value[:200]!r} is not a name of this server, so the request may come from a web page:"
        f" ask by the address that its kubeconfig says, or if the name is trusted start the server with"
        f" --host {name} (in Python: hosts=[{name!r}])"
    )
    return status.failure(403, "Forbidden", text, {})
