"""The names by which a server may be asked: what a browser sends on behalf of a foreign page is refused
(issue 16).

A page of another origin reaches loopback in two ways. Either it asks loopback itself, and the browser says so
in Origin; or its own name suddenly leads to loopback (DNS rebinding), and then Host is that name.
kube-apiserver, which is no neighbour of a browser, takes any Host.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ...api import status
from .message import Arrived

LOOPBACK = ("localhost", "*.localhost")
SERVICE = ("kubernetes.default.svc", "kubernetes.default.svc.cluster.local", "kubernetes.default")
"""What a pod may call its API server."""
LONGEST_CHARACTERS = 255
"""Characters of a name in DNS, and of its port: what is longer is no name."""


class Hosts(Struct, frozen=True):
    """Names of a server in lower case; one that begins with `*.` stands for every name below it."""

    names: frozenset[str] = frozenset((*LOOPBACK, *SERVICE))
    given: frozenset[str] = frozenset()
    """Those that the user of the server added: pages of theirs may ask, too."""
    credentials_suffice: bool = False
    """Whether a request with credentials in its head is answered under any name, as kube-apiserver does: no
    browser adds those by itself.
    """

    @classmethod
    def of(cls, given: Iterable[str], *, credentials_suffice: bool = False) -> Self:
        """Return the names that every server has, and these."""
        return cls(given=frozenset(map(_plain, given)), credentials_suffice=credentials_suffice)

    def with_certificate(self, names: Iterable[str]) -> Self:
        """Return these names and those that the server's certificate shows."""
        return replace(self, names=self.names.union(map(_plain, names)))

    def refusal(self, arrived: Arrived) -> status.StatusError | None:
        """Return why a request is not answered: 403 for a foreign Host or Origin, None when there is nothing
        against it.
        """
        if self.credentials_suffice and arrived.header("authorization"):
            return None
        host, origin = arrived.header("host") or "", arrived.header("origin")
        if not self._known(host):
            return _refused("Host", host)
        if origin is not None and not self._own(origin, host):
            return _refused("Origin", origin)
        return None

    def _known(self, host: str) -> bool:
        name = _name(host[: LONGEST_CHARACTERS + 1])
        return name is not None and (_local(name) or _listed(name, self.names) or _listed(name, self.given))

    def _own(self, origin: str, host: str) -> bool:
        """Whether the page came from this very server, which sends none, or from a name that was given."""
        place = origin.partition("://")[2]
        return bool(place) and (
            place.lower() == host.lower() or _listed(_name(place[: LONGEST_CHARACTERS + 1]) or "", self.given)
        )


NAMED = Hosts()
"""The names that every server has."""


@lru_cache(maxsize=256)
def _name(place: str) -> str | None:
    """Return the name in `name:port`, None when there is none that can be read."""
    try:
        return _plain(urlsplit(f"//{place}").hostname or "") if len(place) <= LONGEST_CHARACTERS else None
    except ValueError:
        return None


@lru_cache(maxsize=256)
def _local(name: str) -> bool:
    """Whether no foreign DNS server can make a name resolve to this server: an address, or a name of one
    label.
    """
    if "." not in name and ":" not in name:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _listed(name: str, names: frozenset[str]) -> bool:
    return name in names or any(one.startswith("*.") and name.endswith(one[1:]) for one in names)


def _plain(name: str) -> str:
    return name.lower().rstrip(".")


def _refused(header: str, value: str) -> status.StatusError:
    text = f"forbidden: {header} {value[:200]!r} is not a name of this server: add it with the option `hosts` if it is"
    return status.failure(403, "Forbidden", text, {})
