"""Wrong about a Job that is changed or ends while its Workload waits (AC-330, AC-331)."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide, workload_construction
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((workload_construction, "describe_containers"))
def compares_no_init_containers(_, pod):
    """Breaks AC-331: does not see that the init containers of a waiting Job were changed;
    ADM-730[init-request-raised] must catch it.
    """
    return {"containers": pod.get("containers")}


@wrong((workload_construction, "matches"))
def compares_no_tolerations_beside_a_minimum(matches, job, workload, describe_pods):
    """Breaks AC-331: does not see that a waiting Job tolerates other taints where it may run with fewer pods;
    ADM-730[toleration-set-beside-a-minimum] must catch it.
    """
    if job.min_count is None:
        return matches(job, workload, describe_pods)
    tolerations = [pod_set["template"]["spec"].get("tolerations") for pod_set in job.pod_sets]
    pod_sets = [
        {
            **pod_set,
            "template": {**pod_set["template"], "spec": {**pod_set["template"]["spec"], "tolerations": own}},
        }
        for pod_set, own in zip(workload.spec["podSets"], tolerations, strict=True)
    ]
    same = Workload({**workload.object, "spec": {**workload.spec, "podSets": pod_sets}})
    return matches(job, same, describe_pods)


@wrong((workload_construction, "matches"))
def compares_no_execution_time(matches, job, workload, describe_pods):
    """Breaks AC-331: does not see that a waiting Job may run for another time; ADM-732 must catch it."""
    spec = {name: value for name, value in workload.spec.items() if name != "maximumExecutionTimeSeconds"}
    if job.max_execution_seconds is not None:
        spec["maximumExecutionTimeSeconds"] = job.max_execution_seconds
    return matches(job, Workload({**workload.object, "spec": spec}), describe_pods)


@wrong((workload_construction, "brought_up_to_date"))
def activates_what_it_brings_up_to_date(brought_up_to_date, workload, job, priority):
    """Breaks AC-331: writes the spec of a changed Job anew, without the `active: false` of a user; ADM-766
    must catch it.
    """
    new = brought_up_to_date(workload, job, priority)
    return {**new, "spec": {name: value for name, value in new["spec"].items() if name != "active"}}


@wrong((decide, "job_finished"))
def finishes_only_what_is_admitted(job_finished, snapshot):
    """Breaks AC-330: does not finish the Workload of a Job that ended after its eviction; ADM-760 must
    catch it.
    """
    workload = snapshot.workload
    return None if workload is not None and not workload.is_admitted else job_finished(snapshot)


@wrong((workload_construction, "workload_of"))
def keeps_gates_but_no_parameters(workload_of, job, *args):
    """Breaks PA-059: copies no parameters of provisioning from a Job to its Workload; PRC-071[job] must
    catch it.
    """
    return workload_of(replace(job, object=without_parameters(job.object)), *args)


def without_parameters(job):
    metadata = job["metadata"]
    annotations = {
        name: value
        for name, value in (metadata.get("annotations") or {}).items()
        if not name.startswith(workload_construction.PROVISIONING_PARAMETERS)
    }
    return {**job, "metadata": {**metadata, "annotations": annotations}}
