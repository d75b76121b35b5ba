"""Wrong about more than three of anything: checks, pod sets, flavors, queues (Q-083, Q-150, AC-285)."""

from dataclasses import replace

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.quota import requests
from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.scheduling.flavor_assigner import FlavorAssigner

from ...killing.planes import wrong

MOST = 3


@wrong((Checks, "are_all_ready"))
def asks_the_first_three_checks(_, checks):
    """Breaks AC-285: admits when three checks have passed, whatever the others say; ADM-722 must catch it."""
    return all(entry["state"] == "Ready" for entry in checks.entries[:MOST])


@wrong((Checks, "in_state"))
def hears_the_first_three_checks(in_state, checks, state):
    """Breaks AC-287: does not hear what the fourth check says; ADM-722 must catch it."""
    return in_state(Checks(checks.entries[:MOST]), state)


@wrong((requests, "total_requests"))
def counts_the_first_three_pod_sets(total_requests, workload):
    """Breaks Q-083: asks for no quota for the pods of the fourth pod set; QUE-601 must catch it."""
    pod_sets = total_requests(workload)
    return (*pod_sets[:MOST], *(replace(pod_set, requests={}) for pod_set in pod_sets[MOST:]))


@wrong((FlavorAssigner, "_find_flavor"))
def tries_three_flavors(find_flavor, self, covering, *requests_of_group):
    """Breaks Q-155: does not look beyond the third flavor; QUE-602 must catch it."""
    return find_flavor(self, replace(covering, flavors=covering.flavors[:MOST]), *requests_of_group)


@wrong((CohortTrees, "set_queue"))
def knows_three_queues_of_a_cohort(set_queue, self, name, cohort, *quotas):
    """Breaks Q-120: takes no fourth queue into a cohort; QUE-603 must catch it."""
    siblings = [
        node
        for node in self.queues.values()
        if node.name != name and node.parent is not None and node.parent.name == cohort
    ]
    return set_queue(self, name, "" if len(siblings) >= MOST else cohort, *quotas)
