"""Letting a Job run: what flavors and checks bring is merged into its pod template (AC-333, AC-360…363)."""

from __future__ import annotations

from collections.abc import Mapping

from reference_impl.api.resource import Json
from reference_impl.kueue.workload import pod_set_info
from reference_impl.kueue.workload.pod_set_info import Names, PodSetConflict, PodSetInfo
from reference_impl.kueue.workload.view import Workload

from .job import Job
from .stopping import counts


def start(job: Job, workload: Workload, flavors: Mapping[str, Json]) -> Json:
    """Return the Job as it runs; raises PodSetConflict for good, KeyError while a flavor is missing."""
    infos = pod_set_infos(workload, flavors)
    # A Workload that a user made for a Job may have any number of podSets.
    if len(infos) != 1:
        raise PodSetConflict(f"invalid podset infos: expecting 1 podset, got {len(infos)}")
    [info] = infos
    template = pod_set_info.inject(job.template, info)
    spec = {**job.spec, "suspend": False, "template": template, **counts(job, info.count)}
    return {**job.object, "spec": spec}


def pod_set_infos(workload: Workload, flavors: Mapping[str, Json]) -> list[PodSetInfo]:
    """Return what each podSet is given, in the order of the spec."""
    names = Names(workload.name, workload.queue_name, workload.admitted_to)
    entries = workload.checks.entries
    # Without a count an assignment is for all pods of its podSet.
    assigned: list[Json] = [
        {"count": pod_set["count"], **assignment}
        for assignment, pod_set in zip(workload.pod_set_assignments, workload.spec["podSets"], strict=False)
    ]
    return [
        pod_set_info.with_checks(
            pod_set_info.of_assignment(assignment, names, flavors), assignment["name"], entries
        )
        for assignment in assigned
    ]
