"""Manifests in a cluster that runs pods: applied, waited for, and deleted again."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from ..wire import kinds
from ..wire.client import ApiError, Client
from .upstream import readiness

MANAGER = "kueue-conformance"
_POLITE = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


class AppliedObjects:
    """Objects that were applied to a cluster."""

    def __init__(self, client: Client, objects: Sequence[Json], name: str) -> None:
        self._client = client
        self._objects = objects
        self._what = name

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
        deployments = [document for document in self._objects if document["kind"] == "Deployment"]
        readiness.until(
            f"{self._what} is not ready",
            lambda: (
                readiness.missing_kinds(self._client)
                or readiness.unready(self._client, deployments)
                or readiness.unavailable_webhook(self._client)
            ),
            hint="can the nodes pull the image? see kubectl describe pods and kubectl logs",
        )

    def exit_reason(self) -> str:
        """Return "": the cluster restarts its pods."""
        return ""

    def stop(self) -> None:
        """Delete the objects: first those by which the API server would call the deleted program, namespaces
        last, with their contents.
        """
        calling = [document for document in self._objects if document["kind"] in _POLITE]
        kinds.remove(self._client, calling)
        kinds.remove(self._client, [document for document in self._objects if document not in calling])
