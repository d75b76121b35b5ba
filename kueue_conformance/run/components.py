"""The shared parts of a run, each made on first use: backend,
control plane, the autoscaler, the subject, the examiners.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from .. import autoscalers, backends, control_planes
from ..autoscalers import Autoscaler
from ..backends.backend import NO_FUNCTIONS, Backend, InProcessFunctions, Prepare
from ..backends.cluster import Cluster
from ..backends.features import OWN, VIRTUAL_TIME
from ..base.budget import Budgets
from ..base.cluster_options import ClusterOptions
from ..control_planes import ControlPlane
from ..options import Settings
from ..recordings import examiner as recorded
from ..recordings.known_differences import known_differences as known_to_differ
from ..recordings.upgrade import StoryEnds
from ..scenarios.capability import PROFILES
from ..scenarios.dialect import Dialect
from ..subject import Connector
from ..subject.supervision import Supervision
from ..vectors.examiner import Examiner
from ..vectors.known_differences import known_differences
from ..wire.client import RUN_LABEL

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def run_uid(settings: Settings) -> str:
    """Return five letters that tell this run's objects from others'; the workers of one run share them.

    A fake cluster has no objects of others:
    there the letters come from the seed, and --seed repeats every name.
    """
    # xdist sets the variable in every worker of a run to the same value, and sets none without
    # -n.
    shared = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    shared = f"seed {settings.seed}" if settings.backend == "fake" else shared
    # Seeded by that value each worker draws the same letters without a message between them.
    draw = random.Random(shared) if shared else random.SystemRandom()  # noqa: S311 - a name, not a secret
    return "".join(draw.choice(_LETTERS) for _ in range(5))


@dataclass(eq=False)
class RunComponents:
    """The settings of a run, and the parts made from them."""

    settings: Settings
    uid: str = field(init=False)
    joined: str = ""
    """On a worker: how to join the cluster that the leading process prepared."""
    announce: Callable[[str], None] = print
    """Prints a message to the terminal before the run goes on."""
    story_ends: StoryEnds = field(default_factory=dict)
    """What is compared with the ends of stories across an upgrade."""
    _backend: Backend | None = None
    _control_plane: ControlPlane | None = None
    _former_control_plane: ControlPlane | None = None
    _autoscaler: Autoscaler | None = None
    _subject: Supervision | None = None
    _examiner: Examiner | None = None

    def __post_init__(self) -> None:
        self.uid = run_uid(self.settings)

    @property
    def in_virtual_time(self) -> bool:
        """Each case has a cluster and a clock of its own."""
        return VIRTUAL_TIME in self.backend.features

    def lent(
        self, dialect: Dialect, prepare: Prepare | None = None, functions: InProcessFunctions = NO_FUNCTIONS
    ) -> Cluster:
        """Return a cluster of the backend, marked with this run."""
        cluster = self.backend.lend(dialect, prepare, functions)
        # The mark goes on before any object is made: what bears no label is never deleted by the
        # clean-up.
        cluster.mark = self.uid
        return cluster

    @property
    def backend(self) -> Backend:
        """The backend, connected when first asked for."""
        if self._backend is None:
            self._backend = backends.connect(
                self.settings.backend,
                # Known before the first connection: a virtual clock cannot be exchanged for a
                # real one later.
                foreign=self._has_program,
                rights=self.settings.subject.rights if self.settings.subject else None,
                joined=self.joined,
                allow_imitation=self.settings.allow_fake_assets,
                cluster_options=self._cluster_options,
                delay_seed=self.settings.watch_delay_seed,
                tell=self.announce,
            )
        return self._backend

    @property
    def _cluster_options(self) -> ClusterOptions:
        """The cluster options, with the images that the control plane needs there."""
        cluster_options = self.settings.cluster_options
        # kind loads these into its nodes when it makes the cluster, before a Deployment names
        # them.
        return replace(cluster_options, load=(*cluster_options.load, *self.control_plane.images))

    @cached_property
    def connector(self) -> Connector | None:
        """How the subject is connected; None where none is judged."""
        return self.settings.subject.connector() if self.settings.subject is not None else None

    @property
    def judges_autoscaler(self) -> bool:
        """Tell whether a profile of the run judges an autoscaler."""
        return any(PROFILES[name].judges_autoscaler for name in self.settings.profiles)

    @property
    def in_real_time(self) -> bool:
        """Waits take real time; known before the backend is connected."""
        return self.settings.backend != "fake" or self._has_program

    @property
    def _has_program(self) -> bool:
        """A subject or a program takes part that cannot live by a virtual clock."""
        # A program in a process of its own sleeps by the clock of the machine, which a virtual
        # clock would outrun.
        started = self.settings.autoscaler.startswith(autoscalers.PROCESS) and self.judges_autoscaler
        return started or (self.connector is not None and not self.connector.on_the_loop)

    @property
    def control_plane(self) -> ControlPlane:
        """The control plane."""
        if self._control_plane is None:
            self._control_plane = control_planes.choose(self.settings.control_plane, self.settings.backend)
        return self._control_plane

    @property
    def former_control_plane(self) -> ControlPlane:
        """The control plane with which cases of an upgrade begin."""
        former = self.settings.former_control_plane
        if not former:
            return self.control_plane
        if self._former_control_plane is None:
            self._former_control_plane = control_planes.choose(former, self.settings.backend)
        return self._former_control_plane

    def check_feature_gates(self) -> None:
        """Raise UsageError for feature gates with which the reference cannot be started."""
        if not self.settings.gates or self.control_plane.name != "reference":
            return
        # Imported on use: without chosen gates there is nothing to ask the reference.
        from ..control_planes.reference import feature_gates

        for spoken in self.settings.dialects:
            if spoken.family == "Kueue":
                feature_gates(spoken, frozenset(), provisioning=False)

    @property
    def autoscaler(self) -> Autoscaler:
        """The autoscaler, where one is judged."""
        if self._autoscaler is None:
            self._autoscaler = autoscalers.choose(self.settings.autoscaler, self.settings.backend)
        return self._autoscaler

    @cached_property
    def whole_stack(self) -> ControlPlane:
        """The Kueue beside an autoscaler that is judged."""
        return control_planes.choose("reference", self.settings.backend)

    @property
    def examiner(self) -> Examiner:
        """The examiner of the API server that is judged itself."""
        if self._examiner is None:
            # Only the fake server is known to differ; for every other one each difference is a
            # finding.
            differences = known_differences() if self.settings.backend == "fake" else {}
            # On a cluster of others each object of an examination bears the run's label, so that
            # `cleanup` finds it.
            somebodys = {} if OWN in self.backend.features else {RUN_LABEL: self.uid}
            self._examiner = Examiner(self.backend.api_server, differences, somebodys)
        return self._examiner

    @cached_property
    def recordings_examiner(self) -> recorded.Examiner:
        """The examiner that compares the control plane with the recorded Kueue;
        only the reference is known to differ.
        """
        return recorded.Examiner(known_to_differ() if self.control_plane.name == "reference" else {})

    @property
    def subject(self) -> Supervision | None:
        """The subject, None where the control plane is judged."""
        if self._subject is None and self.settings.subject is not None:
            self._subject = Supervision(self.settings.subject, self.budgets())
        return self._subject

    def provisions(self) -> bool:
        """Tell whether the control plane makes ProvisioningRequests:
        where a subject is judged, that one does.
        """
        return self.settings.subject is None

    def integrates_jobs(self) -> bool:
        """Tell whether the control plane integrates Jobs: where an integration is judged, that one does."""
        return self.settings.subject is None or self.settings.subject.job_kind is None

    @property
    def any_version(self) -> bool:
        """Whether Kueue's kinds are served in every version that they have: a subject says by its requests
        which one it speaks.
        """
        # A shared cluster serves what its Kueue installed; the harness adds no version there.
        return self.settings.subject is not None and not self.backend.shared

    def budgets(self) -> Budgets:
        """Return the named waits."""
        return Budgets(self.in_virtual_time, self.settings.timeout_scale)
