"""Wrong about what pods ask for, and with how few a Workload would do (Q-081…Q-090, Q-185…Q-187)."""

from dataclasses import replace

from reference_impl.kueue.queueing import event_handlers
from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.quota import adjusting, fitness, legacy_v0_6, requests
from reference_impl.kueue.quota.catalogue import Catalogue
from reference_impl.kueue.scheduling import cycle, reducing
from reference_impl.pods import requests as of_pods

from ...killing.planes import wrong


@wrong((requests, "total_requests"))
def counts_one_pod_of_each_set(total, workload):
    """Breaks Q-083: takes a pod set of several pods for one pod; ADM-392 must catch it."""
    sets = [{**pod_set_requests, "count": 1} for pod_set_requests in workload["spec"]["podSets"]]
    return tuple(
        replace(pod_set_requests, count=requests_of_all_pods.count)
        for pod_set_requests, requests_of_all_pods in zip(
            total({**workload, "spec": {**workload["spec"], "podSets": sets}}), total(workload), strict=True
        )
    )


@wrong((requests, "pod_requests"))
def counts_the_first_container(pod_requests, spec):
    """Breaks Q-081: looks at the first container of a pod alone; ADM-392 must catch it."""
    return pod_requests({**spec, "containers": spec["containers"][:1]})


@wrong((requests, "pod_requests"))
def counts_no_init_containers(pod_requests, spec):
    """Breaks Q-081: forgets that an init container may ask for more; ADM-392 must catch it."""
    return pod_requests({**spec, "initContainers": []})


@wrong((requests, "pod_requests"))
def adds_init_containers(pod_requests, spec):
    """Breaks Q-081: counts init containers as if they ran beside the others; ADM-392 must catch it."""
    return pod_requests(
        {
            **spec,
            "containers": [*spec["containers"], *(spec.get("initContainers") or [])],
            "initContainers": [],
        }
    )


@wrong((requests, "pod_requests"))
def takes_sidecars_for_init_containers(pod_requests, spec):
    """Breaks Q-081: takes a sidecar for a container that ends; ADM-392[sidecar-3-needs] must catch it."""
    plain = [
        {name: value for name, value in container.items() if name != "restartPolicy"}
        for container in spec.get("initContainers") or []
    ]
    return pod_requests({**spec, "initContainers": plain})


@wrong((requests, "pod_requests"))
def forgets_the_overhead(pod_requests, spec):
    """Breaks Q-081: leaves the overhead of a pod out; ADM-392[overhead-3-needs] must catch it."""
    return pod_requests({**spec, "overhead": None})


@wrong((of_pods, "_of"))
def needs_no_request_for_a_limit(_, holder):
    """Breaks Q-090: does not let a limit stand in for a missing request;
    ADM-392[limit-without-request-3-needs] must catch it.
    """
    return of_pods._amounts((holder.get("resources") or {}).get("requests"))


@wrong((of_pods, "_of"))
def counts_limits_for_requests(_, holder):
    """Breaks Q-090: counts limits where requests are given;
    ADM-392[request-below-limit-3-needs] must catch it.
    """
    resources = holder.get("resources") or {}
    return of_pods._amounts(resources.get("requests")) | of_pods._amounts(resources.get("limits"))


@wrong((of_pods, "_most"))
def takes_the_last_for_the_most(_, amounts_list):
    """Breaks Q-081: lets a later request replace a greater one;
    ADM-392[init-container-is-smaller-3-needs] must catch it.
    """
    most = {}
    for amounts in amounts_list:
        most |= amounts
    return most


@wrong((requests, "admitted_usage"))
def keeps_what_was_given_back(usage, workload):
    """Breaks Q-085: counts pods that are not needed any more; ADM-406 must catch it."""
    status = {name: value for name, value in workload["status"].items() if name != "reclaimablePods"}
    return usage({**workload, "status": status})


@wrong((requests, "admitted_usage"))
def frees_one_pod_too_many(usage, workload):
    """Breaks Q-085: frees one pod more than was given back; ADM-406 must catch it."""
    pods = (workload["status"] or {}).get("reclaimablePods") or ()
    reclaimable_pods = [{**entry, "count": entry["count"] + 1} for entry in pods]
    return usage({**workload, "status": {**workload["status"], "reclaimablePods": reclaimable_pods}})


@wrong((requests, "admitted_usage"))
def frees_all_when_some_is_given_back(usage, workload):
    """Breaks Q-085: frees the whole pod set when one pod is given back; ADM-406 must catch it."""
    pods = (workload["status"] or {}).get("reclaimablePods") or ()
    reclaimable_pods = [{**entry, "count": 1000} for entry in pods]
    return usage({**workload, "status": {**workload["status"], "reclaimablePods": reclaimable_pods}})


@wrong((cycle, "find_largest_counts"))
def never_reduces(_, pod_sets, attempt):
    """Breaks Q-185: has a Workload wait that may run with fewer pods; ADM-413 must catch it."""


@wrong((cycle, "find_largest_counts"))
def reduces_to_the_fewest(_, pod_sets, attempt):
    """Breaks Q-186: takes the fewest pods where more would fit; ADM-412 must catch it."""
    return attempt(tuple(pod_set.get("minCount", pod_set["count"]) for pod_set in pod_sets))


