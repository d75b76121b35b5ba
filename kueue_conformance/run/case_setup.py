"""Makes the context of one case: a cluster with all
programs that the case needs, all of which ends with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from ..backends.cluster import Cluster
from ..backends.features import WEBHOOKS
from ..base.errors import Nonconformance, NotActive
from ..base.json_types import Json
from ..case.context import CaseContext
from ..case.failure_text import CaseDescription, about, explain
from ..control_planes import (
    CONFIGURABLE,
    REPLICAS,
    SCRIPTED,
    VISIBILITY,
    VISIBILITY_GROUP,
    ControlPlane,
    HasReplicas,
    ServedApis,
)
from ..control_planes.metrics import read_from
from ..control_planes.no_control_plane import NoControlPlane
from ..history.fact import Fact
from ..history.viewpoint import Viewpoint
from ..scenarios.capability import PROVISIONING_REQUESTS, UPGRADES
from ..scenarios.cases import Parameters, version_of
from ..scenarios.dialect import Dialect, default, known_dialects
from ..scenarios.scenario import Scenario
from ..subject.running_subject import RunningSubject
from ..wire.client import ApiError, Client
from ..wire.extension import ExtensionServer
from ..wire.transport import Transport
from .components import RunComponents
from .programs import CaseAutoscaler, CaseControlPlane
from .shared_kueue import SharedKueue


# A client that reads objects as they were at a moment of the story.
class StoryClient(Client):
    """Reads objects as they were at the moment that is looked at.

    Another kind, and another version of the API, is read as it is now.
    """

    def __init__(self, transport: Transport, viewpoint: Viewpoint, **options: Any) -> None:
        super().__init__(transport, wrote=viewpoint.acts, **options)
        self._viewpoint = viewpoint

    def get(self, kind: str, name: str, namespace: str = "") -> Json:
        """Return an object. Raises ApiError 404."""
        moment = self._viewpoint.moment
        if moment is None or not moment.knows(kind):
            return super().get(kind, name, namespace)
        # The recorded moment answers in place of the server, so an object that is gone since is
        # still found, and one that came later is a 404 as it was then.
        document = moment.find(kind, namespace, name)
        if document is None:
            raise ApiError(404, {"message": f"{kind} {name} was not there", "reason": "NotFound"})
        return document

    def list(self, kind: str, namespace: str = "", **query: str) -> Sequence[Json]:
        """Return the objects of a kind."""
        moment = self._viewpoint.moment
        # A query (labelSelector, limit) is left to the server: the story has no selector of its
        # own.
        if moment is None or query or not moment.knows(kind):
            return super().list(kind, namespace, **query)
        return moment.list(kind, namespace)


MARKS_ACTIVE = "docs-2024#controller-marks-active"
"""The requirement whose scenarios fail where no check of the subject becomes Active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSetup:
    """A case and its needs."""

    components: RunComponents
    shared: SharedKueue
    dialect: Dialect
    scenario: str
    record: Scenario | None
    case: Parameters
    former_dialect: Dialect | None = None
    """The release with which the case begins, where it is upgraded in the middle."""
    alone: bool = False
    """No client of the case has a connection of its own, although no scenario says so."""
    needs: Sequence[str] = ()
    """What a case without a record needs."""
    log: Path | None = None
    """The file for the log of a control plane in this process; None for stderr."""

    @contextmanager
    def case_context(self) -> Iterator[CaseContext]:
        """Lend the context with a running control plane; everything the case made is removed at the end."""
        components, kueue, serving = self.components, self._kueue, self._serving
        # The shared control plane is configured before the cluster is lent: it must not be ended
        # while the case already writes.
        with self.shared.with_configuration(serving.configured):
            first = self._first_spoken
            functions = kueue.in_process_functions(first, serving)
            cluster = components.lent(first, self._prepare, replace(functions, alone=self._alone))
            if self.log is not None:
                cluster.log = self.log
            # On a shared cluster the leading process has started the control plane; a second one
            # would write the same statuses.
            begin = None if components.backend.shared else lambda: kueue.start(cluster, first, serving)
            if self._is_about_an_upgrade:
                self.shared.play(first)
            playing, seat = CaseControlPlane(begin, lambda: self.shared.playing), self._seat(cluster)
            if serving.elects_leader:
                # The need of the case is a feature that such control planes alone have.
                replicated: HasReplicas = cast("HasReplicas", kueue)
                playing.begin_replica = lambda: replicated.start_replica(cluster, self._spoken, serving)

            try:
                # The control plane works before the subject starts: a subject that wants to
                # become Active has its kinds, its webhooks and the Kueue that it serves.
                playing.start()
                context = self._assemble(cluster, playing, seat)
                context.upgrade = partial(self._upgrade, cluster, playing)
                context.former_dialect = self.former_dialect
                if components.backend.shared and self._is_about_an_upgrade:
                    context.restart = self.shared.restart
                try:
                    context.subject = self._subject_on(cluster, context)
                    with context.current():
                        yield context
                finally:
                    if components.subject:
                        # The subject leaves while Kueue still works, and Kueue ends after the
                        # clean-up: no other client takes its finalizers off queues and Workloads.
                        components.subject.leave(cluster, disturbed=bool(context.disturbed))
                    if components.in_virtual_time:
                        # A fork of a virtual cluster dies with its case: to delete object by
                        # object would only cost time.
                        context.client.forget()
                    else:
                        context.client.clean_up()
                    seat.close()
                    playing.stop()
                    self._restore_definitions(cluster)
            finally:
                cluster.close()

    @contextmanager
    def _upgrade(self, cluster: Cluster, playing: CaseControlPlane) -> Iterator[None]:
        """Stop the control plane, and start that of the case's dialect afterwards."""
        kueue, serving = self._kueue, self._serving
        if self.components.backend.shared:
            with self.shared.replace_by(self._spoken):
                yield
            return
        with playing.pause():
            kueue.install(cluster, self._spoken, serving)
            playing.begin = lambda: kueue.start(cluster, self._spoken, serving)
            yield

    def _restore_definitions(self, cluster: Cluster) -> None:
        """Install the former release where the next case has the same cluster and begins with it."""
        is_prepared_anew = self.components.in_virtual_time or self.components.backend.shared
        if self.former_dialect is not None and not is_prepared_anew:
            self._kueue.install(cluster, self.former_dialect, self._serving)

    @property
    def _alone(self) -> bool:
        """Whether no client of the case has a connection of its own: a scenario has clients only that act as
        users, a test of somebody else may have any.
        """
        return self.alone or (
            # A pytest function without @scenario may open a connection that the harness does not
            # see, so the cluster must not stand still between two calls of it.
            self.record is not None and self.components.subject is None and self._serving.visibility == "none"
        )

    @property
    def _is_about_an_upgrade(self) -> bool:
        return self.record is not None and UPGRADES in self.record.profile.needs

    @property
    def _judges_autoscaler(self) -> bool:
        return self.record is not None and self.record.profile.judges_autoscaler

    @property
    def _serving(self) -> ServedApis:
        """Return what the control plane serves in a case's own cluster."""
        needs: Sequence[str] = self.record.needs_of(self.case) if self.record else self.needs
        return ServedApis(
            "in-process" if WEBHOOKS in needs else "none",
            "in-process" if VISIBILITY in needs else "none",
            older_versions=self.components.any_version,
            provisioning=self.components.provisions() and PROVISIONING_REQUESTS in needs,
            jobs=self.components.integrates_jobs(),
            configured=CONFIGURABLE.intersection(needs),
            elects_leader=REPLICAS in needs,
        )

    @property
    def _kueue(self) -> ControlPlane:
        """Return the control plane: where an autoscaler is judged, the reference for a scenario that needs
        Kueue, else none.
        """
        if self.record is None or not self._judges_autoscaler:
            return self.components.control_plane
        # Most scenarios of an autoscaler write the ProvisioningRequests themselves and need no
        # Kueue.
        return self.components.whole_stack if PROVISIONING_REQUESTS in self.record.needs else NoControlPlane()

    @property
    def _spoken(self) -> Dialect:
        """Return the dialect of Kueue: the case's, unless it is one of an autoscaler."""
        # The dialects of an autoscaler are its own releases, which say nothing about Kueue's: the
        # Kueue beside it speaks the default dialect.
        alone = isinstance(self._kueue, NoControlPlane)
        return self.dialect if alone or not self._judges_autoscaler else known_dialects()[default()]

    @property
    def _first_spoken(self) -> Dialect:
        """Return the dialect of the Kueue with which the case begins."""
        return self.former_dialect or self._spoken

    def _prepare(self, base: Cluster) -> None:
        self._kueue.install(base, self._first_spoken, self._serving)
        if self._judges_autoscaler:
            self.components.autoscaler.install(base, self.dialect)

    def _seat(self, cluster: Cluster) -> CaseAutoscaler:
        return CaseAutoscaler(
            lambda cloud, flags: self.components.autoscaler.start(cluster, self.dialect, cloud, flags),
            lambda: self.components.autoscaler.cloud(cluster),
        )

    def _assemble(self, cluster: Cluster, playing: CaseControlPlane, seat: CaseAutoscaler) -> CaseContext:
        components, viewpoint, budgets = self.components, Viewpoint(), self.components.budgets()
        client = StoryClient(
            cluster.transport,
            viewpoint,
            agent=f"kueue-conformance/1 {self.scenario}",
            run=components.uid,
            version=version_of(self.case),
        )
        if self._judges_autoscaler:
            # The autoscaler's release decides which version of the kind is served, not the
            # client's table.
            client.versions = {"ProvisioningRequest": self.dialect.fact("request-version")}
        cluster.begins(client.owns, budgets.seconds("quiet") if components.settings.at_rest else 0.0)
        context = CaseContext(
            cluster, self.dialect, budgets, client, self.scenario, playing.restart, viewpoint=viewpoint
        )
        # A function in place of the control plane: a restart within the case replaces it.
        context.exposition = read_from(components.settings.metrics_address, lambda: playing.running)
        context.ended, context.stopped = playing.exit_reason, playing.pause
        context.start_replica, context.stop_leader = playing.start_replica, playing.stop_leader
        # A shared Kueue may run in another process, where only the API server's aggregation
        # reaches its visibility server.
        if components.backend.shared:  # another process may have started it
            context.direct = ExtensionServer(client, VISIBILITY_GROUP)
        else:
            context.direct, context.send = playing.ask, playing.send
        # A scripted Kueue does what the scenario says: to judge it by the rules of Kueue would
        # judge the scenario.
        context.kueue_works = SCRIPTED not in self._kueue.features and not self._judges_autoscaler
        context.autoscaler = seat if self._judges_autoscaler else None
        context.about = (
            about(self.record, self.dialect, components.settings) if self.record else CaseDescription()
        )
        context.survival_clause = self.record.survival if self.record else ""
        return context

    def _subject_on(self, cluster: Cluster, context: CaseContext) -> RunningSubject | None:
        """Return the subject that works on a cluster.

        Raises SubjectDied; Nonconformance where none of its checks becomes Active and that is judged.
        """
        subject = self.components.subject
        if subject is None:
            return None
        try:
            running = subject.on(cluster, self.components.announce)
        except NotActive as problem:
            # Everywhere else a check that never becomes Active is an error of the set-up; only
            # here it is the verdict that was asked for.
            if self.record is None or MARKS_ACTIVE not in self.record.requirement:
                raise
            expected = f"an AdmissionCheck with controllerName {subject.controller_name!r} is Active"
            fact = Fact(False, expected, str(problem))
            raise Nonconformance(
                explain(context, "a", fact, f"within {context.budgets.describe('start')}")
            ) from problem
        running.follow_jobs(context.client, cluster)
        return running
