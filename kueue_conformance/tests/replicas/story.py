"""What must hold of the Workloads of a cluster at every revision, read from its journal."""

GROUP = "/apis/kueue.x-k8s.io/v1beta2"


def is_true(workload, kind):
    conditions = workload.get("status", {}).get("conditions", ())
    return any(condition["type"] == kind and condition["status"] == "True" for condition in conditions)


def broken(entries, quota):
    """Say at which revision more quota was held than there is,
    or a Workload lost what it had without an eviction.
    """
    is_held, result = {}, []
    changes = (change for entry in entries if entry.resource == "workloads" for change in entry.changes)
    for change in sorted(changes, key=lambda change: change.revision):
        result += _lost(change)
        _count(is_held, change)
        if sum(is_held.values()) > quota:
            result.append(f"revision {change.revision}: {sum(is_held.values())} of {quota} are held")
    return result


def _count(pods_with_quota, change):
    name = (change.after or change.before)["metadata"]["name"]
    after = change.after
    if after and is_true(after, "QuotaReserved") and not is_true(after, "Finished"):
        pods_with_quota[name] = sum(
            pod_set_assignment["count"]
            for pod_set_assignment in after["status"]["admission"]["podSetAssignments"]
        )
    else:
        pods_with_quota.pop(name, None)


def _lost(change):
    before, after = change.before, change.after
    if not before or not after or is_true(after, "Finished") or is_true(after, "Evicted"):
        return
    for kind in ("QuotaReserved", "Admitted"):
        if is_true(before, kind) and not is_true(after, kind):
            yield f"revision {change.revision}: {after['metadata']['name']} lost {kind} without an eviction"


def phase(workload):
    """Say what a Workload is."""
    if is_true(workload, "Finished"):
        return "finished"
    return "admitted" if is_true(workload, "Admitted") else "pending"
