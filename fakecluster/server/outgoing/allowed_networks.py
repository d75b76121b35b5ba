"""Which addresses a cluster may make this process call:
loopback, and what its user has opened with `outgoing`.

What is stored in a cluster names hosts (webhooks, conversion webhooks, Services of APIServices, redirects of
all of them), and anything that may write there would otherwise call what this machine reaches. A name is
looked up once, and the address found is the one called.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Self

from msgspec import Struct

from .answer import NoAnswerError
from .link import ConnectTarget

IpAddress = IPv4Address | IPv6Address
REACH_REFUSED = 'only loopback is called, and what the option "outgoing" opens'


class ReachError(ValueError):
    """A network that cannot be opened; the text says why."""


class Reach(Struct, frozen=True):
    """The networks that may be called beside loopback."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Read networks such as 10.0.0.0/8, or single addresses. Raises ReachError."""
        return cls(tuple(_network(text) for text in texts))

    def allows(self, address: IpAddress) -> bool:
        """Whether an address may be called; link-local ones, such as those of cloud metadata, only by a
        network of such.
        """
        # ::ffff:127.0.0.1 connects to 127.0.0.1.
        inner = getattr(address, "ipv4_mapped", None) or address
        return inner.is_loopback or any(
            inner in network and (not inner.is_link_local or network.is_link_local)
            for network in self.networks
        )

    async def hosts(self, target: ConnectTarget) -> list[str]:
        """Return what to connect to, in this order.

        Raises NoAnswerError for what may not be called, OSError.
        """
        # What the user of this process names is allowed; what is stored in the cluster is not.
        if target.is_configured:
            return [target.host]
        addresses = await self._addresses(target)
        allowed = [str(address) for address in addresses if self.allows(address)]
        if not allowed:
            raise NoAnswerError(f"dial tcp {target.where}: {REACH_REFUSED}")
        return allowed

    async def _addresses(self, target: ConnectTarget) -> list[IpAddress]:
        try:
            return [ip_address(target.host)]
        except ValueError:
            pass
        # Looking a name up asks servers of names, which are not on loopback.
        if target.host != "localhost" and not self.networks:
            raise NoAnswerError(f"dial tcp: lookup {target.host}: {REACH_REFUSED}")
        loop = asyncio.get_running_loop()
        try:
            address_infos = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except UnicodeError as error:
            raise NoAnswerError(f"dial tcp: lookup {target.host}: no such host") from error
        return [ip_address(str(address_info[4][0]).partition("%")[0]) for address_info in address_infos]


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text)
    except ValueError as error:
        raise ReachError(
            f"outgoing: {text!r} is no network: expected an address or a network, such as 10.0.0.0/8"
        ) from error
