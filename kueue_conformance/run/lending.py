"""Makes the context of one case: a cluster with all programs that the case needs, all of which ends with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..backends.cluster import Cluster
from ..backends.features import WEBHOOKS
from ..base.errors import Nonconformance, NotActive
from ..case.context import CaseContext
from ..case.failure_text import About, about, explain
from ..control_planes import CONFIGURABLE, SCRIPTED, VISIBILITY, VISIBILITY_GROUP, ControlPlane, Serving
from ..control_planes.metrics import read_from
from ..control_planes.no_control_plane import NoControlPlane
from ..history.fact import Fact
from ..history.retrospect import Viewpoint
from ..scenarios.capability import PROVISIONING_REQUESTS
from ..scenarios.cases import Parameters, version_of
from ..scenarios.dialect import Dialect, default, known
from ..scenarios.scenario import Scenario
from ..subject.running import RunningSubject
from ..wire.extension import ExtensionServer
from .parts import Parts
from .programs import CaseAutoscaler, CaseControlPlane
from .shared_kueue import SharedKueue
from .story_client import StoryClient

MARKS_ACTIVE = "docs-2024#controller-marks-active"
"""The requirement whose scenarios fail where no check of the subject becomes Active."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lending:
    """A case and its needs."""

    parts: Parts
    shared: SharedKueue
    dialect: Dialect
    scenario: str
    record: Scenario | None
    case: Parameters

    @contextmanager
    def case_context(self) -> Iterator[CaseContext]:
        """Lend the context with a running control plane; everything the case made is removed at the end."""
        parts, kueue, serving = self.parts, self._kueue, self._serving
        with self.shared.configured(serving.configured):
            functions = kueue.in_process_functions(self._spoken, serving)
            cluster = parts.lent(self._spoken, self._prepare, replace(functions, alone=self._alone))
            begin = None if parts.backend.shared else lambda: kueue.start(cluster, self._spoken, serving)
            playing, seat = CaseControlPlane(begin, self.shared.playing), self._seat(cluster)
            try:
                playing.start()
                context = self._assembled(cluster, playing, seat)
                try:
                    context.subject = self._subject_on(cluster, context)
                    with context.current():
                        yield context
                finally:
                    if parts.subject:
                        parts.subject.leave(cluster, disturbed=bool(context.disturbed))
                    if parts.in_virtual_time:
                        context.client.forget()
                    else:
                        context.client.clean_up()
                    seat.close()
                    playing.stop()
            finally:
                cluster.close()

    @property
    def _alone(self) -> bool:
        """Whether no client of the case has a connection of its own: a scenario has clients only that act as
        users, a test of somebody else may have any.
        """
        return self.record is not None and self.parts.subject is None and self._serving.visibility == "none"

    @property
    def _judges_autoscaler(self) -> bool:
        return self.record is not None and self.record.profile.judges_autoscaler

    @property
    def _serving(self) -> Serving:
        """Return what the control plane serves in a case's own cluster."""
        needs: Sequence[str] = self.record.needs_of(self.case) if self.record else ()
        return Serving(
            "in-process" if WEBHOOKS in needs else "none",
            "in-process" if VISIBILITY in needs else "none",
            older_versions=self.parts.any_version,
            provisioning=self.parts.provisions() and PROVISIONING_REQUESTS in needs,
            configured=CONFIGURABLE.intersection(needs),
        )

    @property
    def _kueue(self) -> ControlPlane:
        """Return the control plane: where an autoscaler is judged, the reference for a scenario that needs
        Kueue, else none.
        """
        if self.record is None or not self._judges_autoscaler:
            return self.parts.control_plane
        return self.parts.whole_stack if PROVISIONING_REQUESTS in self.record.needs else NoControlPlane()

    @property
    def _spoken(self) -> Dialect:
        """Return the dialect of Kueue: the case's, unless it is one of an autoscaler."""
        alone = isinstance(self._kueue, NoControlPlane)
        return self.dialect if alone or not self._judges_autoscaler else known()[default()]

    def _prepare(self, base: Cluster) -> None:
        self._kueue.install(base, self._spoken, self._serving)
        if self._judges_autoscaler:
            self.parts.autoscaler.install(base, self.dialect)

    def _seat(self, cluster: Cluster) -> CaseAutoscaler:
        return CaseAutoscaler(
            lambda cloud, flags: self.parts.autoscaler.start(cluster, self.dialect, cloud, flags),
            lambda: self.parts.autoscaler.cloud(cluster),
        )

    def _assembled(self, cluster: Cluster, playing: CaseControlPlane, seat: CaseAutoscaler) -> CaseContext:
        parts, viewpoint, budgets = self.parts, Viewpoint(), self.parts.budgets()
        client = StoryClient(
            cluster.transport,
            viewpoint,
            agent=f"kueue-conformance/1 {self.scenario}",
            run=parts.uid,
            version=version_of(self.case),
        )
        if self._judges_autoscaler:
            client.versions = {"ProvisioningRequest": self.dialect.fact("request-version")}
        cluster.begins(client.owns, budgets.seconds("quiet") if parts.settings.at_rest else 0.0)
        context = CaseContext(
            cluster, self.dialect, budgets, client, self.scenario, playing.restart, viewpoint=viewpoint
        )
        context.exposition = read_from(parts.settings.metrics_address, lambda: playing.running)
        context.ended, context.stopped = playing.ended, playing.stopped
        if parts.backend.shared:  # another process may have started it
            context.direct = ExtensionServer(client, VISIBILITY_GROUP)
        else:
            context.direct, context.send = playing.ask, playing.send
        context.kueue_works = SCRIPTED not in self._kueue.features and not self._judges_autoscaler
        context.autoscaler = seat if self._judges_autoscaler else None
        context.about = about(self.record, self.dialect, parts.settings) if self.record else About()
        return context

    def _subject_on(self, cluster: Cluster, context: CaseContext) -> RunningSubject | None:
        """Return the subject that works on a cluster.

        Raises SubjectDied; Nonconformance where none of its checks becomes Active and that is judged.
        """
        subject = self.parts.subject
        if subject is None:
            return None
        try:
            return subject.on(cluster, self.parts.announce)
        except NotActive as problem:
            if self.record is None or MARKS_ACTIVE not in self.record.requirement:
                raise
            said = f"an AdmissionCheck with controllerName {subject.controller_name!r} is Active"
            seen = Fact(False, said, str(problem.args[0]))
            raise Nonconformance(explain(context, "a", seen, "within the budget 'start'")) from problem
