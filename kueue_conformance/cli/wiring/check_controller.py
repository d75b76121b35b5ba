"""The smoke test of a check controller: it makes a check Active and gives a verdict (harness/H-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.errors import SubjectDied
from ...control_planes import SCRIPTED
from ...stage import Stage
from ...stage.kueue.kueue import Kueue
from ...stage.kueue.scripted_kueue import ScriptedKueue
from ...stage.kueue.working_kueue import WorkingKueue
from ...stage.making.names import Names
from ...stage.subject.subject import Subject
from ...subject.hints import denial, of_silence
from ...subject.readiness import spec_of_probe
from .checks import WiringChecks

KEPT_CHECK = "smoke"
"""The AdmissionCheck for a subject that is started by hand."""


class CheckControllerWiring(WiringChecks):
    """The checks of a check controller."""

    shown = "admissionchecks,workloads -A"

    def steps(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the checks in order."""
        name = self.declared.controller_name
        return (
            ("the API server answers", self.reaches_the_server),
            ("Kueue's kinds are served", self.finds_kueue),
            (f"the subject starts, and an AdmissionCheck of {name} becomes Active", self.starts_the_subject),
            ("a Workload with quota gets its verdict", self.sees_a_verdict),
            ("the subject ends when it is asked to", self.ends_the_subject),
        )

    def sees_a_verdict(self) -> None:
        """Play one Workload through the quota, and wait for Ready, or a verdict that the subject can say."""
        run = self.run
        stage = Stage(self.context, Names("smoke", run.uid, "smoke", self.settings.seed))
        kueue: Kueue = ScriptedKueue(stage) if SCRIPTED in run.control_plane.features else WorkingKueue(stage)
        subject = Subject(self.context, self.running, stage.names, stage.namespace)
        self._stack.enter_context(self.answers).callback(subject.reset_answers)
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
            f"Workload {workload.name} has quota and check {check.name}, and got no {verdict} within {seconds:g} s (it is: {state}){self.log}",
            hint=self._no_verdict(question_count),
        )

    def prepare_objects(self) -> None:
        """Make an AdmissionCheck: the probe of the smoke test is gone, and a controller without a check has
        nothing to do.
        """
        client = self.context.client
        name = self.declared.check_name or KEPT_CHECK
        if client.find("AdmissionCheck", name) is None:
            spec = spec_of_probe(self.declared.controller_name, self.declared.parameters, client, name)
            client.create({"kind": "AdmissionCheck", "metadata": {"name": name}, "spec": spec})

    def _no_verdict(self, question_count: int) -> str:
        if denied := denial(self.cluster.recorder.requests()):
            return f"the API server refused what the subject did: {denied}"
        missing = self._what_is_missing(question_count)
        return ". ".join(filter(None, [missing, of_silence(self.declared)]))

    def _what_is_missing(self, question_count: int) -> str:
        if not self.declared.drivers.asks:
            return "does the subject watch what its drivers write? see drivers in the subject file"
        if not question_count:
            return "the subject asked KUEUE_CONFORMANCE_VERDICT_URL nothing about it; a subject with another source of verdicts needs drivers in its subject file"
        return f"the subject asked for the verdict {question_count} time(s) and did not write it to status.admissionChecks of the Workload"
