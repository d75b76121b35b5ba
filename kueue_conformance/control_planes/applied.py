"""Manifests in a cluster that runs pods: applied, waited for, and taken away again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..errors import EnvironmentProblem
from ..wire import kinds
from ..wire.client import ApiError, Client
from .upstream import awaiting

Json: TypeAlias = Any
MANAGER = "kueue-conformance"
_POLITE = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


class Applied:
    """Objects that were brought into a cluster."""

    def __init__(self, client: Client, objects: Sequence[Json], what: str) -> None:
        self._client = client
        self._objects = objects
        self._what = what

    def apply(self) -> None:
        """Apply them, and return when the Deployments among them are ready and their webhooks answer. Raises EnvironmentProblem."""
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
            hint="do the nodes know the image? kubectl describe pods and kubectl logs tell more",
        )

    def ended(self) -> str:
        """Return nothing: its pods are the cluster's, which starts them again."""
        return ""

    def stop(self) -> None:
        """Delete them: first what would call a program that is no more, and namespaces last, with what is left in them."""
        calling = [one for one in self._objects if one["kind"] in _POLITE]
        kinds.remove(self._client, calling)
        kinds.remove(self._client, [one for one in self._objects if one not in calling])
