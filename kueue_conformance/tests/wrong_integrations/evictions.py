"""Wrong about a job whose Workload is evicted (JI-030 to JI-034)."""

from reference_impl.kueue.jobs import decide, stopping
from reference_impl.kueue.jobs.steps import DeleteWorkloads, NoAction, Release, Start, Stop
from reference_impl.kueue.workload import conditions as c

from ..killing.planes import wrong


def keeps(field):
    """Return a restoration that leaves one field of the pod template out."""

    def restore(right, obj, workload):
        restored, present = right(obj, workload), obj["spec"]["template"]
        template = restored["spec"]["template"]
        if field in ("nodeSelector", "tolerations"):
            pod = {**template["spec"], field: present["spec"].get(field)}
            template = {**template, "spec": {name: value for name, value in pod.items() if value is not None}}
        else:
            added = (present.get("metadata") or {}).get(field) or {}
            metadata = template.get("metadata") or {}
            template = {**template, "metadata": {**metadata, field: {**added, **(metadata.get(field) or {})}}}
        return {**restored, "spec": {**restored["spec"], "template": template}}

    return restore


@wrong((stopping, "_restore"))
def keeps_annotations(right, obj, workload):
    """Breaks JI-031: leaves the annotations that a check added; JIN-030 must catch it."""
    return keeps("annotations")(right, obj, workload)


@wrong((stopping, "_restore"))
def keeps_node_selectors(right, obj, workload):
    """Breaks JI-033: leaves the node labels of the old flavor; JIN-034 must catch it."""
    return keeps("nodeSelector")(right, obj, workload)


@wrong((stopping, "_restore"))
def keeps_tolerations(right, obj, workload):
    """Breaks JI-033: leaves the tolerations of the old flavor; JIN-034 must catch it."""
    return keeps("tolerations")(right, obj, workload)


@wrong((stopping, "_restore"))
def keeps_labels(right, obj, workload):
    """Breaks JI-031: leaves the labels that a check added; JIN-035 must catch it."""
    return keeps("labels")(right, obj, workload)


def releases_at_once(snapshot):
    """Return the release of an evicted Workload whose job is suspended, None for another one."""
    workload, suspended = snapshot.workload, snapshot.job.spec["suspend"]
    evicted = workload is not None and workload.is_evicted and workload.has_quota_reservation
    return Release(workload) if evicted and suspended else None


@wrong((decide, "evict"))
def frees_quota_while_pods_end(evict, snapshot):
    """Breaks JI-032: gives quota back as soon as the job is suspended; JIN-031 must catch it."""
    return releases_at_once(snapshot) or evict(snapshot)


@wrong((decide, "evict"))
def frees_what_is_preempted_at_once(evict, snapshot):
    """Breaks JI-032: gives the quota of a preempted Workload back while pods end; JIN-032 must catch it."""
    evicted = snapshot.workload.condition(c.EVICTED) if snapshot.workload else None
    preempted = evicted is not None and evicted["reason"] == "Preempted"
    return (releases_at_once(snapshot) if preempted else None) or evict(snapshot)


@wrong((decide, "evict"))
def keeps_what_never_ran(evict, snapshot):
    """Breaks JI-034: gives quota back only of a job that had pods; JIN-033 must catch it."""
    step = evict(snapshot)
    return NoAction() if isinstance(step, Release) and "active" not in snapshot.job.status else step


_STOPPED = set()


@wrong((decide, "evict"))
def ignores_what_is_suspended_already(evict, snapshot):
    """Breaks JI-034: gives quota back only of a job that it has stopped itself; JIN-037 must catch it."""
    step, uid = evict(snapshot), snapshot.job.metadata["uid"]
    if isinstance(step, Stop) and not snapshot.job.spec["suspend"]:
        _STOPPED.add(uid)
    return NoAction() if isinstance(step, Release) and uid not in _STOPPED else step


@wrong((decide, "evict"))
def restores_what_it_stops_alone(evict, snapshot):
    """Breaks JI-031: restores no pods of a job that its user has suspended; JIN-132 must catch it."""
    step, uid = evict(snapshot), snapshot.job.metadata["uid"]
    if isinstance(step, Stop) and not snapshot.job.is_suspended:
        _STOPPED.add(uid)
    if not isinstance(step, Stop) or uid in _STOPPED:
        return step
    return NoAction() if snapshot.job.is_active else Release(snapshot.workload)


@wrong((decide, "start"), (decide, "stop_unadmitted"))
def starts_again_with_quota_alone(right, snapshot):
    """Breaks JI-010: starts a job that was evicted once with quota alone; JIN-036 must catch it."""
    workload = snapshot.workload
    was_evicted = workload is not None and workload.condition(c.EVICTED) is not None
    if not was_evicted or workload.is_finished or not workload.has_quota_reservation:
        return right(snapshot)
    if right.__name__ == "stop_unadmitted" or not snapshot.job.is_suspended:
        return None
    return Start(workload)


_GENERATIONS = {}


@wrong((stopping, "_restore"))
def restores_at_the_first_eviction(right, obj, workload):
    """Breaks JI-038: restores the pods of a job at its first eviction alone; JIN-038 must catch it."""
    restored = right(obj, workload)
    if workload is None:
        return restored
    first = _GENERATIONS.setdefault(workload.uid, workload.generation)
    return restored if first == workload.generation else {**restored, "spec": obj["spec"]}


@wrong((decide, "evict"))
def deletes_evicted_workloads(evict, snapshot):
    """Breaks JI-039: deletes an evicted Workload, and makes a new one; JIN-039 must catch it."""
    workload = snapshot.workload
    released = workload is not None and workload.is_evicted and not workload.has_quota_reservation
    return DeleteWorkloads((workload,)) if released and not snapshot.job.is_active else evict(snapshot)
