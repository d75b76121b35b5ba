"""Wrong about flavors, requests, quota and order (Q-005…Q-226; AC-283, AC-441)."""

from dataclasses import replace

from reference_impl.queueing import notes, pending, queues
from reference_impl.queueing.board import Board
from reference_impl.queueing.cluster_queue import ClusterQueue
from reference_impl.queueing.pending import Pending
from reference_impl.queueing.strategies import Reason
from reference_impl.quota import cluster_queue, requests, tree
from reference_impl.quota.catalogue import Catalogue
from reference_impl.quota.ledger import Ledger
from reference_impl.quota.resources import Quota, ResourceGroups
from reference_impl.scheduling import cycle, eligibility, grades, reducing, reservation, search
from reference_impl.scheduling.assignment import Assignment
from reference_impl.scheduling.grades import NO_FIT, Mode
from reference_impl.scheduling.search import Search

from ..killing.planes import instead, wrong

# What pods ask for


@wrong((requests, "total_requests"))
def counts_one_pod_of_each_set(total, workload):
    """Breaks Q-083: takes a pod set of several pods for one pod; ADM-392 must catch it."""
    sets = [{**each, "count": 1} for each in workload["spec"]["podSets"]]
    return tuple(
        replace(each, count=one.count)
        for each, one in zip(
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
    """Breaks Q-081: takes a sidecar for a container that ends; ADM-392 must catch it."""
    plain = [
        {name: value for name, value in each.items() if name != "restartPolicy"}
        for each in spec.get("initContainers") or []
    ]
    return pod_requests({**spec, "initContainers": plain})


@wrong((requests, "pod_requests"))
def forgets_the_overhead(pod_requests, spec):
    """Breaks Q-081: leaves the overhead of a pod out; ADM-392 must catch it."""
    return pod_requests({**spec, "overhead": None})


@wrong((requests, "_of"))
def needs_no_request_for_a_limit(_, holder):
    """Breaks Q-090: does not let a limit stand in for a missing request; ADM-392 must catch it."""
    return requests._amounts((holder.get("resources") or {}).get("requests"))


@wrong((requests, "_of"))
def counts_limits_for_requests(_, holder):
    """Breaks Q-090: counts limits where requests are given; ADM-392 must catch it."""
    resources = holder.get("resources") or {}
    return requests._amounts(resources.get("requests")) | requests._amounts(resources.get("limits"))


@wrong((requests, "_most"))
def takes_the_last_for_the_most(_, parts):
    """Breaks Q-081: lets what comes later replace what is more; ADM-392 must catch it."""
    most = {}
    for part in parts:
        most |= part
    return most


@wrong((requests, "admitted_usage"))
def keeps_what_was_given_back(usage, workload):
    """Breaks Q-085: counts pods that are not needed any more; ADM-406 should catch it."""
    status = {name: value for name, value in workload["status"].items() if name != "reclaimablePods"}
    return usage({**workload, "status": status})


@wrong((requests, "admitted_usage"))
def frees_one_pod_too_many(usage, workload):
    """Breaks Q-085: frees one pod more than was given back; ADM-406 should catch it."""
    pods = (workload["status"] or {}).get("reclaimablePods") or ()
    more = [{**each, "count": each["count"] + 1} for each in pods]
    return usage({**workload, "status": {**workload["status"], "reclaimablePods": more}})


@wrong((requests, "admitted_usage"))
def frees_all_when_some_is_given_back(usage, workload):
    """Breaks Q-085: frees the whole pod set when one pod is given back; ADM-406 should catch it."""
    pods = (workload["status"] or {}).get("reclaimablePods") or ()
    more = [{**each, "count": 1000} for each in pods]
    return usage({**workload, "status": {**workload["status"], "reclaimablePods": more}})


# Quota


@wrong((tree, "fits_now"))
def asks_for_room_to_spare(fits, node, fr):
    """Breaks Q-125: does not give the last thousandth of quota away; ADM-028 must catch it."""
    return fits(node, fr) - 1


@wrong((tree, "fits_now"))
def gives_one_thousandth_too_much(fits, node, fr):
    """Breaks Q-125: gives a thousandth more than there is; ADM-028 must catch it."""
    return fits(node, fr) + 1000


@wrong((tree, "potential"))
def knows_no_maximum(_, node, fr):
    """Breaks Q-126: takes what never fits for something that could; ADM-439 may catch it."""
    return 2**62


@wrong((tree, "guaranteed"))
def lends_without_limit(_, node, fr):
    """Breaks Q-121: takes no notice of lendingLimit; ADM-398 must catch it."""
    return 0


@wrong((tree, "guaranteed"))
def lends_nothing_with_a_limit(_, node, fr):
    """Breaks Q-121: keeps everything when there is a lendingLimit; ADM-398 must catch it."""
    return 0 if node.quota(fr).lending_limit is None else node.total(fr)


@wrong((tree, "guaranteed"))
def takes_the_lending_limit_for_what_is_kept(_, node, fr):
    """Breaks Q-121: keeps what may be lent, and lends the rest; ADM-398 must catch it."""
    return node.quota(fr).lending_limit or 0


@wrong((ResourceGroups, "of"))
def knows_no_borrowing_limit(of, cls_or_raw, *rest):
    """Breaks Q-124: takes no notice of borrowingLimit; ADM-398 must catch it."""
    groups = of(cls_or_raw, *rest)
    return replace(
        groups, quotas={fr: replace(one, borrowing_limit=None) for fr, one in groups.quotas.items()}
    )


@wrong((ResourceGroups, "of"))
def takes_the_borrowing_limit_for_the_whole(of, cls_or_raw, *rest):
    """Breaks Q-126: takes borrowingLimit for the most that a queue may have; ADM-398 must catch it."""
    groups = of(cls_or_raw, *rest)

    def less(quota: Quota) -> Quota:
        limit = quota.borrowing_limit
        return quota if limit is None else replace(quota, borrowing_limit=max(0, limit - quota.nominal))

    return replace(groups, quotas={fr: less(one) for fr, one in groups.quotas.items()})


@wrong((tree, "add"))
def books_nothing_at_the_cohort(_, node, fr, value):
    """Breaks Q-127: does not tell the cohort what its queues use; ADM-399 must catch it."""
    node.usage[fr] = node.used(fr) + value


@wrong((tree, "remove"))
def gives_nothing_back_to_the_cohort(_, node, fr, value):
    """Breaks Q-127: gives quota back to the queue and not to its cohort; ADM-399 must catch it."""
    node.usage[fr] = node.used(fr) - value


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def knows_no_cohort(of, cls_or_obj, *rest):
    """Breaks AC-034: lets no queue borrow; ADM-398 must catch it."""
    return replace(of(cls_or_obj, *rest), cohort="")


@wrong((cycle.Cycle, "_judge"))
def gives_the_same_quota_twice(_, self, entry):
    """Breaks Q-203: does not look again at what those before it took in the same cycle; ADM-400 must catch it."""
    if entry.assignment.mode is Mode.NO_FIT:
        return cycle.Requeue(entry.head, Reason.NO_FIT, entry.assignment.message)
    return cycle.Reserve(entry.head, entry.assignment)


@wrong((cycle.Entry, "order"))
def lets_the_least_important_borrow_first(order, entry):
    """Breaks Q-220: begins with the lowest priority of several queues; ADM-400 must catch it."""
    level, priority, since, uid = order(entry)
    return (level, -priority, since, uid)


@wrong((cycle.Entry, "order"))
def lets_borrowers_go_first(order, entry):
    """Breaks Q-220: lets a queue that borrows go before one that uses its own quota; ADM-407 must catch it."""
    level, *rest = order(entry)
    return (-level, *rest)


@wrong((Ledger, "remove"))
def never_gives_quota_back(_, self, key):
    """Breaks Q-141: never counts anything out; ADM-033 must catch it."""
    return False


@wrong((Ledger, "put"))
def never_counts_what_is_held(_, self, workload):
    """Breaks Q-141: counts nothing as held; ADM-028 must catch it."""
    return False


# Flavors


@wrong((search.Search, "_search"))
def tries_the_last_flavor_first(right, self, covering, group, wanted):
    """Breaks Q-155: begins with the last flavor; ADM-397 must catch it."""
    return right(self, replace(covering, flavors=covering.flavors[::-1]), group, wanted)


@wrong((search.Search, "_search"))
def tries_the_first_flavor_alone(right, self, covering, group, wanted):
    """Breaks Q-155: does not look beyond the first flavor; ADM-243 must catch it."""
    return right(self, replace(covering, flavors=covering.flavors[:1]), group, wanted)


@wrong((grades, "goes_on"))
def stops_at_what_does_not_fit(_, grade, policy):
    """Breaks Q-172: stops at the first flavor whether it fits or not; ADM-243 must catch it."""
    return False


@wrong((grades, "goes_on"))
def always_looks_at_all_flavors(_, grade, policy):
    """Breaks Q-172: does not stop where the policy says so; ADM-408 should catch it."""
    return True


@wrong((grades, "goes_on"))
def never_looks_for_a_flavor_without_borrowing(right, grade, policy):
    """Breaks Q-172: borrows although it is told to try the next flavor first; ADM-408 should catch it."""
    return right(grade, replace(policy, try_next_to_borrow=False))


@wrong((grades, "least"))
def judges_a_flavor_by_its_best_resource(_, found, policy):
    """Breaks Q-154: takes a flavor that has enough of one resource only; ADM-394 must catch it."""
    return max(found, default=NO_FIT)


@wrong((grades, "least"))
def judges_a_flavor_by_its_last_resource(_, found, policy):
    """Breaks Q-154: takes the grade of the last resource for that of the flavor; ADM-394 must catch it."""
    return found[-1]


@wrong((grades, "least"))
def judges_a_flavor_by_its_first_resource(_, found, policy):
    """Breaks Q-154: takes the grade of the first resource for that of the flavor; ADM-394 must catch it."""
    return found[0]


@wrong((Search, "_assume"))
def forgets_earlier_pod_sets(_, self, choices, wanted):
    """Breaks Q-153: does not count what earlier pod sets of the Workload get; ADM-409 must catch it."""


@wrong((search, "assign"))
def assigns_the_first_pod_set_alone(assign, workload, asked, place):
    """Breaks Q-155: looks at the first pod set and lets the others come along; ADM-393 must catch it."""
    found = assign(workload, asked, place)
    if found.pod_sets and not found.pod_sets[0].failed:
        return Assignment(tuple(replace(each, failed=False) for each in found.pod_sets))
    return found


@wrong((Assignment, "mode"))
def takes_the_best_pod_set_for_all(_, self):
    """Breaks Q-171: takes the best mode of the pod sets for that of the Workload; ADM-393 must catch it."""
    if self.error:
        return Mode.NO_FIT
    return max((each.mode for each in self.pod_sets), default=Mode.FIT)


@wrong((ResourceGroups, "covering"))
def covers_everything(covering, self, resource):
    """Breaks Q-151: gives what no group covers away without quota; ADM-396 must catch it."""
    return covering(self, resource) or (self.groups[0] if self.groups else None)


@wrong((Search, "serve"))
def lets_uncovered_resources_pass(serve, self, group):
    """Breaks Q-151: does not mind resources that no group covers; ADM-396 must catch it."""
    known = self.place.spec.groups

    def covered(each):
        return {name: value for name, value in each.requests.items() if known.covering(name) is not None}

    return serve(self, [replace(each, requests=covered(each)) for each in group])


@wrong((eligibility, "_untolerated"))
def minds_no_taints(_, taints, tolerations):
    """Breaks Q-158: uses nodes that the pods do not tolerate; ADM-397 must catch it."""


@wrong((eligibility, "_untolerated"))
def minds_every_taint(_, taints, tolerations):
    """Breaks Q-158: does not know that a taint can be tolerated; ADM-397 must catch it."""
    return next(iter(taints), None)


@wrong((eligibility, "_tolerates"))
def tolerates_by_the_key_alone(_, toleration, taint):
    """Breaks Q-158: takes a toleration of one value for one of every value; ADM-397 must catch it."""
    return toleration.get("key") == taint["key"]


instead(
    eligibility,
    "_REPELLING",
    frozenset({"NoSchedule", "NoExecute", "PreferNoSchedule"}),
    "Breaks Q-158: takes a wish for a prohibition; ADM-397 must catch it.",
    called="minds_preferred_taints",
)
instead(
    eligibility,
    "_REPELLING",
    frozenset({"NoExecute"}),
    "Breaks Q-158: takes NoSchedule for a wish; ADM-397 must catch it.",
    called="minds_no_taint_against_scheduling",
)


@wrong((eligibility, "objection"))
def knows_no_tolerations_of_flavors(objection, pod_spec, name, flavor):
    """Breaks Q-158: forgets what a flavor tolerates for its pods; ADM-397 must catch it."""
    if flavor is None:
        return objection(pod_spec, name, flavor)
    return objection(pod_spec, name, {**flavor, "spec": {**flavor["spec"], "tolerations": []}})


@wrong((eligibility, "_wants"))
def minds_no_node_selector(_, pod_spec, labels):
    """Breaks Q-159: uses nodes that the pods do not select; ADM-397 must catch it."""
    return True


@wrong((eligibility, "_wants"))
def wants_every_label_of_a_node_selector(wants, pod_spec, labels):
    """Breaks Q-159: asks a flavor for labels that it says nothing about; ADM-397 must catch it."""
    selector = pod_spec.get("nodeSelector") or {}
    return all(labels.get(key) == value for key, value in selector.items()) and wants(pod_spec, labels)


# What is written of it


@wrong((reservation, "_assigned"))
def tells_of_one_pod(right, each):
    """Breaks AC-110: says that one pod was counted; ADM-391 must catch it."""
    return {**right(each), "count": 1}


@wrong((reservation, "_assigned"))
def tells_no_amounts(right, each):
    """Breaks AC-110: does not say how much was reserved; ADM-391 must catch it."""
    return {name: value for name, value in right(each).items() if name != "resourceUsage"}


@wrong((reservation, "_assigned"))
def tells_of_one_resource(right, each):
    """Breaks AC-110: names the flavor of one resource only; ADM-391 must catch it."""
    found = right(each)
    return {**found, "flavors": dict(list(found.get("flavors", {}).items())[:1])}


@wrong((reservation, "_assigned"))
def tells_amounts_of_one_pod(right, each):
    """Breaks AC-110: tells what one pod of the set asks for; ADM-391 must catch it."""
    return {
        **right(each),
        "resourceUsage": right(replace(each, requests=each.requests.scaled_to(1)))["resourceUsage"],
    }


# Order and waking


@wrong((Pending, "of"))
def lets_the_least_important_in_first(of, *args):
    """Breaks Q-021: begins with the lowest priority; ADM-026 must catch it."""
    found = of(*args)
    return replace(found, rank=found.rank._replace(lower_priority=-found.rank.lower_priority))


@wrong((Pending, "of"))
def knows_no_priority(of, *args):
    """Breaks Q-021: takes all Workloads for equally important; ADM-026 must catch it."""
    found = of(*args)
    return replace(found, rank=found.rank._replace(lower_priority=0))


@wrong((pending, "queue_order"))
def lets_the_youngest_in_first(right, workload, sent_back):
    """Breaks Q-006: begins with the youngest; ADM-401 must catch it."""
    return -right(workload, sent_back)


@wrong((pending, "queue_order"))
def knows_no_age(right, workload, sent_back):
    """Breaks Q-006: takes all Workloads for equally old; ADM-401 must catch it."""
    return 0.0


@wrong((pending, "queue_order"))
def keeps_the_place_of_what_was_sent_back(right, workload, sent_back):
    """Breaks Q-007: lets a Workload that a check sent back keep its place; ADM-410 should catch it."""
    return right(workload, frozenset())


@wrong((pending, "queue_order"))
def sends_everything_behind(right, workload, sent_back):
    """Breaks Q-007: sends a Workload behind its equals however it was evicted; ADM-410 should catch it."""
    return right(workload, sent_back | {"ClusterQueueStopped", "LocalQueueStopped"})


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def takes_every_queue_for_strict(of, *args):
    """Breaks Q-044: lets nothing overtake in any queue; ADM-245 should catch it."""
    return replace(of(*args), strategy="StrictFIFO")


@wrong((cluster_queue.ClusterQueueSpec, "of"))
def takes_no_queue_for_strict(of, *args):
    """Breaks Q-044: lets small Workloads overtake in every queue; ADM-245 should catch it."""
    return replace(of(*args), strategy="BestEffortFIFO")


@wrong((ClusterQueue, "wake"))
def never_wakes_what_waits(_, self, admits, now):
    """Breaks Q-050: never tries again what did not fit; ADM-411 must catch it."""
    return 0


@wrong((ClusterQueue, "wake"))
def wakes_one_alone(wake, self, admits, now):
    """Breaks Q-050: tries one of those again that did not fit; ADM-411 must catch it."""
    seen = []

    def first(each):
        seen.append(each)
        return len(seen) == 1 and admits(each)

    return wake(self, first, now)


@wrong((Board, "_leaves"))
def wakes_nothing_at_an_end(right, self, workload, *, was_in, gone):
    """Breaks Q-051: tries nothing again when a Workload ends; ADM-411 must catch it."""
    self.queues.delete(workload.key)
    self.ledger.remove(workload.key)


@wrong((Board, "_leaves"))
def wakes_only_for_what_is_deleted(right, self, workload, *, was_in, gone):
    """Breaks Q-051: tries nothing again when a Workload finishes; ADM-411 must catch it."""
    return right(self, workload, was_in=False, gone=gone)


@wrong((Board, "_holds"))
def wakes_nothing_for_what_is_given_back(_, self, old, new):
    """Breaks Q-051: tries nothing again when pods are given back; ADM-406 should catch it."""
    self.queues.delete(new.key)
    self.ledger.put(new)


@wrong((pending, "reactivates"))
def never_looks_at_what_waits_again(_, old, new, evaluated):
    """Breaks Q-032: does not try a Workload again that was changed; ADM-403 must catch it."""
    return False


@wrong((Board, "_waits"))
def keeps_quota_of_what_was_released(right, self, old, new):
    """Breaks Q-141: goes on to count what was released; ADM-415 must catch it."""
    return right(self, None, new)


@wrong((queues.Queues, "set_local_queue"))
def forgets_what_waited_for_a_local_queue(right, self, key, cluster_queue, waiting):
    """Breaks Q-062: does not take in what came before its LocalQueue; ADM-404 must catch it."""
    return right(self, key, cluster_queue, ())


@wrong((queues.Queues, "set_cluster_queue"))
def forgets_what_waited_for_a_cluster_queue(right, self, name, strategy):
    """Breaks Q-064: does not take in what came before its ClusterQueue; ADM-404 must catch it."""
    if name not in self.cluster_queues:
        self.cluster_queues[name] = ClusterQueue(strategy, self._stirs)
    self.cluster_queues[name].strategy = strategy


@wrong((Catalogue, "is_active"))
def lets_inactive_queues_admit(_, self, name):
    """Breaks AC-425: admits from queues that are not Active; ADM-094 must catch it."""
    return True


@wrong((cycle, "matches"), (notes, "matches"))
def selects_every_namespace(_, selector, labels):
    """Breaks Q-214: takes Workloads of namespaces that a queue does not select; ADM-405 must catch it."""
    return True


@wrong((notes.Notes, "namespace"))
def never_looks_at_namespaces_again(right, self, old, new):
    """Breaks Q-051: does not try what waits again when its namespace is selected; ADM-405 must catch it."""
    return right(self, old, new) if old is None else None


# Fewer pods


@wrong((cycle, "largest"))
def never_reduces(_, pod_sets, attempt):
    """Breaks Q-185: has a Workload wait that may run with fewer pods; ADM-413 must catch it."""


@wrong((cycle, "largest"))
def reduces_to_the_fewest(_, pod_sets, attempt):
    """Breaks Q-186: takes the fewest pods where more would fit; ADM-412 should catch it."""
    return attempt(tuple(each.get("minCount", each["count"]) for each in pod_sets))


@wrong((reducing, "_slack"))
def reduces_by_one_pod_too_many(right, pod_set):
    """Breaks Q-187: takes fewer pods than a Workload would do with; ADM-413 must catch it."""
    return right(pod_set) + 1 if "minCount" in pod_set else 0


@wrong((reducing, "_slack"))
def reduces_by_one_pod_too_few(right, pod_set):
    """Breaks Q-186: does not go down to the fewest pods; ADM-413 must catch it."""
    return max(0, right(pod_set) - 1)
