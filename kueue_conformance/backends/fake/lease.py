"""A fake cluster that is lent to a case, in virtual or real time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from fakecluster.aggregation.extension_server import ExtensionRequest, ExtensionResponse
from fakecluster.auth.security import Authorization
from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.faults import Delay

from ...base.files import scratch
from ...base.json_types import Json
from ...history.story import Owns
from ...programs.proof import KUBE_APISERVER, Proof, refuse_imitation
from ...wire.endpoint import Endpoint
from ...wire.transport import Transport, endpoint
from ..interception.faults import SubjectFaults
from ..interception.identity import identity, user_of
from .delayed_story import DelayedRecorder
from .journal import JournalRecorder
from .judged_server import JudgedServer, controllers_of_a_manager
from .rights import GROUP, grant

REVIEWS = "subjectaccessreviews.authorization.k8s.io"

AUTOSCALER = "cluster-autoscaler"
"""The first word of the User-Agent of a cluster-autoscaler of any release."""


class ClusterLender:
    """Keeps clusters in a folder of its own, and the API server that is judged itself.

    `rights` are the rules of what the subject may do; None: no subject takes part, and no rights are checked.
    `delay_seed` delays the changes of the story by kind; None: the story is the journal as it is.
    """

    name = "fake"
    shared = False
    handle = program = ""

    def __init__(self, rights: Sequence[Json] | None = None, delay_seed: int | None = None) -> None:
        self._rights = rights
        self._delay_seed = delay_seed
        self._authorization: Authorization = "always-allow" if rights is None else "rbac"
        # Two servers, each started when first asked for: vectors without controllers must see
        # objects that only they change.
        self._judged = {False: JudgedServer(), True: JudgedServer(controllers_of_a_manager())}
        self._kept: list[FakeCluster] = []
        self._folder = scratch.folder()

    def api_server(self, *, controllers: bool = False) -> Endpoint:
        """Return a cluster run like a real API server: real time, RBAC, with or without controllers."""
        return self._judged[controllers].endpoint()

    def proof(self) -> Proof:
        """Raise Unproven: fakecluster is not kube-apiserver."""
        raise refuse_imitation("the server of backend fake", KUBE_APISERVER)

    def save_failure_logs(self) -> None:
        """Save nothing: the journal has everything."""

    def close(self) -> None:
        """Remove what was made."""
        for judged in self._judged.values():
            judged.close()
        for cluster in self._kept:
            cluster.stop()
        self._kept.clear()
        self._folder.cleanup()

    def _keep(self, cluster: FakeCluster) -> FakeCluster:
        """Start a cluster that ends with the backend."""
        # Kept before rights are granted: a failure in between must not leave a server without an
        # owner.
        self._kept.append(cluster.start())
        if self._rights is not None:
            # RBAC answers 403 to what no role grants, so the roles are there before the subject
            # connects.
            grant(cluster, self._rights)
        return cluster

    def _file(self, name: str) -> Path:
        return Path(self._folder.name) / f"{name}.kubeconfig"


class ClusterLease:
    """A running fake cluster, its story since it was lent, and the subject's identity there."""

    host_address = "127.0.0.1"
    ahead = 0.0
    was_wait_too_short = False
    mark = ""
    log: Path | None = None
    dial: Callable[[asyncio.Protocol], None] | None = None

    def __init__(
        self, cluster: FakeCluster, file: Path, transport: Transport, delay_seed: int | None = None
    ) -> None:
        self._cluster = cluster
        self._config = file
        self.transport = transport
        self.recorder = JournalRecorder(cluster)
        if delay_seed is not None:
            delayed = DelayedRecorder(cluster, delay_seed, self.now)
            self.recorder, self.transport = delayed, delayed.witness(transport)
        self.faults = SubjectFaults(cluster)
        self.kueue_faults: SubjectFaults | None = None
        self.autoscaler_faults: SubjectFaults | None = None

    @cached_property
    def kubeconfig(self) -> str:
        """The path of an administrator's kubeconfig, written on first use: most cases need none."""
        self._cluster.kubeconfig(self._config)
        return str(self._config)

    @property
    def endpoint(self) -> Endpoint:
        """The API server for any request."""
        return endpoint(self.kubeconfig)

    def begins(self, owns: Owns, calm: float) -> None:
        """Do nothing: the journal is read from now on, and its readers select the case's objects."""

    def now(self) -> float:
        """Return the cluster's time."""
        return self._cluster.clock.now()

    def answer_for(self, service: str, handler: Callable[[Any], Any]) -> Callable[[], None]:
        """Have a coroutine of this process answer for a Service."""

        async def respond(request: ExtensionRequest) -> ExtensionResponse:
            response = await handler(request)
            # The two packages know nothing of each other's types: the answer is copied field by
            # field.
            return ExtensionResponse(code=response.code, headers=response.headers, body=bytes(response.body))

        return self._cluster.serve_extension(service, respond)

    def answer_reviews(self, url: str, function: Callable[[Any], Any]) -> Callable[[], None]:
        """Have a coroutine of this process answer for a webhook."""
        return self._cluster.serve_webhook(url, function)

    def reviews_take(self, seconds: float) -> None:
        """Delay each answer to a SubjectAccessReview by
        `seconds` of the cluster's time, until the case ends.
        """
        faults = self._cluster.faults

        def change() -> None:
            # Replaced and not added: two delays of one request would add up.
            if any(rule.id == REVIEWS for rule in faults.rules):
                faults.remove(REVIEWS)
            faults.add(Delay(seconds), id=REVIEWS, resource=REVIEWS)

        # Rules are read on the server's loop, so they are changed there, in one step between two
        # requests.
        self._cluster.call(change)

    def run(self, work: Callable[[Any], Any]) -> Any:
        """Run a coroutine on the cluster's loop."""
        return self._cluster.run(work(self._cluster.clock))

    def identity_for_subject(self, folder: Path, replica: int = 1, account: str = "") -> str:
        """Return a kubeconfig for a replica of the subject; there are no pods here."""
        # A fake cluster runs no pods, so there is no service account to ask in the name of.
        del account
        return identity(partial(self._cluster.kubeconfig, groups=(GROUP,)), folder, replica)

    def cut_off(self, replica: int) -> None:
        """Refuse all requests of a replica of the subject."""
        self.faults.cut_off(user_of(replica))
