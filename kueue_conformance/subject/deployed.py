"""`manifest:PATH`: the subject is a Deployment, or whatever else its manifest makes, in a cluster that runs pods (harness/H-02).

In the manifest `${controllerName}` and `${verdictUrl}` are filled in. A pod has its own way to the API server and cannot reach
the harness's verdict endpoint, so that such a subject needs drivers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from .. import kinds
from ..backends import PODS
from ..client import ApiError, Client
from ..errors import SubjectDied, UsageError
from . import SubjectContext
from .drivers.words import replaced
from .manifests import read_manifests
from .unseen import Unseen

if TYPE_CHECKING:
    from ..backends import Cluster

Json: TypeAlias = Any
MANAGER = "kueue-conformance-subject"


class Manifest:
    """Applies the objects, and deletes them at the end."""

    alone = False
    on_the_loop = False
    needs: tuple[str, ...] = (PODS,)

    def __init__(self, path: str, folder: Path) -> None:
        if not path:
            raise UsageError("subject 'manifest:' names no file", hint="write manifest:deployment.yaml")
        self._path = path
        self._objects = read_manifests(folder / path)

    def start(self, context: SubjectContext, cluster: Cluster) -> Deployed:
        """Apply the objects."""
        words = {"controllerName": context.controller_name, "verdictUrl": context.verdict_url}
        deployed = Deployed(
            Client(cluster.transport, agent=MANAGER, run=cluster.mark), replaced(self._objects, words)
        )
        try:
            deployed.apply()
        except ApiError as error:
            raise SubjectDied(
                f"the subject cannot be started: the API server does not take {self._path!r}: {error}",
                hint="apply it by hand to see why: kubectl apply -f",
            ) from error
        return deployed


class Deployed(Unseen):
    """Objects in a cluster; whether its pods run is seen when its check becomes active."""

    def __init__(self, client: Client, objects: list[Json]) -> None:
        self._client = client
        self._objects = objects

    def apply(self) -> None:
        """Bring the objects into the cluster. Raises ApiError."""
        kinds.apply(self._client, self._objects, manager=MANAGER)

    def kill(self) -> None:
        """Delete the objects; the cluster ends the pods."""
        kinds.remove(self._client, self._objects)
