"""Ports of a pod that collide with earlier of it (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from .....base.json_types import Json
from .....schema.fields import go_quote
from .containers import with_paths

COMPARED_PORTS = 200
"""How many ports of a pod are compared with those before them, each with each."""


def of_ports(spec: Json, path: str) -> Iterator[str]:
    """Yield the warnings of the ports of all containers together, then those of their names."""
    ports = list(islice(_with_paths(spec, path), COMPARED_PORTS))
    before: dict[tuple[Json, Json], list[tuple[Json, str]]] = {}
    for port, port_path in ports:
        if port.get("hostIP") and not port.get("hostPort"):
            yield f"{port_path}: hostIP set without hostPort: {_go_value(port)}"
        earlier = before.setdefault((port.get("containerPort", 0), port.get("protocol", "")), [])
        for other, earlier_path in earlier:
            if collision := _collision(port, other):
                yield f"{port_path}: {collision} port definition with {earlier_path}"
        earlier.append((port, port_path))
    yield from _names(ports)


def _with_paths(spec: Json, path: str) -> Iterator[tuple[Json, str]]:
    for container, container_path in with_paths(spec, path):
        for number, port in enumerate(container.get("ports") or ()):
            yield port, f"{container_path}.ports[{number}]"


def _collision(port: Json, other: Json) -> str:
    """Return how two definitions of a port and protocol collide, empty where they do not."""
    own, its = ((definition.get("hostIP", ""), definition.get("hostPort", 0)) for definition in (port, other))
    if own == its:
        return "duplicate"
    if not own[1] or not its[1]:
        return "overlapping"
    return "dangerously ambiguous" if own[1] == its[1] and not (own[0] and its[0]) else ""


def _names(ports: list[tuple[Json, str]]) -> Iterator[str]:
    paths: dict[str, str] = {}
    for port, port_path in ports:
        if name := port.get("name"):
            earlier_path = paths.setdefault(name, port_path)
            if earlier_path != port_path:
                yield (
                    f"{port_path}: duplicate port name {go_quote(name)} with {earlier_path},"
                    f" services and probes that select ports by name will use {earlier_path}"
                )


def _go_value(port: Json) -> str:
    """Return a port as Go prints one."""
    members = {
        "Name": port.get("name", ""),
        "HostPort": port.get("hostPort", 0),
        "ContainerPort": port.get("containerPort", 0),
        "Protocol": port.get("protocol", ""),
        "HostIP": port.get("hostIP", ""),
    }
    return f"{{{' '.join(f'{name}:{value}' for name, value in members.items())}}}"
