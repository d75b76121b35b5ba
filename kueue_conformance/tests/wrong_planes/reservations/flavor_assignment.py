"""Wrong about flavors: which one is assigned, and what the reservation says of it (Q-150…Q-172; AC-110)."""

from dataclasses import replace

from reference_impl.kueue.quota.resources import ResourceGroups
from reference_impl.kueue.scheduling import assignment as grades
from reference_impl.kueue.scheduling import flavor_assigner, flavor_fit, reservation
from reference_impl.kueue.scheduling.assignment import Assignment, PreemptionMode
from reference_impl.kueue.scheduling.booking import Booking
from reference_impl.kueue.scheduling.flavor_assigner import FlavorAssigner
from reference_impl.pods import tolerations

from ...killing.planes import instead, wrong


@wrong((flavor_assigner.FlavorAssigner, "_with_pods"))
def asks_for_pods_alone(right, self, pod_set):
    """Breaks Q-084: where pods are counted, assigns nothing else; QUE-018 must catch it."""
    reduced_pod_set = right(self, pod_set)
    return (
        reduced_pod_set
        if reduced_pod_set is pod_set
        else replace(reduced_pod_set, requests={"pods": pod_set.count})
    )


@wrong((flavor_assigner.FlavorAssigner, "_find_flavor"))
def tries_the_last_flavor_first(right, self, covering, *rest):
    """Breaks Q-155: begins with the last flavor; ADM-397 must catch it."""
    return right(self, replace(covering, flavors=covering.flavors[::-1]), *rest)


@wrong((flavor_assigner.FlavorAssigner, "_find_flavor"))
def tries_the_first_flavor_alone(right, self, covering, *rest):
    """Breaks Q-155: does not look beyond the first flavor; ADM-243 must catch it."""
    return right(self, replace(covering, flavors=covering.flavors[:1]), *rest)


@wrong((grades, "should_try_next_flavor"))
def always_looks_at_all_flavors(_, grade, policy):
    """Breaks Q-172: does not stop where the policy says so; ADM-408 must catch it."""
    return True


@wrong((grades, "should_try_next_flavor"))
def never_looks_for_a_flavor_without_borrowing(right, grade, policy):
    """Breaks Q-172: borrows although it is told to try the next flavor first; ADM-408 must catch it."""
    return right(grade, replace(policy, try_next_to_borrow=False))


def grade_unchecked(grades, grade):
    """Return a grade of a flavor, or, asked whether quota is
    left for the head of a queue after others, that it is.
    """
    return grade(grades) if isinstance(grades, list) else True


@wrong((grades, "worst_by_preference"), (Booking, "fits_without_targets"))
def judges_a_flavor_by_its_best_resource(_, grades, *rest):
    """Breaks Q-154: takes a flavor that has enough of one resource only; ADM-394 must catch it."""
    return grade_unchecked(grades, max)


@wrong((grades, "worst_by_preference"), (Booking, "fits_without_targets"))
def judges_a_flavor_by_its_last_resource(_, grades, *rest):
    """Breaks Q-154: takes the grade of the last resource for that of the flavor; ADM-394 must catch it."""
    return grade_unchecked(grades, lambda grades: grades[-1])


@wrong((grades, "worst_by_preference"), (Booking, "fits_without_targets"))
def judges_a_flavor_by_its_first_resource(_, grades, *rest):
    """Breaks Q-154: takes the grade of the first resource for that of the flavor; ADM-394 must catch it."""
    return grade_unchecked(grades, lambda grades: grades[0])


@wrong((FlavorAssigner, "_assume"))
def forgets_earlier_pod_sets(_, self, choices, usage):
    """Breaks Q-153: does not count what earlier pod sets of the Workload get; ADM-409 must catch it."""


@wrong((flavor_assigner, "assign"))
def assigns_the_first_pod_set_alone(assign, workload, requests, *rest):
    """Breaks Q-155: looks at the first pod set and lets the others come along; ADM-393 must catch it."""
    assignment = assign(workload, requests, *rest)
    if assignment.pod_sets and not assignment.pod_sets[0].has_failed:
        return Assignment(tuple(replace(pod_set, has_failed=False) for pod_set in assignment.pod_sets))
    return assignment


@wrong((Assignment, "mode"))
def takes_the_best_pod_set_for_all(_, self):
    """Breaks Q-171: takes the best mode of the pod sets for that of the Workload; ADM-393 must catch it."""
    if self.error:
        return PreemptionMode.NO_FIT
    return max((pod_set.mode for pod_set in self.pod_sets), default=PreemptionMode.FIT)


