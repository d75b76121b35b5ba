"""A subject at work on one cluster: started, ready when its own check is Active (a job integration: when it
reads objects of Kueue), watched, ended (harness/H-03, H-43).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from ..backends.cluster import Cluster
from ..base.budget import Budgets
from ..base.errors import NotActive, SubjectDied, SubjectFileError
from ..base.files import scratch
from ..wire.client import Client
from ..wire.kinds import resource_of
from ..wire.resource import KUEUE
from . import Connector, SubjectContext
from .declaration import Declaration
from .hints import how_far
from .log import Line
from .outside_work.claims import Claims
from .readiness import (
    check_kinds,
    check_workload_template,
    install,
    is_active,
    is_there,
    signs,
    spec_of_probe,
)
from .replica import Replica
from .verdict_server import VerdictServer
from .verdicts import Verdicts


@runtime_checkable
class HasCommand(Protocol):
    """A connector of a program that a user can start in a shell."""

    def by_hand(self, context: SubjectContext) -> str:
        """Return the line by which a user starts it in a shell."""


def _environment(context: SubjectContext) -> str:
    return " ".join(f"{name}={value}" for name, value in context.variables.items())


class RunningSubject:
    """Started by `start`, which returns when the subject is ready.

    Scenarios end it, start it again, and start a second one.
    """

    def __init__(
        self, declaration: Declaration, connector: Connector, budgets: Budgets, numbers: Iterator[int]
    ) -> None:
        self.controller_name = declaration.controller_name
        self.check_name = declaration.check_name
        """The only name of an AdmissionCheck for which it answers; empty where it answers for all."""
        self.drivers = declaration.drivers
        self.workload_template = declaration.workload_template
        self.parameters = declaration.parameters
        self.job_kind = declaration.job_kind
        """The kind of jobs that it integrates; None for a check controller."""
        self.outside_work = declaration.outside_work
        self._declaration = declaration
        self.rbac = declaration.rbac
        self._begin = declaration.start
        self.verdicts = Verdicts()
        self.claims = Claims()
        self._connector = connector
        self._budgets = budgets
        self._folder = scratch.folder("subject-")
        self._server = VerdictServer(self.verdicts, self.claims)
        self._replicas: list[Replica] = []
        self._numbers = numbers
        self._since = 0.0
        self.is_undecided = False
        """The subject is known to work with an outside system that has decided nothing."""

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
        # With its first replica: a scenario that starts it again has changed what it is told since.
        if not self._replicas:
            install(self._declaration, cluster, self._budgets.seconds("start"))
        check_kinds(self._declaration, cluster)
        if not self._replicas:
            check_workload_template(self._declaration, cluster)
        # The address is in the subject's environment, so the server listens before the subject
        # starts.
        self._server.start(cluster)
        number = next(self._numbers)
        kubeconfig = cluster.identity_for_subject(Path(self._folder.name), number, self._connector.account)
        context = SubjectContext(kubeconfig, self.controller_name, self._server.url, self._server.claims_url)
        if self._connector.alone:
            announce(f"start your controller now: {_environment(context)}")
        replica = Replica(self._connector, context, cluster, number)
        self._replicas.append(replica)
        return replica

    def follow_jobs(self, client: Client, cluster: Cluster) -> None:
        """Let a client and the history of its cluster know the kind of jobs, whose definition
        is served since the subject was started.
        """
        if self.job_kind is None:
            return
        resource = resource_of(client, self.job_kind.manifest)
        client.further[resource.kind] = resource
        cluster.recorder.follow(resource.group, resource.plural, resource.kind)

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

    def by_hand(self) -> str:
        """Return how a user starts it on this cluster, in place of the last copy; empty before the first."""
        if not self._replicas:
            return ""
        context = self._replicas[-1].context
        if isinstance(self._connector, HasCommand):
            return self._connector.by_hand(context)
        return f"start your controller with {_environment(context)}"

    def _until_ready(self, cluster: Cluster) -> None:
        client = Client(cluster.transport, agent="kueue-conformance/1 ready-probe", run=cluster.mark)
        # What the user has declared comes first: its failure names a field of the subject file.
        self._until_it_says_so(cluster, client)
        if not self._begin.marks_active or self.job_kind is not None:
            self._until_it_reads(cluster)
            return
        # A name of its own: on a shared cluster several workers probe at once.
        name = self.check_name or f"ready-probe-{secrets.token_hex(3)}"
        if self.check_name and is_there(client, self._declaration):
            self._until_it_reads(cluster)
            return
        spec = spec_of_probe(self.controller_name, self.parameters, client, name)
        client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})
        # A program that is started by hand takes as long as the hand.
        budget = self._budgets.seconds("connect" if self._connector.alone else "start")
        try:
            if not cluster.wait(lambda: is_active(client.get("AdmissionCheck", name)), budget, self._lives):
                raise SubjectDied(
                    f"the subject was not ready: no AdmissionCheck with controllerName {self.controller_name!r} "
                    f"became Active within {budget:g} s{self._replicas[-1].tail()}",
                    hint=how_far(
                        cluster.recorder, self.controller_name, client.served_versions(), self.check_name
                    ),
                )
        finally:
            # The probe goes in any case: a check without a queue would be in the story of the
            # first case.
            client.clean_up()

    def _until_it_reads(self, cluster: Cluster) -> None:
        """Wait until the newest replica has read objects of Kueue.

        Where the subject marks no check Active, or where a replica before it may have marked its only one.
        """
        number, budget = self._replicas[-1].number, self._budgets.seconds("start")

        def reads() -> bool:
            return any(
                request.replica == number and request.group == KUEUE
                for request in cluster.recorder.requests()
            )

        if cluster.recorder.knows_users and not cluster.wait(reads, budget, self._lives):
            raise SubjectDied(
                f"the subject was not ready: it read nothing of {KUEUE} within {budget:g} s{self._replicas[-1].tail()}",
                hint="does it start by itself, and use the file that KUBECONFIG names?",
            )

    def _until_it_says_so(self, cluster: Cluster, client: Client) -> None:
        """Wait for what the field `start.ready` names."""
        budget = self._budgets.seconds("start")
        for sign in signs(self._begin, self._replicas[-1].handle, client):
            if not cluster.wait(sign.is_there, budget, self._lives):
                raise self._declaration.with_line(
                    SubjectFileError(
                        f"the subject was not ready: {sign.text} was not seen within {budget:g} s{self._replicas[-1].tail()}",
                        hint=f"correct {sign.field}, or leave it out: then the subject is ready when a check of it is Active",
                        path=sign.field,
                    )
                )

    def _lives(self) -> bool:
        """Raise when the subject has died; do nothing else."""
        self.check_alive()
        return False
