"""A subject at work on one cluster: started, ready when its
own check is Active, watched, ended (harness/H-03, H-43).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..backends.cluster import Cluster
from ..base.budget import Budgets
from ..base.errors import NotActive, SubjectDied
from ..base.files import scratch
from ..base.json_types import Json
from ..wire import kinds
from ..wire.client import ApiError, Client
from . import Connector, SubjectContext
from .declaration import Declaration
from .hints import how_far
from .log import Line
from .parameters import Parameters
from .replica import Replica
from .start import StartSettings
from .verdict_server import VerdictServer
from .verdicts import Verdicts

# The readiness signs of a program: an address that answers, a line, a Lease that is held (harness §10.2).
_SECONDS = 1.0


@runtime_checkable
class HasLog(Protocol):
    """A program whose output can be searched."""

    def has_printed(self, pattern: str) -> bool:
        """Tell whether a line that it printed matches a regular expression."""


def signs(start: StartSettings, program: object, client: Client) -> Mapping[str, Callable[[], bool]]:
    """Return how to look for each sign that is wanted, by what a user calls it."""
    expected_signs: dict[str, Callable[[], bool]] = {}
    if start.ready_http:
        expected_signs[f"an answer at {start.ready_http}"] = lambda: _answers(start.ready_http)
    if start.ready_log and isinstance(program, HasLog):
        expected_signs[f"a line like {start.ready_log!r}"] = lambda: program.has_printed(start.ready_log)
    if start.ready_lease:
        expected_signs[f"a holder of Lease {start.ready_lease}"] = lambda: _is_held(client, start.ready_lease)
    return expected_signs


def _answers(url: str) -> bool:
    import urllib3

    try:
        return 200 <= urllib3.request("GET", url, retries=False, timeout=_SECONDS).status < 300
    except urllib3.exceptions.HTTPError:
        return False


def _is_held(client: Client, lease: str) -> bool:
    namespace, _, name = lease.partition("/")
    try:
        holder = client.call("GET", f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}")
    except ApiError as error:
        if error.code != 404:
            raise
        return False
    return bool(holder["spec"].get("holderIdentity"))


# Prepares the readiness probe of a subject: the kinds and the parameters of its checks.
MANAGER = "kueue-conformance"


def install(declared: Parameters | None, cluster: Cluster, seconds: float) -> None:
    """Have the kinds of parameters served."""
    crds = declared.crds if declared else ()
    if not crds:
        return
    client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
    kinds.apply(client, crds, manager=MANAGER)
    # A definition that was created is served only after the server has established it.
    cluster.wait(lambda: all(kinds.is_served(client, crd) for crd in crds), seconds, lambda: False)


def spec_of_probe(controller: str, declared: Parameters | None, client: Client, name: str) -> Json:
    """Return the spec of a check that the subject must make Active; its parameters are made with it."""
    spec = {"controllerName": controller}
    if declared is None:
        return spec
    if declared.valid:
        objects = declared.objects(name)
        kinds.apply(client, objects, manager=MANAGER)
        # Manifests may hold kinds that the client has no table for, so `created` does not know
        # them.
        client.afterwards(lambda: kinds.remove(client, objects))
    return {**spec, "parameters": declared.reference(name if declared.valid else declared.name)}


class RunningSubject:
    """Started by `start`, which returns when the subject is ready.

    Scenarios end it, start it again, and start a second one.
    """

    def __init__(
        self, declaration: Declaration, connector: Connector, budgets: Budgets, numbers: Iterator[int]
    ) -> None:
        self.controller_name = declaration.controller_name
        self.drivers = declaration.drivers
        self.parameters = declaration.parameters
        self.effects = declaration.effects
        self.rbac = declaration.rbac
        self._begin = declaration.start
        self.verdicts = Verdicts()
        self._connector = connector
        self._budgets = budgets
        self._folder = scratch.folder("subject-")
        self._server = VerdictServer(self.verdicts)
        self._replicas: list[Replica] = []
        self._numbers = numbers
        self._since = 0.0

    def start(self, cluster: Cluster, announce: Callable[[str], None] = lambda _: None) -> Replica:
        """Start a replica of the subject on a cluster and wait until it is ready.

        Raises SubjectDied; NotActive where it reads AdmissionChecks.
        """
        replica = self.begin(cluster, announce)
        try:
            self._until_ready(cluster)
        except SubjectDied as death:
            # It works, since it reads checks, and marks none: that is a verdict, not trouble with
            # the start.
            if any(request.resource == "admissionchecks" for request in cluster.recorder.requests()):
                raise NotActive(str(death.args[0]), hint=death.hint) from death
            raise
        return replica

    def begin(self, cluster: Cluster, announce: Callable[[str], None] = lambda _: None) -> Replica:
        """Start a replica and do not wait for it. Raises SubjectDied."""
        install(self.parameters, cluster, self._budgets.seconds("start"))
        # The address is in the subject's environment, so the server listens before the subject
        # starts.
        self._server.start(cluster)
        number = next(self._numbers)
        kubeconfig = cluster.identity_for_subject(Path(self._folder.name), number, self._connector.account)
        context = SubjectContext(kubeconfig, self.controller_name, self._server.url)
        if self._connector.alone:
            announce(
                f"start your controller now: KUBECONFIG={kubeconfig}"
                f" KUEUE_CONFORMANCE_CONTROLLER_NAME={self.controller_name}"
                f" KUEUE_CONFORMANCE_VERDICT_URL={self._server.url}"
            )
        replica = Replica(self._connector, context, cluster, number)
        self._replicas.append(replica)
        return replica

    @property
    def up(self) -> Sequence[Replica]:
        """The replicas that are meant to run, in the order of their start."""
        return [replica for replica in self._replicas if replica.up]

    def check_alive(self) -> None:
        """Raise SubjectDied, with the newest lines of its log, when one has ended by itself."""
        for replica in self._replicas:
            replica.check_alive()

    @property
    def is_whole(self) -> bool:
        """Whether exactly one replica runs, as a case expects."""
        try:
            # Called in place of stand-ins: it ends a wait at once when the subject has died.
            self.check_alive()
        except SubjectDied:
            return False
        return len(self.up) == 1

    def turns_to_another_case(self) -> None:
        """Remember that what it has printed up to now belongs to cases that are over."""
        self._since = time.time()

    def log(self) -> list[Line]:
        """Return the lines that the subject printed since the case began,
        and those of which the time is not known.
        """
        printed = (line for replica in self._replicas for line in replica.log())
        return sorted(
            (line for line in printed if not line.at or line.at >= self._since), key=lambda line: line.at
        )

    def stop_others(self) -> None:
        """End every replica but the first, when a case is over."""
        # The first stays for the next case, which saves a start.
        for replica in self.up[1:]:
            replica.stops(self._budgets.seconds("stop"))

    def stop(self) -> None:
        """End the subject."""
        for replica in self.up:
            replica.stops(self._budgets.seconds("stop"))
        self._server.stop()
        self._folder.cleanup()

    def _until_ready(self, cluster: Cluster) -> None:
        client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
        # What the user has declared comes first: its failure names a field of the subject file.
        self._until_it_says_so(cluster, client)
        # A name of its own: on a shared cluster several workers probe at once.
        name = f"ready-probe-{secrets.token_hex(3)}"
        spec = spec_of_probe(self.controller_name, self.parameters, client, name)
        client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})
        # A program that is started by hand takes as long as the hand.
        budget = self._budgets.seconds("connect" if self._connector.alone else "start")
        try:
            if not cluster.wait(lambda: is_active(client.get("AdmissionCheck", name)), budget, self._lives):
                raise SubjectDied(
                    f"the subject was not ready: no AdmissionCheck with controllerName {self.controller_name!r} "
                    f"became Active within {budget:g} s{self._replicas[-1].tail()}",
                    hint=how_far(cluster.recorder, self.controller_name, client.served_versions()),
                )
        finally:
            # The probe goes in any case: a check without a queue would be in the story of the
            # first case.
            client.clean_up()

    def _until_it_says_so(self, cluster: Cluster, client: Client) -> None:
        """Wait for what the field `start.ready` names."""
        budget = self._budgets.seconds("start")
        for word, is_there in signs(self._begin, self._replicas[-1].handle, client).items():
            if not cluster.wait(is_there, budget, self._lives):
                raise SubjectDied(
                    f"the subject was not ready: {word} was not seen within {budget:g} s{self._replicas[-1].tail()}",
                    hint="check start.ready in the subject file, or leave it out",
                )

    def _lives(self) -> bool:
        """Raise when the subject has died; do nothing else."""
        self.check_alive()
        return False


def is_active(check: Json) -> bool:
    """Tell whether an AdmissionCheck is Active."""
    conditions = (check.get("status") or {}).get("conditions", [])
    return any(condition["type"] == "Active" and condition["status"] == "True" for condition in conditions)