@wrong((ResourceGroups, "covering"))
def covers_everything(covering, self, resource):
    """Breaks Q-151: gives what no group covers away without quota; ADM-396 must catch it."""
    return covering(self, resource) or (self.groups[0] if self.groups else None)


@wrong((FlavorAssigner, "assign_group"))
def lets_uncovered_resources_pass(serve, self, group):
    """Breaks Q-151: does not mind resources that no group covers; ADM-396 must catch it."""
    groups = self.context.spec.groups

    def requests_in_groups(pod_set):
        return {name: value for name, value in pod_set.requests.items() if groups.covering(name) is not None}

    return serve(self, [replace(pod_set, requests=requests_in_groups(pod_set)) for pod_set in group])


@wrong((flavor_fit, "find_untolerated"))
def minds_no_taints(_, taints, tolerations):
    """Breaks Q-158: uses nodes that the pods do not tolerate; ADM-397 must catch it."""


@wrong((flavor_fit, "find_untolerated"))
def minds_every_taint(_, taints, tolerations):
    """Breaks Q-158: does not know that a taint can be tolerated;
    ADM-397[tolerated-taint-first] must catch it.
    """
    return next(iter(taints), None)


@wrong((tolerations, "_tolerates"))
def tolerates_by_the_key_alone(_, toleration, taint):
    """Breaks Q-158: takes a toleration of one value for one of every value;
    ADM-397[another-value-is-tolerated-second] must catch it.
    """
    return toleration.get("key") == taint["key"]


instead(
    tolerations,
    "_REPELLING",
    frozenset({"NoSchedule", "NoExecute", "PreferNoSchedule"}),
    "Breaks Q-158: takes a wish for a prohibition; ADM-397[preferred-taint-first] must catch it.",
    called="minds_preferred_taints",
)


instead(
    tolerations,
    "_REPELLING",
    frozenset({"NoExecute"}),
    "Breaks Q-158: takes NoSchedule for a wish; ADM-397[taint-of-the-first-second] must catch it.",
    called="minds_no_taint_against_scheduling",
)


@wrong((flavor_fit, "check_flavor"))
def knows_no_tolerations_of_flavors(objection, pod_spec, name, flavor, keys):
    """Breaks Q-158: forgets what a flavor tolerates for its pods;
    ADM-397[tolerated-by-the-flavor-first] must catch it.
    """
    return objection(pod_spec, name, {**flavor, "spec": {**flavor["spec"], "tolerations": []}}, keys)


@wrong((flavor_fit, "_matches_node_affinity"))
def minds_no_node_selector(_, pod_spec, labels, keys):
    """Breaks Q-159: uses nodes that the pods do not select; ADM-397 must catch it."""
    return True


@wrong((flavor_fit, "_matches_node_affinity"))
def wants_every_label_of_a_node_selector(wants, pod_spec, labels, keys):
    """Breaks Q-159: asks a flavor for labels that it says nothing about; ADM-397 must catch it."""
    selector = pod_spec.get("nodeSelector") or {}
    return all(labels.get(key) == value for key, value in selector.items()) and wants(pod_spec, labels, keys)


@wrong((reservation, "_pod_set_assignment"))
def tells_of_one_pod(right, pod_set):
    """Breaks AC-110: says that one pod was counted; ADM-391 must catch it."""
    return {**right(pod_set), "count": 1}


@wrong((reservation, "_pod_set_assignment"))
def tells_no_amounts(right, pod_set):
    """Breaks AC-110: does not say how much was reserved; ADM-391 must catch it."""
    return {name: value for name, value in right(pod_set).items() if name != "resourceUsage"}


@wrong((reservation, "_pod_set_assignment"))
def tells_of_one_resource(right, pod_set):
    """Breaks AC-110: names the flavor of one resource only; ADM-391 must catch it."""
    assignment = right(pod_set)
    return {**assignment, "flavors": dict(list(assignment.get("flavors", {}).items())[:1])}


def _one_pod(requests):
    return replace(
        requests,
        count=1,
        requests={name: value // requests.count for name, value in requests.requests.items()},
    )


@wrong((reservation, "_pod_set_assignment"))
def tells_amounts_of_one_pod(right, pod_set):
    """Breaks AC-110: tells what one pod of the set asks for; ADM-391 must catch it."""
    return {
        **right(pod_set),
        "resourceUsage": right(replace(pod_set, requests=_one_pod(pod_set.requests)))["resourceUsage"],
    }


@wrong((flavor_fit, "_simulate"))
def takes_any_victim_for_enough(right, context, workload, fr, _, height):
    """Breaks Q-168: waits in a flavor where some may go, though all of them would not be enough;
    QUE-045[preempts-where-enough-may-go] must catch it.
    """
    return right(context, workload, fr, 0, height)
