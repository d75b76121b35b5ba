"""The smoke test of a job integration: a job is described, admitted, started and stopped (harness/H-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...base.errors import SubjectDied
from ...history.fact import Fact
from ...stage import Stage
from ...stage.integration.integration import Integration
from ...stage.integration.job import IntegratedJob
from ...stage.making.names import Names
from ...subject.hints import denial
from .checks import WiringChecks

NO_WORKLOAD = "does it watch jobs of this kind, and make a Workload that the job controls (ownerReferences)?"
NO_QUOTA = "has the Workload the queue of the job in spec.queueName, and its pods in spec.podSets?"
NO_START = "does it set {field} to false when the Workload is Admitted? see job.suspend in the subject file"
NO_STOP = "does it set {field} to true when the Workload is Evicted? see job.suspend in the subject file"
QUOTA_HELD = (
    "does it set QuotaReserved to False once the job has no pods? it reads that off the job's status:"
    " see job.status.stopped in the subject file"
)


class IntegrationWiring(WiringChecks):
    """The checks of a job integration; the harness plays the operator of its kind."""

    job: IntegratedJob

    def steps(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the checks in order."""
        assert self.declared.job_kind is not None, "the subject file has the field `job`"
        kind = self.declared.job_kind.kind
        return (
            ("the API server answers", self.reaches_the_server),
            ("Kueue's kinds are served", self.finds_kueue),
            ("the subject starts", self.starts_the_subject),
            (f"a {kind} with a queue has a Workload, which gets quota", self.sees_a_workload),
            (f"the {kind} starts when its Workload is Admitted", self.sees_a_start),
            (f"an evicted {kind} is stopped, and gives its quota back without pods", self.sees_a_stop),
            ("the subject ends when it is asked to", self.ends_the_subject),
        )

    def sees_a_workload(self) -> None:
        """Submit a job to a queue with quota and without checks."""
        kind = self.declared.job_kind
        assert kind is not None
        self.running.follow_jobs(self.context.client, self.cluster)
        stage = Stage(self.context, Names("smoke", self.run.uid, "smoke", self.settings.seed))
        integration = Integration(self.context, self.running, kind, stage.names, stage.namespace)
        with self.context.current():
            self.job = integration.submit(stage.make_queue())
        self._expect(self.job.has_one_workload, "react", NO_WORKLOAD)
        self._expect(self.job.workload.has_quota_reserved, "reserve", NO_QUOTA)

    def sees_a_start(self) -> None:
        """Wait until the job is not suspended, and let its pods run."""
        self._expect(self.job.is_running, "start", self._field(NO_START))
        with self.context.current():
            self.job.begin_pods()

    def sees_a_stop(self) -> None:
        """Deactivate the Workload, and let the pods end when the job is suspended."""
        with self.context.current():
            self.job.workload.deactivate()
        self._expect(self.job.is_suspended, "evict", self._field(NO_STOP))
        with self.context.current():
            self.job.end_pods()
        self._expect(self.job.has_no_quota, "evict", QUOTA_HELD)

    def _expect(self, condition: Callable[[], Fact], budget: str, hint: str) -> None:
        """Wait for a fact, for as long as a scenario does. Raises SubjectDied with a hint."""
        with self.context.current():
            seconds = self.context.budgets.seconds(budget)
            if self.cluster.wait(lambda: bool(condition()), seconds, self.context.react):
                return
            fact = condition()
        denied = denial(self.cluster.recorder.requests())
        raise SubjectDied(
            f"{fact.expected}: not within {seconds:g} s (it is: {fact.observed}){self.log}",
            hint=f"the API server refused what the subject did: {denied}" if denied else hint,
        )

    def _field(self, hint: str) -> str:
        assert self.declared.job_kind is not None
        return hint.format(field=".".join(self.declared.job_kind.suspend))
