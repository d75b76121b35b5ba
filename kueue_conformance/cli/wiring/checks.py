"""What the smoke test checks of every subject: server, Kueue's kinds, start and end (harness/H-03).

A step is a sentence and a function that does it; the first one that fails ends the smoke test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import count

from ...backends.cluster import Cluster
from ...base.budget import Budgets
from ...base.errors import EnvironmentProblem, SubjectDied
from ...case.context import CaseContext
from ...control_planes import RunningControlPlane, ServedApis
from ...options import Settings
from ...run import CaseControlPlane, Run
from ...subject.running_subject import RunningSubject
from ...wire.client import Client
from ...wire.resource import KUEUE


class WiringChecks:
    """The parts that the checks share; an exit stack ends them."""

    cluster: Cluster
    context: CaseContext
    running: RunningSubject

    def __init__(self, settings: Settings, stack: ExitStack, announce: Callable[[str], None]) -> None:
        assert settings.subject is not None, "the command line asks for a subject"
        self.settings, self._stack, self._announce = settings, stack, announce
        self.declared = settings.subject
        self._dialect = settings.dialects[0]
        self.run = Run(settings)
        stack.callback(self.run.close)
        self.answers = ExitStack()

    def steps(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the checks in order."""
        raise NotImplementedError

    def reaches_the_server(self) -> None:
        """Borrow a cluster and ask for its version."""
        run = self.run
        run.begin()
        kueue, serving = run.control_plane, self._serving
        self.cluster = run.lent(
            self._dialect,
            lambda base: kueue.install(base, self._dialect, serving),
            kueue.in_process_functions(self._dialect, serving),
        )
        self._stack.callback(self.cluster.close)
        client = Client(self.cluster.transport, agent="kueue-conformance/1 smoke", run=run.uid)
        client.call("GET", "/version")
        self._stack.callback(client.clean_up)
        self.context = CaseContext(
            self.cluster,
            self._dialect,
            Budgets(run.in_virtual_time, self.settings.timeout_scale),
            client,
            "smoke",
            lambda: None,
        )

    def finds_kueue(self) -> None:
        """Check that Kueue's kinds are served, and start the control plane."""
        served = {
            resource["kind"]
            for resource in self.context.client.call("GET", f"/apis/{KUEUE}/v1beta2")["resources"]
        }
        missing = {"AdmissionCheck", "ClusterQueue", "LocalQueue", "ResourceFlavor", "Workload"} - served
        if missing:
            raise EnvironmentProblem(
                f"the API server does not serve {', '.join(sorted(missing))} of {KUEUE}/v1beta2",
                hint="install Kueue there",
            )
        if not self.run.backend.shared:
            playing = CaseControlPlane(self._start_control_plane)
            playing.start()
            self._stack.callback(playing.stop)

    @property
    def _serving(self) -> ServedApis:
        """What Kueue serves: beside an integration it integrates no Jobs itself."""
        return ServedApis(older_versions=self.run.any_version, jobs=self.declared.job_kind is None)

    def _start_control_plane(self) -> RunningControlPlane:
        return self.run.control_plane.start(self.cluster, self._dialect, self._serving)

    def starts_the_subject(self) -> None:
        """Start it and wait until it is ready."""
        self.running = RunningSubject(
            self.declared, self.declared.connector(), self.context.budgets, count(1)
        )
        self._stack.callback(self.running.stop)
        self.running.start(self.cluster, self._announce)
        self.context.subject = self.running

    @property
    def log(self) -> str:
        """The newest lines that the subject printed."""
        return "".join(replica.tail() for replica in self.running.up)

    def ends_the_subject(self) -> None:
        """Stop it with SIGTERM."""
        # Before its end: the service that a driver asks may be in the subject.
        self.answers.close()
        seconds = self.context.budgets.seconds("stop")
        went = [replica.stops(seconds) for replica in self.running.up]
        if not all(went):
            raise SubjectDied(
                f"the subject did not end within {seconds:g} s of SIGTERM and was killed",
                hint="end on SIGTERM, or name another signal with start.stop in the subject file",
            )

    def prepare_for_hand(self) -> str:
        """End the subject, and return how a user starts it; empty before its first start."""
        running: RunningSubject | None = getattr(self, "running", None)
        command = running.by_hand() if running is not None else ""
        if running is None or not command:
            return ""
        for replica in running.up:
            replica.stops(self.context.budgets.seconds("stop"))
        self.prepare_objects()
        return f"{command}\n\nkubectl --kubeconfig {self.cluster.kubeconfig} get {self.shown}"

    shown = "workloads -A"
    """What `kubectl get` shows of the subject's work."""

    def prepare_objects(self) -> None:
        """Make what a subject that is started by hand needs; nothing here."""