@wrong((cycle, "find_largest_counts"))
def takes_the_first_number_that_fits(right, pod_sets, attempt):
    """Breaks Q-186: takes the first number of pods that it tries and that fits;
    ADM-412[most-of-many-8-count-6-6-expected-8-completions] must catch it.
    """
    half = tuple((pod_set["count"] + pod_set.get("minCount", pod_set["count"])) // 2 for pod_set in pod_sets)
    return attempt(half) or right(pod_sets, attempt)


@wrong((reducing, "_slack"))
def reduces_by_one_pod_too_many(right, pod_set):
    """Breaks Q-187: takes fewer pods than a Workload would do with; ADM-413 must catch it."""
    return right(pod_set) + 1 if "minCount" in pod_set else 0


@wrong((reducing, "_slack"))
def reduces_by_one_pod_too_few(right, pod_set):
    """Breaks Q-186: does not go down to the fewest pods; ADM-413 must catch it."""
    return max(0, right(pod_set) - 1)


@wrong((legacy_v0_6, "validate_requests"), dialect="v0.6")
def says_what_later_releases_say(_, pod_sets, limit_ranges):
    """Breaks Q-510: says of requests out of bounds what v0.19 says; QUE-192 may catch it."""
    return fitness.validate_requests(pod_sets, limit_ranges)


@wrong((Catalogue, "set_limit_range"))
def remembers_limit_ranges_for_ever(right, self, namespace, name, obj):
    """Breaks Q-093: goes by a LimitRange that is deleted; QUE-250 must catch it."""
    if obj is not None:
        right(self, namespace, name, obj)


@wrong((adjusting, "_with_defaults"))
def fills_in_no_sidecars(right, pod, limits, fill):
    """Breaks Q-090: gives the defaults of the namespace
    to the main containers alone; QUE-290 must catch it.
    """
    filled = right(pod, limits, fill)
    return {**filled, "initContainers": pod["initContainers"]} if pod.get("initContainers") else filled


@wrong((adjusting.LimitRangeSummary, "of"))
def takes_bounds_of_containers_for_those_of_pods(of, cls, limit_ranges, kind):
    """Breaks Q-093: holds whole pods to the bounds of a container; QUE-290 must catch it."""
    return of(cls, limit_ranges, adjusting.CONTAINER)


@wrong((adjusting.LimitRangeSummary, "of"))
def goes_by_the_newest_limit_range(of, cls, limit_ranges, kind):
    """Breaks Q-091: goes by one of several LimitRanges; QUE-291 must catch it."""
    return of(cls, [*limit_ranges][-1:], kind)


@wrong((fitness, "above_limits"))
def lets_pods_ask_for_more_than_their_limit(right, pod_sets):
    """Breaks Q-093: compares the requests of containers alone with their limits; QUE-295 must catch it."""
    return [violation for violation in right(pod_sets) if violation.path != fitness.POD_LEVEL]


@wrong((requests, "admitted_usage"))
def takes_what_was_given_back_off_the_reservation(usage, workload):
    """Breaks Q-085: subtracts pods that were given back from
    those that quota is reserved for; QUE-292 must catch it.
    """
    assigned = workload["status"]["admission"]["podSetAssignments"]
    counts = {pod_set["name"]: pod_set["count"] for pod_set in assigned if "count" in pod_set}
    fewer = [
        {**pod_set, "count": counts.get(pod_set["name"], pod_set["count"])}
        for pod_set in workload["spec"]["podSets"]
    ]
    return usage({**workload, "spec": {**workload["spec"], "podSets": fewer}})


@wrong((requests, "pod_set_requests"))
def asks_for_one_pod_at_least(right, pod_set, count):
    """Breaks Q-088: asks for one pod when all of them are given back; QUE-298 must catch it."""
    return right(pod_set, max(1, count))


@wrong((QueueManager, "pending"))
def counts_nothing_of_the_cluster_after_a_back_off(pending, self, workload):
    """Breaks Q-092: brings a Workload back after its delay with the bare requests of its spec;
    QUE-600 must catch it.
    """
    requeued = workload.condition("Requeued") or {}
    is_back = requeued.get("reason") == "BackoffFinished"
    return PendingWorkload.of(workload, self._sent_back) if is_back else pending(self, workload)


@wrong((QueueManager, "pending"))
def counts_what_the_cluster_adds_once(pending, self, workload):
    """Breaks Q-092: adds overhead and defaults to a Workload that is new, and not to one that was evicted;
    QUE-600 must catch it.
    """
    return PendingWorkload.of(workload, self._sent_back) if workload.is_evicted else pending(self, workload)


@wrong((adjusting, "fill_from_limit_range"))
def counts_nothing_for_a_limit_beside_a_default(fill, container, limits):
    """Breaks BUG-160: takes a container with a limit and without a request for one that requests nothing;
    QUE-341 may catch it.
    """
    resources = container.get("resources") or {}
    if not resources.get("limits") or resources.get("requests"):
        return fill(container, limits)
    return {**container, "resources": {**resources, "requests": dict.fromkeys(resources["limits"], "0")}}


@wrong((requests, "pod_requests"))
def adds_up_pods_and_containers(pod_requests, spec):
    """Breaks BUG-163: counts what the pod requests as a whole beside what its containers request;
    QUE-343 may catch it.
    """
    total = pod_requests(spec)
    if not spec.get("resources"):
        return total
    containers = pod_requests({**spec, "resources": {}})
    return {name: value + containers.get(name, 0) for name, value in total.items()}


@wrong((event_handlers.EventHandlers, "limit_range"))
def never_hears_of_a_changed_limit_range(limit_range, self, old, new):
    """Breaks BUG-161: goes by the bounds that a LimitRange had first; QUE-342 may catch it."""
    if old is None:
        limit_range(self, old, new)
