"""Wrong about Jobs that are changed while their Workloads wait for quota (AC-100, AC-331, Q-083)."""

from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.quota import requests
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong

LIMIT = "maximumExecutionTimeSeconds"


def with_pod_set(workload, **fields):
    """Return a Workload object whose only pod set has these fields; None takes one away."""
    (pod_set,) = workload["spec"]["podSets"]
    changed = {name: value for name, value in {**pod_set, **fields}.items() if value is not None}
    return {**workload, "spec": {**workload["spec"], "podSets": [changed]}}


@wrong((workload_construction, "_describe"))
def overlooks_init_containers(describe, pod_set, describe_pods, *, tolerations):
    """Breaks AC-331: does not hear that init containers of a waiting Job ask for something else;
    ADM-730[init-request-raised] must catch it.
    """
    return {**describe(pod_set, describe_pods, tolerations=tolerations), "initContainers": None}


@wrong((workload_construction, "_describe"))
def overlooks_tolerations(describe, pod_set, describe_pods, *, tolerations):
    """Breaks AC-331: does not hear that a waiting Job tolerates something else;
    ADM-730[toleration-set] must catch it.
    """
    return describe(pod_set, describe_pods, tolerations=False)


@wrong((workload_construction, "_describe"))
def overlooks_parallelism(describe, pod_set, describe_pods, *, tolerations):
    """Breaks AC-331: does not hear that a waiting Job has another number of pods;
    ADM-730[parallelism-raised] must catch it.
    """
    return {**describe(pod_set, describe_pods, tolerations=tolerations), "count": None}


@wrong((workload_construction, "matches"))
def overlooks_time_limits(matches, job, workload, describe_pods):
    """Breaks AC-100: does not hear that a waiting Job has another time limit;
    ADM-730[time-limit-changed] must catch it.
    """
    spec = {**workload.spec, LIMIT: job.max_execution_seconds}
    return matches(job, Workload({**workload.object, "spec": spec}), describe_pods)


@wrong((workload_construction, "brought_up_to_date"))
def takes_over_the_containers_alone(bring_up_to_date, workload, job, priority):
    """Breaks AC-331: takes over the containers of a changed Job, and nothing else of its pods;
    ADM-730[node-selector-beside-tolerations] must catch it.
    """
    new = bring_up_to_date(workload, job, priority)
    template = workload.spec["podSets"][0]["template"]
    containers = {
        name: job.template["spec"][name]
        for name in ("containers", "initContainers")
        if name in job.template["spec"]
    }
    return with_pod_set(new, template={**template, "spec": {**template["spec"], **containers}})


@wrong((workload_construction, "brought_up_to_date"))
def takes_no_minimum_away(bring_up_to_date, workload, job, priority):
    """Breaks Q-187: a Workload that once had a minimum keeps it; ADM-731[taken] must catch it."""
    new, before = bring_up_to_date(workload, job, priority), workload.spec["podSets"][0].get("minCount")
    return new if job.min_count is not None else with_pod_set(new, minCount=before)


@wrong((workload_construction, "brought_up_to_date"))
def lowers_a_minimum_and_never_raises_it(bring_up_to_date, workload, job, priority):
    """Breaks Q-187: keeps the least minimum that a waiting Job has had; ADM-731[raised] must catch it."""
    new, before = bring_up_to_date(workload, job, priority), workload.spec["podSets"][0].get("minCount")
    if job.min_count is None or before is None:
        return new
    return with_pod_set(new, minCount=min(before, job.min_count))


@wrong((workload_construction, "brought_up_to_date"))
def takes_no_time_limit_away(bring_up_to_date, workload, job, priority):
    """Breaks AC-100: a Workload that once had a time limit keeps it; ADM-732[taken] must catch it."""
    new = bring_up_to_date(workload, job, priority)
    before = {LIMIT: workload.spec[LIMIT]} if LIMIT in workload.spec else {}
    return {**new, "spec": {**before, **new["spec"]}}


@wrong((workload_construction, "brought_up_to_date"))
def takes_the_shorter_time_limit(bring_up_to_date, workload, job, priority):
    """Breaks AC-100: a waiting Workload keeps the shortest limit that its Job has had;
    ADM-732[raised] must catch it.
    """
    new = bring_up_to_date(workload, job, priority)
    limits = [spec[LIMIT] for spec in (workload.spec, new["spec"]) if LIMIT in spec]
    return {**new, "spec": {**new["spec"], **({LIMIT: min(limits)} if limits else {})}}


@wrong((decide, "follow_priority"))
def follows_the_first_priority_class(follow_priority, snapshot):
    """Breaks AC-098: does not hear that a waiting Job names another class than the one it named first;
    ADM-733[raised] must catch it.
    """
    workload = snapshot.workload
    return None if workload is not None and workload.priority_class else follow_priority(snapshot)


@wrong((decide, "follow_priority"))
def raises_priorities_alone(follow_priority, snapshot):
    """Breaks AC-098: does not follow a waiting Job to a lower class; ADM-733[lowered] must catch it."""
    step = follow_priority(snapshot)
    if not isinstance(step, decide.ReplaceWorkload) or snapshot.workload is None:
        return step
    return step if step.object["spec"]["priority"] > snapshot.workload.priority else None


_REQUESTS = {}


@wrong((requests, "total_requests"))
def remembers_what_a_workload_asked_for(total_requests, workload):
    """Breaks Q-083: counts what a Workload asked for at first, whatever it asks for now;
    ADM-730[request-lowered] must catch it.
    """
    return _REQUESTS.setdefault(workload["metadata"]["uid"], total_requests(workload))
