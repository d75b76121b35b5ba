"""`manifest:PATH`: the subject is a Deployment, or whatever else
its manifest makes, in a cluster that runs pods (harness/H-02).

In the manifest `${controllerName}`, `${verdictUrl}` and `${claimsUrl}` are filled in. What runs pods is there
once for each replica, under a name of its own; everything else of the manifest is shared, and gone when no
replica is left.
"""

from __future__ import annotations

import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from ..backends.features import PODS
from ..base.errors import SubjectDied, UsageError
from ..base.json_types import Json
from ..programs.polling import becomes
from ..wire import kinds
from ..wire.client import ApiError, Client
from . import SubjectContext
from .front_access import RUN_PODS, FrontAccess, account_of
from .log import Line
from .manifests import read_manifests
from .placeholders import replace_words
from .pods import Pods

if TYPE_CHECKING:
    from ..backends.cluster import Cluster

MANAGER = "kueue-conformance-subject"
LABEL = "kueue-conformance.dev/replica"
# A namespace ends only when its controller has removed everything in it.
_TERMINATING = 60.0
_CRASH = 10.0
# `exit_reason` is asked in every round of a wait; pods change state more slowly.
_POLL_SECONDS = 2.0


class Manifest:
    """Applies the objects for each replica, and deletes them with the last."""

    alone = False
    on_the_loop = False
    needs: tuple[str, ...] = (PODS,)

    def __init__(self, path: str, folder: Path) -> None:
        if not path:
            raise UsageError("subject 'manifest:' names no file", hint="write manifest:deployment.yaml")
        self._path = path
        self._objects = read_manifests(folder / path)
        self.account = account_of(self._objects)
        # Never used twice: a replica that ends slowly must not have its successor's name.
        self._numbers = count(1)
        self._up: set[str] = set()

    def look(self) -> None:
        """Do nothing: the Deployment cannot be checked before it is applied."""

    def start(self, context: SubjectContext, cluster: Cluster) -> DeployedReplica:
        """Apply the objects."""
        words = {
            "controllerName": context.controller_name,
            "verdictUrl": context.verdict_url,
            "claimsUrl": context.claims_url,
        }
        objects, client = (
            replace_words(self._objects, words),
            Client(cluster.transport, agent=MANAGER, run=cluster.mark),
        )
        mark = f"{cluster.mark or 'subject'}-{next(self._numbers)}"
        # Pods that cannot reach this machine go past the front, to the API server itself.
        past = context.kubeconfig == cluster.kubeconfig
        passage = None if past else FrontAccess.of_kubeconfig(context.kubeconfig, self.account)
        deployed = DeployedReplica(client, objects, mark, self._up, passage)
        try:
            deployed.apply()
        except ApiError as error:
            raise SubjectDied(
                f"the subject cannot be started: the API server does not take {self._path!r}: {error}",
                hint="apply it by hand to see why: kubectl apply -f",
            ) from error
        return deployed


class DeployedReplica:
    """One replica; whether it works is seen when its check becomes active.

    Its pods come by a passage, or to the API server itself.
    """

    def __init__(
        self, client: Client, objects: list[Json], mark: str, up: set[str], passage: FrontAccess | None
    ) -> None:
        self._client = client
        self._shared = [manifest for manifest in objects if manifest["kind"] not in RUN_PODS]
        own = [with_mark(manifest, mark) for manifest in objects if manifest["kind"] in RUN_PODS]
        self._own = [
            manifest
            for workload in own
            for manifest in (passage.objects_through_front(workload) if passage else [workload])
        ]
        self._pods = Pods(client, f"{LABEL}={mark}")
        self._mark = mark
        self._up = up
        """The replicas that share the rest."""
        self._trouble, self._looked = "", 0.0

    def apply(self) -> None:
        """Bring the objects into the cluster. Raises ApiError."""
        self._up.add(self._mark)
        # A namespace with a deletionTimestamp refuses new objects with 403 until it is gone.
        self._await_namespaces()
        kinds.apply(self._client, [*self._shared, *self._own], manager=MANAGER)

    def exit_reason(self) -> str:
        """Return the reason why its pods do not run: the cluster starts those again that have ended, and
        tells when that is of no use.
        """
        if time.monotonic() > self._looked + _POLL_SECONDS:
            self._trouble, self._looked = self._pods.trouble(), time.monotonic()
        return self._trouble

    def log(self) -> list[Line]:
        """Return the newest lines that its pods printed."""
        return self._pods.log()

    def stop(self, seconds: float) -> bool:
        """Delete what runs pods, which the cluster ends politely,
        and by force those that are left after so many seconds.
        """
        kinds.remove(self._client, self._own)
        politely = self._pods.await_end(seconds)
        self._let_go()
        return politely

    def kill(self) -> None:
        """Delete its pods with a grace period of 0."""
        kinds.remove(self._client, self._own)
        self._let_go()

    def _let_go(self) -> None:
        # With a grace period of 0 the kubelet kills and does not ask.
        self._pods.end(_CRASH)
        self._up.discard(self._mark)
        # Shared objects go with the last replica: another one still has its rights by them.
        if not self._up:
            kinds.remove(self._client, self._shared)

    def _await_namespaces(self) -> None:
        """Wait for the end of namespaces that an earlier replica left behind: nothing can be made in them."""
        names = [manifest["metadata"]["name"] for manifest in self._shared if manifest["kind"] == "Namespace"]
        becomes(lambda: not any(self._is_going(name) for name in names), _TERMINATING)

    def _is_going(self, name: str) -> bool:
        namespace = self._client.find("Namespace", name)
        return namespace is not None and "deletionTimestamp" in namespace["metadata"]


def with_mark(obj: Json, mark: str) -> Json:
    """Return something that runs pods under a name of its own,
    with a label on them by which they are found.
    """
    metadata = {**obj["metadata"], "name": f"{obj['metadata']['name']}-{mark}"}
    if obj["kind"] == "Pod":
        return {**obj, "metadata": _with_label(metadata, mark)}
    # Everything else that runs pods has them in a template.
    spec = obj["spec"]
    template = {**spec["template"], "metadata": _with_label(spec["template"].get("metadata") or {}, mark)}
    selector = spec.get("selector")
    # Two Deployments with one selector would adopt each other's pods; a Job chooses its selector
    # itself.
    chosen = {"selector": _selecting(selector, mark)} if selector else {}
    return {**obj, "metadata": metadata, "spec": {**spec, **chosen, "template": template}}


def _with_label(metadata: Json, mark: str) -> Json:
    return {**metadata, "labels": {**(metadata.get("labels") or {}), LABEL: mark}}


def _selecting(selector: Json, mark: str) -> Json:
    return {**selector, "matchLabels": {**(selector.get("matchLabels") or {}), LABEL: mark}}
