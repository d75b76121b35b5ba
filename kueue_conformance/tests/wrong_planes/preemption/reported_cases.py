"""Wrong as users of Kueue reported it, each by the number of its thread."""

from dataclasses import replace

from reference_impl.kueue.quota.shares import share
from reference_impl.kueue.scheduling import assignment, flavor_fit
from reference_impl.kueue.scheduling.assignment import GranularMode, PreemptionMode
from reference_impl.kueue.scheduling.preemption.classical import ClassicalPreemptor
from reference_impl.kueue.scheduling.preemption.fair import FairPreemptor
from reference_impl.kueue.scheduling.preemption.fair_search import FairSearch, below_common_ancestor
from reference_impl.kueue.webhooks import jobs, writes

from ...killing.planes import wrong


@wrong((flavor_fit, "_simulate"))
def looks_for_no_victims_before_it_takes_a_flavor(_, context, workload, fr, value, height):
    """Breaks Q-168: takes the first flavor that policies let it preempt in, whether any Workload may go there
    or not (#4597); QUE-610 must catch it.
    """
    return GranularMode(PreemptionMode.PREEMPT, height)


@wrong((assignment, "is_preferred"))
def prefers_what_borrows_less_and_cannot_be(is_preferred, grade, other, policy):
    """Breaks Q-168: compares how far flavors borrow before it asks whether any Workload may go (#13607);
    QUE-611 must catch it.
    """
    if PreemptionMode.NO_FIT in (grade.mode, other.mode):
        return is_preferred(grade, other, policy)
    return assignment._key(grade, policy) > assignment._key(other, policy)


@wrong((writes, "problems"))
def refuses_a_job_that_runs_with_its_least(problems, rules, write, release):
    """Breaks Q-185: compares the least number of pods with the number of those that a Job is started with
    (#3140); QUE-612 must catch it.
    """
    is_job = write.old is not None and write.new.get("kind") == "Job"
    partial_admission_problems = jobs.partial_admission(replace(write, old=None)) if is_job else ()
    return [*problems(rules, write, release), *partial_admission_problems]


@wrong((FairPreemptor, "targets"))
def falls_back_to_priorities(targets, self, *claim):
    """Breaks Q-258: preempts by priority where shares let it preempt nothing (#3779);
    QUE-613 must catch it.
    """
    by_priority = ClassicalPreemptor(
        self.ledger, self.catalogue, self.sent_back, self.leaving, self.used, self.gives
    )
    return targets(self, *claim) or by_priority.targets(*claim)


@wrong((FairSearch, "_of_queue"))
def compares_what_it_has_without_what_it_asks_for(of_queue, self, queue, offenders, strategy, rest):
    """Breaks Q-272: compares the share that a queue has before the Workload runs for which it preempts
    (#7101); QUE-614 must catch it.
    """
    side, _ = below_common_ancestor(self.claim.node, queue)
    with self.forest.simulation():
        self.forest.remove(self.claim.node.name, self.claim.usage)
        present = share(side).degree

    def by_present_share(_preemptor, before, after):
        return strategy(present, before, after)

    return of_queue(self, queue, offenders, by_present_share, rest)
