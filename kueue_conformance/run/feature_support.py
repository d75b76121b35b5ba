"""Finds features that a case needs and this run lacks: of backend, control plane, autoscaler, and subject."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..autoscalers import ANSWERS, CONFIGURED, NODE_GROUPS
from ..backends.features import (
    FAULTS,
    FRONT,
    KUEUE_FAULTS,
    KUEUE_RESTART,
    OWN,
    REACHES_HOST,
    SERVERS,
    UNATTENDED,
    WEBHOOKS,
)
from ..control_planes import (
    CONFIGURABLE,
    DIRECT,
    GATES,
    MADE_BY_GATES,
    METRICS,
    REPLICAS,
    SCRIPTED,
    VISIBILITY,
)
from ..control_planes.upstream.request_definitions import are_requests_served
from ..scenarios.capability import NEWER, PROVISIONING_REQUESTS, UNGUARDED, UPGRADES
from ..scenarios.cases import NO_PARAMETERS, Parameters
from ..scenarios.dialect import Dialect
from ..scenarios.forms import FORMS
from ..scenarios.scenario import Scenario
from ..wire.client import Client
from .components import RunComponents
from .shared_kueue import SharedKueue

_NOT_SERVED = f"{PROVISIONING_REQUESTS}: the cluster does not serve autoscaling.x-k8s.io/v1; apply cluster-autoscaler's definition of ProvisioningRequest, and start Kueue again"


def with_gates(features: frozenset[str], dialect: Dialect) -> frozenset[str]:
    """Return the features of a control plane with the feature gates that were set, or read from it."""
    off = {feature for feature, gate in GATES.items() if dialect.gates.get(gate) is False}
    on = {feature for feature in MADE_BY_GATES if dialect.gates.get(GATES[feature])}
    return features - off | on


@dataclass(eq=False)
class FeatureSupport:
    """Decides whether cases can be run."""

    components: RunComponents
    shared: SharedKueue

    def serves_visibility(self) -> bool:
        """Tell whether the control plane's visibility server can be reached."""
        return VISIBILITY in self._features()

    def missing(
        self, scenario: Scenario, case: Parameters = NO_PARAMETERS, dialect: Dialect | None = None
    ) -> str:
        """Return the feature a case of a scenario lacks here, empty when it can run."""
        # Before all else: no backend can add what the harness itself does not support.
        if scenario.unsupported:
            return scenario.unsupported
        # Before the features of the run: with the gate as it is the rule does not hold, wherever it is run.
        if dialect is not None and (gate := scenario.unmet_gate(dialect)):
            return gate
        features = (
            # The subtraction binds first: what the control plane spoils of the backend is not
            # taken from its own features.
            self.components.backend.features - self.components.control_plane.lacks
            | self._features()
            | self._of_subject()
            | self._of_upgrade()
            | FORMS
        )
        if dialect is not None:
            features = with_gates(features, dialect)
        if scenario.profile.judges_autoscaler:
            if self.without_autoscaler:
                return self.without_autoscaler
            features |= self.components.autoscaler.features | (
                # In virtual time each case installs the definition itself; on a shared cluster
                # `_serves_requests` asks the server.
                {PROVISIONING_REQUESTS} if self.components.in_virtual_time else set()
            )
        # The first missing need is named in the order of the scenario's decorator, so the reason
        # of a skip is stable.
        missing = next((need for need in scenario.needs_of(case) if need not in features), "")
        if not missing and PROVISIONING_REQUESTS in scenario.needs_of(case) and not self._serves_requests:
            return _NOT_SERVED
        ours = self.components.control_plane.features >= CONFIGURABLE
        of_one_process = CONFIGURABLE | (
            {UPGRADES} if OWN in self.components.backend.features else frozenset()
        )
        ours = ours or (missing == UPGRADES and self.components.settings.upgrade_from is not None)
        if missing in of_one_process and self.components.backend.shared and ours:
            return f"{missing}: several processes share one control plane, which is configured for a case in a run with -n 0"
        if missing in GATES and dialect is not None and dialect.disabled_gate([GATES[missing]]):
            return f"needs feature gate {GATES[missing]}, which is off"
        return missing or self._cannot(scenario, case)

    @property
    def without_autoscaler(self) -> str:
        """Return why no autoscaler can be judged on the backend's cluster; empty where one can.

        Each case starts its own, and a cloud that makes Nodes: on a cluster that all cases share, one case at
        a time, and nothing else that makes or uses Nodes.
        """
        if not self.components.backend.shared or CONFIGURED not in self.components.autoscaler.features:
            return ""
        if UNATTENDED not in self.components.backend.features:
            return f"{NODE_GROUPS}: the Nodes of backend {self.components.backend.name} are its own; use fake or envtest, or --autoscaler found"
        if self.shared.playing is None:
            return f"{ANSWERS}: several processes share one cluster, on which one autoscaler works at a time; run with -n 0"
        return ""

    def _features(self) -> frozenset[str]:
        """Return the features of the control plane; the metrics of one that another process started are read
        by their address.
        """
        readable = bool(self.components.settings.metrics_address) or not self.components.backend.shared
        own = self.components.control_plane.features
        # A control plane that all cases share is started once, by one process.
        if self.components.backend.shared:
            own -= {REPLICAS} if self._may_replace_kueue else {REPLICAS, UPGRADES}
        # Only of the reference every release is at hand: that from which a real Kueue is upgraded is named.
        if self.components.control_plane.name != "reference" and not self.components.settings.upgrade_from:
            own -= {UPGRADES}
        # The reference serves visibility as an aggregated API: without a server that calls this
        # process it is unreachable.
        called = {SERVERS, WEBHOOKS} & self.components.backend.features
        if not called and self.components.control_plane.name == "reference":
            own -= {VISIBILITY, DIRECT}
        if self.components.backend.shared and self.components.control_plane.name == "reference":
            # Only the process that started the shared reference can restart it with another
            # configuration; in a worker `playing` is None.
            own -= CONFIGURABLE if self.shared.playing is None else frozenset()
        return (
            own | {METRICS}
            if self.components.settings.metrics_address
            else own
            if readable
            else own - {METRICS}
        )

    @property
    def _may_replace_kueue(self) -> bool:
        """Whether this process has started the Kueue of a cluster that is the harness' own."""
        return OWN in self.components.backend.features and self.shared.is_of_this_process

    @cached_property
    def _serves_requests(self) -> bool:
        """Whether ProvisioningRequests are served;
        true where each case has a cluster of its own, in which they are.
        """
        if not self.components.backend.shared:
            return True
        client = Client(
            self.components.backend.lend(self.components.settings.dialects[0]).transport,
            agent="kueue-conformance",
        )
        return are_requests_served(client)

    def _of_upgrade(self) -> frozenset[str]:
        """Return whether the release that takes the place of another is newer in each case, and whether
        the webhooks between the two are this process's, which go on.
        """
        former = self.components.settings.upgrade_from
        dialects = self.components.settings.dialects
        newer = former is None or all(dialect.order > former.order for dialect in dialects)
        # Between the two the webhooks of the new one are installed; the reference's answer all the time.
        ours = self.components.control_plane.name == "reference"
        return frozenset(({NEWER} if newer else set()) | ({UNGUARDED} if ours else set()))

    def _of_subject(self) -> frozenset[str]:
        """Return the features of a subject: those of scenarios about any program that makes
        ProvisioningRequests, and the capabilities of a job integration.
        """
        subject = self.components.settings.subject
        if subject is None:
            return frozenset()
        options = frozenset() if subject.job_kind is None else subject.job_kind.options.features
        return options.union(
            {KUEUE_RESTART}, {KUEUE_FAULTS} if FAULTS in self.components.backend.features else ()
        )

    def _cannot(self, scenario: Scenario, case: Parameters) -> str:
        """Return what the subject lacks, or what the backend lacks for it."""
        if self.components.settings.subject is None or self.components.connector is None:
            return ""
        need = next(
            (
                feature
                for feature in self.components.connector.needs
                if feature not in self.components.backend.features
            ),
            "",
        )
        if need:
            return f"{need}: {self.components.settings.subject.connect} needs them, and backend {self.components.backend.name} has none"
        # A subject in pods that cannot reach this machine bypasses the front: its requests are in
        # no journal.
        unseen = self.components.connector.account and REACHES_HOST not in self.components.backend.features
        blocked = FRONT.intersection(scenario.needs_of(case)) if unseen else ()
        if blocked:
            return f"{min(blocked)}: {self.components.settings.subject.connect} connects to the API server directly, so that the harness cannot see or disturb its requests"
        template = self.components.settings.subject.workload_template
        if (
            template
            and template.has_topology_request
            and SCRIPTED not in self.components.control_plane.features
        ):
            return f"workload.spec.podSets: a topologyRequest needs the {SCRIPTED}"
        # Last: what the declaration leaves out matters only where the cluster could have run the
        # case.
        return self.components.settings.subject.cannot(scenario, scenario.needs_of(case))
