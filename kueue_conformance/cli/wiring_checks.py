"""The smoke test: five checks, each with a hint, before anything is judged (harness/H-03).

A step is a sentence and a function that does it; the first one that fails ends the smoke test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count

from ..backends.cluster import Cluster
from ..base.budget import Budgets
from ..base.errors import ConformanceError, EnvironmentProblem, SubjectDied
from ..case.context import CaseContext
from ..control_planes import SCRIPTED, ServedApis
from ..options import Settings
from ..run import CaseControlPlane, Run
from ..stage import Stage
from ..stage.kueue.kueue import Kueue
from ..stage.kueue.scripted_kueue import ScriptedKueue
from ..stage.kueue.working_kueue import WorkingKueue
from ..stage.making.names import Names
from ..stage.subject.subject import Subject
from ..subject.hints import denial, of_silence
from ..subject.readiness import spec_of_probe
from ..subject.running_subject import RunningSubject
from ..wire.client import ApiError, Client
from ..wire.resource import KUEUE

KEPT_CHECK = "smoke"
"""The AdmissionCheck for a subject that is started by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One check: its subject, and its problem (None: passed)."""

    number: int
    of: int
    text: str
    problem: ConformanceError | None = None


def smoke(
    settings: Settings, announce: Callable[[str], None], keep: Callable[[str], None] | None = None
) -> Iterator[CheckResult]:
    """Make the checks one after another, until one fails.

    `keep` is called with the command of the subject while the cluster is there, and returns when it may go.
    """
    with ExitStack() as stack:
        wiring = WiringChecks(settings, stack, announce)
        steps = wiring.steps()
        for number, (text, step) in enumerate(steps, 1):
            problem = _problem(step)
            yield CheckResult(number=number, of=len(steps), text=text, problem=problem)
            if problem is not None:
                break
        if keep is not None and (command := wiring.prepare_for_hand()):
            keep(command)


def _problem(step: Callable[[], object]) -> ConformanceError | None:
    try:
        step()
    except ApiError as error:
        return EnvironmentProblem(
            f"the API server refuses what the harness needs: {error}", hint="does this user have the rights?"
        )
    except ConformanceError as problem:
        return problem
    return None


class WiringChecks:
    """The parts that the checks share; an exit stack ends them."""

    cluster: Cluster
    context: CaseContext
    running: RunningSubject

    def __init__(self, settings: Settings, stack: ExitStack, announce: Callable[[str], None]) -> None:
        assert settings.subject is not None, "the command line asks for a subject"
        self._settings, self._stack, self._announce = settings, stack, announce
        self._declared = settings.subject
        self._dialect = settings.dialects[0]
        self._run = Run(settings)
        stack.callback(self._run.close)
        self._answers = ExitStack()

    def steps(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the checks in order."""
        name = self._declared.controller_name
        return (
            ("the API server answers", self.reaches_the_server),
            ("Kueue's kinds are served", self.finds_kueue),
            (f"the subject starts, and an AdmissionCheck of {name} becomes Active", self.starts_the_subject),
            ("a Workload with quota gets its verdict", self.sees_a_verdict),
            ("the subject ends when it is asked to", self.ends_the_subject),
        )

    def reaches_the_server(self) -> None:
        """Borrow a cluster and ask for its version."""
        run = self._run
        run.begin()
        kueue, serving = run.control_plane, ServedApis(older_versions=run.any_version)
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
            Budgets(run.in_virtual_time, self._settings.timeout_scale),
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
        if not self._run.backend.shared:
            playing = CaseControlPlane(lambda: self._run.control_plane.start(self.cluster, self._dialect))
            playing.start()
            self._stack.callback(playing.stop)

    def starts_the_subject(self) -> None:
        """Start it and wait until it is ready."""
        self.running = RunningSubject(
            self._declared, self._declared.connector(), self.context.budgets, count(1)
        )
        self._stack.callback(self.running.stop)
        self.running.start(self.cluster, self._announce)
        self.context.subject = self.running

    def sees_a_verdict(self) -> None:
        """Play one Workload through the quota, and wait for Ready, or a verdict that the subject can say."""
        run = self._run
        stage = Stage(self.context, Names("smoke", run.uid, "smoke", self._settings.seed))
        kueue: Kueue = ScriptedKueue(stage) if SCRIPTED in run.control_plane.features else WorkingKueue(stage)
        subject = Subject(self.context, self.running, stage.names, stage.namespace)
        self._stack.enter_context(self._answers).callback(subject.reset_answers)
        check = subject.make_check()
        verdict = subject.usual_verdict
        subject.set_answer(verdict)
        with self.context.current():
            workload = kueue.precheck(stage.make_queue([check]))
            seconds = self.context.budgets.seconds("react")
            if self.cluster.wait(
                lambda: bool(workload.had_verdict(check, verdict)), seconds, self.context.react
            ):
                return
            question_count = len(self.running.verdicts.questions(workload.namespace, workload.name))
            state = workload.has_states(verdict, check).observed
        raise SubjectDied(
            f"Workload {workload.name} has quota and check {check.name}, and got no {verdict} within {seconds:g} s (it is: {state}){self._log}",
            hint=self._no_verdict(question_count),
        )

    @property
    def _log(self) -> str:
        """The newest lines that the subject printed."""
        return "".join(replica.tail() for replica in self.running.up)

    def ends_the_subject(self) -> None:
        """Stop it with SIGTERM."""
        # Before its end: the service that a driver asks may be in the subject.
        self._answers.close()
        seconds = self.context.budgets.seconds("stop")
        went = [replica.stops(seconds) for replica in self.running.up]
        if not all(went):
            raise SubjectDied(
                f"the subject did not end within {seconds:g} s of SIGTERM and was killed",
                hint="end on SIGTERM, or name another signal with start.stop in the subject file",
            )

    def prepare_for_hand(self) -> str:
        """End the subject, make an AdmissionCheck for it, and return how a user starts it; empty before its
        first start.
        """
        running: RunningSubject | None = getattr(self, "running", None)
        command = running.by_hand() if running is not None else ""
        if running is None or not command:
            return ""
        for replica in running.up:
            replica.stops(self.context.budgets.seconds("stop"))
        client = self.context.client
        # The probe of the smoke test is gone, and a controller without a check has nothing to do.
        name = self._declared.check_name or KEPT_CHECK
        if client.find("AdmissionCheck", name) is None:
            spec = spec_of_probe(self._declared.controller_name, self._declared.parameters, client, name)
            client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})
        return f"{command}\n\nkubectl --kubeconfig {self.cluster.kubeconfig} get admissionchecks,workloads -A"

    def _no_verdict(self, question_count: int) -> str:
        if denied := denial(self.cluster.recorder.requests()):
            return f"the API server refused what the subject did: {denied}"
        missing = self._what_is_missing(question_count)
        return ". ".join(filter(None, [missing, of_silence(self._declared)]))

    def _what_is_missing(self, question_count: int) -> str:
        if not self._declared.drivers.asks:
            return "does the subject watch what its drivers write? see drivers in the subject file"
        if not question_count:
            return "the subject asked KUEUE_CONFORMANCE_VERDICT_URL nothing about it; a subject with another source of verdicts needs drivers in its subject file"
        return f"the subject asked for the verdict {question_count} time(s) and did not write it to status.admissionChecks of the Workload"
