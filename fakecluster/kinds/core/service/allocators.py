"""What Services are given that ask for nothing: addresses, and ports of nodes (FK-230, FK-498).

A seeded run hands out the same ones: they are a pure function of the Service's uid and its ports, and two
Services share an address only when their uids collide in 20 bits. A dry run is answered with numbers that no
Service is given.
"""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Network
from typing import Protocol

from msgspec import Struct, field

from ....base.json_types import Json
from ....schema import fields
from ...validation.basics import Errors

SERVICE_NETWORK = IPv4Network("10.0.0.0/12")
NODE_PORTS = range(30000, 32768)
TYPES_WITH_NODE_PORTS = ("LoadBalancer", "NodePort")
PORT_OUT_OF_RANGE = (
    f"provided port is not in the valid range. The range of valid ports is {NODE_PORTS[0]}-{NODE_PORTS[-1]}"
)


def in_range(spec: Json, before: Json) -> Errors:
    """Judge that node ports which a Service has not had before are ones that can be given."""
    had = {port.get("nodePort") for port in before.get("ports") or ()}
    for number, port in enumerate(
        spec.get("ports") or () if spec.get("type") in TYPES_WITH_NODE_PORTS else ()
    ):
        node_port = port.get("nodePort")
        if node_port and node_port not in had and node_port not in NODE_PORTS:
            yield fields.invalid(f"spec.ports[{number}].nodePort", node_port, PORT_OUT_OF_RANGE)


class Allocator(Protocol):
    """Allocates cluster IPs and node ports for one Service."""

    def address(self) -> str:
        """Return its address."""

    def port(self, port: Json, *, shared: bool) -> int:
        """Return the port of nodes for one of its ports; `shared` by its ports of the same number."""

    def health(self) -> int:
        """Return the healthCheckNodePort."""

    def reserve(self, port: int) -> None:
        """Note a node port that the Service requests."""


class AllocatorByUid(Struct):
    """Gives what follows from a uid, and no port of nodes twice."""

    uid: str
    _taken: set[int] = field(default_factory=set)

    def address(self) -> str:
        """Return an address within the network, neither of its first nor its last."""
        # Derived from the uid, so that a run with the same seed gets the same addresses.
        return str(SERVICE_NETWORK[_number(self.uid) % (SERVICE_NETWORK.num_addresses - 256) + 128])

    def port(self, port: Json, *, shared: bool) -> int:
        """Return a port of the range, the next free one where that of the uid is taken."""
        number = self._wish(port, shared=shared)
        # More ports than the range has are more than can differ.
        while number in self._taken and len(self._taken) < len(NODE_PORTS):
            number = number + 1 if number + 1 in NODE_PORTS else NODE_PORTS.start
        self._taken.add(number)
        return number

    def _wish(self, port: Json, *, shared: bool) -> int:
        number = port.get("port", 0)
        key = number if shared else (port.get("protocol", "TCP"), number)
        return NODE_PORTS[_number(f"{self.uid}/{key}") % len(NODE_PORTS)]

    def health(self) -> int:
        """Return a port of the range."""
        return NODE_PORTS[_number(f"{self.uid}/health") % len(NODE_PORTS)]

    def reserve(self, port: int) -> None:
        """Reserve a requested node port; `allocation` checks whether it is free."""
        self._taken.add(port)

    def has_allocated(self, port: Json) -> bool:
        """Whether a port of nodes is one that was handed out."""
        return port.get("nodePort") in {self._wish(port, shared=shared) for shared in (True, False)}


class DryRunAllocator(Struct):
    """Shows in a dry run what no Service is given: the address of the network, ports that follow the greatest
    one or the range.
    """

    _taken: list[int] = field(default_factory=list)

    def address(self) -> str:
        """Return the address of the network."""
        return str(SERVICE_NETWORK.network_address)

    def port(self, port: Json, *, shared: bool) -> int:
        """Return the next port, for any Service."""
        del port, shared
        return self.health()

    def health(self) -> int:
        """Return the next port."""
        self._taken.append(max(self._taken, default=NODE_PORTS.stop) + 1)
        return self._taken[-1]

    def reserve(self, port: int) -> None:
        """Continue after a requested node port."""
        self._taken.append(port)


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])
