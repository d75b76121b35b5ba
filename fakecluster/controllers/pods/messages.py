"""The Events by which a kubelet tells what it does with the containers of a pod (FK-480).

Images are on every node already, but for those that are always to be pulled.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...base.json_types import Json

PRESENT = 'Container image "{}" already present on machine and can be accessed by the pod'
PULLING = 'Pulling image "{}"'
PULLED = 'Successfully pulled image "{}" in 0s (0s including waiting). Image size: 0 bytes.'


class ContainerEvent(Struct, frozen=True):
    """What happened to the container at `field_path`."""

    field_path: str
    reason: str
    message: str


def of_start(pod: Json) -> list[ContainerEvent]:
    """Return the Events of containers that start, those that run before the others first."""
    return [event for path, container in _containers(pod) for event in _start(path, container)]


def of_stop(pod: Json) -> list[ContainerEvent]:
    """Return the Events of containers that are stopped."""
    return [
        ContainerEvent(
            f"spec.containers{{{container['name']}}}", "Killing", f"Stopping container {container['name']}"
        )
        for container in pod["spec"]["containers"]
    ]


def _containers(pod: Json) -> Iterator[tuple[str, Json]]:
    for members in ("initContainers", "containers"):
        for container in pod["spec"].get(members) or ():
            yield f"spec.{members}{{{container['name']}}}", container


def _start(path: str, container: Json) -> Iterator[ContainerEvent]:
    image = container.get("image", "")
    if container.get("imagePullPolicy") == "Always":
        yield ContainerEvent(path, "Pulling", PULLING.format(image))
        yield ContainerEvent(path, "Pulled", PULLED.format(image))
    else:
        yield ContainerEvent(path, "Pulled", PRESENT.format(image))
    yield ContainerEvent(path, "Created", "Container created")
    yield ContainerEvent(path, "Started", "Container started")
