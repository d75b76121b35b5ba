"""One run and its shared parts, from the first one to the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from pathlib import Path

from ..base.errors import ConformanceError
from ..case.context import CaseContext
from ..programs.proof import Proof, beside
from ..scenarios.capability import JOB_INTEGRATION
from ..scenarios.cases import NO_PARAMETERS, Parameters
from ..scenarios.dialect import Dialect
from ..scenarios.scenario import Scenario
from ..wire.client import ApiError, Client
from .case_setup import CaseSetup
from .components import RunComponents
from .feature_support import FeatureSupport
from .shared_kueue import SharedKueue


class Run(RunComponents):
    """Made lazily by the first case that needs it; `close` ends it."""

    @cached_property
    def shared_kueue(self) -> SharedKueue:
        """The control plane of a cluster that all cases share."""
        return SharedKueue(self)

    @cached_property
    def _of_integration(self) -> Run | None:
        """The run whose cases judge a job integration, None where they all judge the same: its clusters know
        the rights of a subject, and its Kueue leaves Jobs alone.
        """
        if self.settings.own_integration is None:
            return None
        return Run(self.settings.with_own_integration, announce=self.announce)

    def for_scenario(self, scenario: Scenario | None) -> Run:
        """Return the run to which the cases of a scenario belong; a test without a record to this one."""
        judges_integration = scenario is not None and scenario.profile.takes(JOB_INTEGRATION)
        return (self._of_integration if judges_integration else None) or self

    @cached_property
    def feature_support(self) -> FeatureSupport:
        """Decides which cases this run can have."""
        return FeatureSupport(self, self.shared_kueue)

    def begin(self) -> None:
        """On the process that leads the run: prepare a cluster
        that all workers share and start its control plane.
        """
        # Where each case makes its own cluster there is nothing to prepare, and a server would
        # only slow the collection.
        if not self.backend.shared:
            return
        if self.settings.judges_server:
            # The server alone is judged: a control plane would write objects beside those of the
            # examination.
            self.backend.api_server()
        else:
            self.shared_kueue.begin(visible=self.feature_support.serves_visibility)
        if self.judges_autoscaler and not self.feature_support.without_autoscaler:
            # The definition is installed once for all cases: on a shared cluster the workers
            # would race for it.
            dialect = next(dialect for dialect in self.settings.dialects if dialect.family == "autoscaler")
            self.autoscaler.install(self.lent(dialect), dialect)

    def missing(
        self, scenario: Scenario, case: Parameters = NO_PARAMETERS, dialect: Dialect | None = None
    ) -> str:
        """Return the feature a case of a scenario lacks here, empty when it can run."""
        return self.for_scenario(scenario).feature_support.missing(scenario, case, dialect)

    def case_context(
        self,
        dialect: Dialect,
        scenario: str,
        record: Scenario | None = None,
        case: Parameters = NO_PARAMETERS,
        former_dialect: Dialect | None = None,
        *,
        needs: Sequence[str] = (),
        alone: bool = False,
        log: Path | None = None,
    ) -> AbstractContextManager[CaseContext]:
        """Lend a context with a running control plane; everything the case made is removed at the end.

        Where a former release is named, its control plane works until `upgrade`. `needs` are those of a case
        without a record. In one that is `alone`
        no client has a connection of its own; `log` is the file for the log of a control plane in this
        process, None for stderr.
        """
        run = self.for_scenario(record)
        lending = CaseSetup(
            components=run,
            shared=run.shared_kueue,
            dialect=dialect,
            scenario=scenario,
            record=record,
            case=case,
            former_dialect=former_dialect,
            needs=needs,
            alone=alone,
            log=log,
        )
        return lending.case_context()

    @property
    def kubernetes(self) -> str:
        """The version that the shared server reports; empty where each case has its own, or it is gone."""
        # The private field: `backend` would connect, and a report about a run that never
        # connected must not.
        if self._backend is None or not self._backend.shared:
            return ""
        # The report is written after the run, when the server may be gone; that is no reason to
        # lose the report.
        with suppress(ConformanceError, ApiError):
            client = Client(
                self._backend.lend(self.settings.dialects[0]).transport, agent="kueue-conformance"
            )
            return str(client.call("GET", "/version")["gitVersion"])
        return ""

    @property
    def handle(self) -> str:
        """How a worker joins the cluster of this process; empty where each has its own."""
        return self._backend.handle if self._backend is not None else ""

    @property
    def program(self) -> str:
        """The server's name for the report, where that is worth a line in the report."""
        return self._backend.program if self._backend is not None else ""

    def control_plane_proof(self) -> Proof:
        """Return the proof that Kueue and its API server are the real ones.

        Raises Unproven for those that only play them.
        """
        server = self.backend.proof()
        # The server is proven first: a proof of Kueue that was read from an imitation would prove
        # nothing.
        return beside(self.control_plane.proof(self.lent(self.settings.dialects[0])), server)

    @property
    def proven(self) -> Mapping[str, str]:
        """Proofs of real programs: `kubernetes`, `kueue` and `autoscaler`; imitations are left out."""
        proofs: dict[str, str] = {}
        # The autoscaler is proven by its file, so this holds without a shared server too.
        if self.judges_autoscaler:
            with suppress(ConformanceError):
                proofs["autoscaler"] = self.autoscaler.proof().by
        if self._backend is None or not self._backend.shared:
            return proofs
        with suppress(ConformanceError, ApiError):
            proofs["kubernetes"] = self.backend.proof().by
        with suppress(ConformanceError, ApiError):
            proofs["kueue"] = self.control_plane_proof().by
        return proofs

    def save_failure_logs(self) -> None:
        """Make the backend save logs that explain a failure, before it is closed."""
        if self._backend is not None:
            self._backend.save_failure_logs()

    def close(self) -> None:
        """End what the run made."""
        if self._of_integration is not None:
            self._of_integration.close()
        # Subject, control plane, backend: each is ended before what it talks to, so that none
        # logs errors about the other's end.
        if self._subject is not None:
            self._subject.stop()
        self.shared_kueue.close()
        for control_plane in (self._former_control_plane, self._control_plane):
            if control_plane is not None:
                control_plane.close()
        if self._backend is not None:
            self._backend.close()
