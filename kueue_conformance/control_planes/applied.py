"""Manifests in a cluster that runs pods: applied, waited for, and deleted again."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from ..wire import kinds
from ..wire.client import ApiError, Client
from .upstream import awaiting

MANAGER = "kueue-conformance"
_POLITE = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


class Applied:
    """Objects that were applied to a cluster."""

    def __init__(self, client: Client, objects: Sequence[Json], what: str) -> None:
        self._client = client
        self._objects = objects
        self._what = what

    def apply(self) -> None:
        """Apply the objects; return when their Deployments are ready and their webhooks answer.

        Raises EnvironmentProblem.
        """
        try:
            kinds.apply(self._client, self._objects, manager=MANAGER)
        except ApiError as error:
            raise EnvironmentProblem(
                f"{self._what} cannot be installed: the API server does not take its manifests: {error}",
                hint="apply them by hand to see why: kubectl apply --server-side -f",
            ) from error
        deployments = [one for one in self._objects if one["kind"] == "Deployment"]
        awaiting.until(
            f"{self._what} is not ready",
            lambda: (
                awaiting.unserved(self._client)
                or awaiting.unready(self._client, deployments)
                or awaiting.unanswered(self._client)
            ),
            hint="can the nodes pull the image? see kubectl describe pods and kubectl logs",
        )

    def ended(self) -> str:
        """Return "": the cluster restarts its pods."""
        return ""

    def stop(self) -> None:
        """Delete the objects: first those by which the API server would call the deleted program, namespaces
        last, with their contents.
        """
        calling = [one for one in self._objects if one["kind"] in _POLITE]
        kinds.remove(self._client, calling)
        kinds.remove(self._client, [one for one in self._objects if one not in calling])
