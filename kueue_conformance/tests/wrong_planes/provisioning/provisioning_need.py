"""Wrong about which ProvisioningRequests are made, and for what (PA-036…PA-067)."""

from dataclasses import replace

from reference_impl.kueue.provisioning import (
    decide,
    fitting,
    managed_pod_sets,
    merging,
    names,
    request_construction,
    templates,
)
from reference_impl.kueue.provisioning.managed_pod_sets import ManagedPodSet

from ...killing.planes import wrong


@wrong((managed_pod_sets, "managed_pod_sets"))
def requests_every_pod_set(right, workload, managed):
    """Breaks PA-040: asks for all pods although their resources are not managed; PRC-030 must catch it."""
    return right(workload, frozenset())


@wrong((managed_pod_sets, "managed_pod_sets"))
def requests_nothing(_, workload, managed):
    """Breaks PA-041: no Workload needs a request; PRC-002 must catch it."""
    return ()


@wrong((managed_pod_sets, "managed_pod_sets"))
def requests_all_pods_that_were_asked_for(right, workload, managed):
    """Breaks PA-062: asks for more pods than were admitted; PRC-033 must catch it."""
    return tuple(
        replace(managed_pod_set, count=managed_pod_set.pod_set["count"])
        for managed_pod_set in right(workload, managed)
    )


@wrong((managed_pod_sets, "managed_pod_sets"))
def requests_the_first_pod_set_alone(right, workload, managed):
    """Breaks PA-062: asks for the pods of one pod set; PRC-041 must catch it."""
    return right(workload, managed)[:1]


@wrong((managed_pod_sets, "uses_managed_resources"))
def sees_no_managed_limits(_, pod_set, managed):
    """Breaks PA-040: a managed resource that is limited and
    not requested does not count; PRC-030 must catch it.
    """
    return managed_pod_sets.requests_managed_resources(pod_set, managed)


@wrong((names, "_request"))
def names_every_attempt_alike(right, workload, check, attempt):
    """Breaks PA-045: the number of the attempt is 1 for ever; PRC-052 must catch it."""
    return right(workload, check, 1)


@wrong((names, "_prefix"), (names, "_request"))
def names_requests_for_their_workload_alone(right, workload, check, *attempt):
    """Breaks PA-045: the requests of two checks have one name; PRC-057 must catch it."""
    return f"{workload}-{attempt[0] if attempt else ''}"


@wrong((names, "template"))
def names_templates_for_their_request_alone(_, request, pod_set):
    """Breaks PA-046: all pod sets of a request have one template; PRC-050 may catch it."""
    return f"ppt-{request}"


@wrong((request_construction, "request"))
def makes_templates_last(right, *args):
    """Breaks PA-057: the request is there before its templates; PRC-060 must catch it."""
    return replace(right(*args), is_request_first=True)


@wrong((templates, "use_limits_as_requests"))
def requests_no_limits(_, template):
    """Breaks PA-066: limits without requests are not requested; PRC-062 must catch it."""
    return template


@wrong((templates, "pod_template"))
def requests_on_any_flavor(right, name, workload, pod_set, flavors, how):
    """Breaks PA-065: the assigned flavor is not in the template; PRC-061 must catch it."""
    return right(name, workload, replace(pod_set, assignment={}), flavors, how)


@wrong((templates, "transfer"))
def leaves_templates_with_the_workload(_, template, request, workload):
    """Breaks PA-067: a template outlives its request; PRC-063 should catch it."""
    return


def _without(field):
    def request_without_field(right, *args):
        done = right(*args)
        return {**done, "metadata": {key: value for key, value in done["metadata"].items() if key != field}}

    return request_without_field


@wrong((request_construction, "_object"))
def labels_no_request(right, *args):
    """Breaks PA-058: a request is not marked as managed; PRC-066 may catch it."""
    return _without("labels")(right, *args)


@wrong((request_construction, "_object"))
def controls_no_request(right, *args):
    """Breaks PA-058: a Workload owns its request and does not control it;
    rule PA-058 in PRC-001 must catch it.
    """
    request = right(*args)
    owners = [
        {**owner_reference, "controller": False} for owner_reference in request["metadata"]["ownerReferences"]
    ]
    return {**request, "metadata": {**request["metadata"], "ownerReferences": owners}}


@wrong((fitting, "parameters"))
def passes_no_annotations_on(_, config, workload):
    """Breaks PA-059: annotations of the Workload are no parameters; PRC-071 must catch it."""
    return config.parameters


@wrong((fitting, "parameters"))
def passes_every_annotation_on(right, config, workload):
    """Breaks PA-060: annotations of every prefix become parameters; PRC-071 must catch it."""
    return {**(workload.metadata.get("annotations") or {}), **right(config, workload)}


@wrong((merging, "merge"))
def merges_whatever_the_policy(right, pod_sets, policy, essences):
    """Breaks PA-063: alike pod sets are merged without a policy; PRC-041 must catch it."""
    return right(pod_sets, policy or "IdenticalPodTemplates", essences)


@wrong((merging, "merge"))
def merges_nothing(right, pod_sets, policy, essences):
    """Breaks PA-063: policies are not heeded; PRC-040 must catch it."""
    return right(pod_sets, "", essences)


@wrong((merging, "merge"))
def compares_whole_templates(right, pod_sets, policy, essences):
    """Breaks PA-063: IdenticalWorkloadSchedulingRequirements compares everything;
    PRC-040[IdenticalWorkloadSchedulingRequirements-a-service-account] must catch it.
    """
    return right(pod_sets, policy and "IdenticalPodTemplates", essences)


@wrong((decide, "decide"))
def asks_before_there_is_quota(right, snapshot, rules):
    """Breaks PA-031: a Workload without quota has a request; rule PA-031 in PRC-105 must catch it."""
    workload = snapshot.workload
    if workload.has_quota_reservation or workload.is_evicted or workload.is_finished or snapshot.requests:
        return right(snapshot, rules)
    pod_sets = tuple(ManagedPodSet(pod_set, pod_set["count"], {}) for pod_set in workload.spec["podSets"])
    return tuple(
        request_construction.request(snapshot, check, pod_sets, 1, rules)
        for check in snapshot.checks
        if check.config
    )


@wrong((decide, "next_attempt"))
def asks_twice(right, snapshot, answer, rules):
    """Breaks PA-036: makes a second request while the first is open; rule PA-036 in PRC-003 must catch it."""
    return 2 if answer.request is not None and answer.attempt == 1 else right(snapshot, answer, rules)
