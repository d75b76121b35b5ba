"""Wrong about the start of a job: when it runs, and with what (JI-010 to JI-023)."""

from dataclasses import replace

from reference_impl.kueue.jobs import decide, starting
from reference_impl.kueue.jobs.job import TRACKING_LABELS
from reference_impl.kueue.jobs.steps import Start, Stop
from reference_impl.kueue.jobs.stopping import JobWrite
from reference_impl.kueue.workload.view import Workload

from ..killing.planes import wrong


def unsuspend(snapshot):
    """Return the step that lets a job run, and adds nothing to it."""
    job = snapshot.job
    return Stop((JobWrite({**job.object, "spec": {**job.spec, "suspend": False}}),), "")


def runs_already(snapshot):
    """Tell whether nothing is left to start."""
    return snapshot.workload is None or snapshot.workload.is_finished or not snapshot.job.is_suspended


@wrong((decide, "start"), (decide, "stop_unadmitted"))
def starts_without_quota(right, snapshot):
    """Breaks JI-010: starts a job as soon as it has a Workload; JIN-010 must catch it."""
    if right.__name__ == "stop_unadmitted" or runs_already(snapshot):
        return None
    return unsuspend(snapshot)


@wrong((decide, "start"), (decide, "stop_unadmitted"))
def starts_what_is_reserved(right, snapshot):
    """Breaks JI-012: starts a job that only holds quota; JIN-011 must catch it."""
    if right.__name__ == "stop_unadmitted" or runs_already(snapshot):
        return None
    return Start(snapshot.workload) if snapshot.workload.has_quota_reservation else None


@wrong((decide, "stop_without_match"), (decide, "stop_unadmitted"))
def lets_run_what_was_created_so(_, snapshot):
    """Breaks JI-011: suspends no job that is created unsuspended; JIN-012 must catch it."""


@wrong((decide, "start"))
def leaves_what_its_user_suspends(right, snapshot):
    """Breaks JI-014: does not start a job again that has run; JIN-014 must catch it."""
    return None if snapshot.job.status.get("startTime") else right(snapshot)


@wrong((starting, "pod_set_infos"))
def forgets_node_labels(right, workload, flavors):
    """Breaks JI-020: starts pods on any node; JIN-020 must catch it."""
    return [replace(info, node_selector={}) for info in right(workload, flavors)]


@wrong((starting, "pod_set_infos"))
def forgets_tolerations(right, workload, flavors):
    """Breaks JI-021: starts pods without the tolerations of their flavor; JIN-021 must catch it."""
    return [replace(info, tolerations=()) for info in right(workload, flavors)]


def with_entries(workload, change):
    """Return a Workload with other entries of checks."""
    status = workload.object["status"]
    entries = [change(number, entry) for number, entry in enumerate(status.get("admissionChecks", []))]
    return Workload({**workload.object, "status": {**status, "admissionChecks": entries}})


def without(entry, *fields):
    """Return an entry whose podSetUpdates lack some fields."""
    updates = [
        {name: value for name, value in update.items() if name not in fields}
        for update in entry.get("podSetUpdates", [])
    ]
    return {**entry, "podSetUpdates": updates}


@wrong((starting, "pod_set_infos"))
def forgets_labels_of_checks(right, workload, flavors):
    """Breaks JI-022: starts pods without the labels that a check adds; JIN-022[labels] must catch it."""
    return right(with_entries(workload, lambda _, entry: without(entry, "labels")), flavors)


@wrong((starting, "pod_set_infos"))
def forgets_annotations_of_checks(right, workload, flavors):
    """Breaks JI-022: starts pods without the annotations that a check adds;
    JIN-022[annotations] must catch it.
    """
    return right(with_entries(workload, lambda _, entry: without(entry, "annotations")), flavors)


@wrong((starting, "pod_set_infos"))
def forgets_selectors_of_checks(right, workload, flavors):
    """Breaks JI-022: starts pods without the nodeSelector that a check adds;
    JIN-022[nodeSelector] must catch it.
    """
    return right(with_entries(workload, lambda _, entry: without(entry, "nodeSelector")), flavors)


@wrong((starting, "pod_set_infos"))
def takes_updates_of_one_check(right, workload, flavors):
    """Breaks JI-022: takes what the first check adds, and nothing of others; JIN-023 must catch it."""
    return right(
        with_entries(workload, lambda number, entry: {**entry, "podSetUpdates": []} if number else entry),
        flavors,
    )


@wrong((starting, "pod_set_infos"))
def forgets_tolerations_of_checks(right, workload, flavors):
    """Breaks JI-022: starts pods without the tolerations that a check adds; JIN-023 must catch it."""
    return right(with_entries(workload, lambda _, entry: without(entry, "tolerations")), flavors)


@wrong((starting, "start"))
def starts_in_spite_of_a_contradiction(start, job, workload, flavors):
    """Breaks JI-023: starts a job whose pods contradict what a check adds; JIN-024 should catch it."""
    try:
        return start(job, workload, flavors)
    except starting.PodSetConflict:
        return {**job.object, "spec": {**job.spec, "suspend": False}}


@wrong((starting, "start"))
def replaces_labels(start, job, workload, flavors):
    """Breaks JI-025: starts pods with the labels that are added alone; JIN-025 must catch it."""
    started = start(job, workload, flavors)
    template, own = started["spec"]["template"], job.template.get("metadata", {}).get("labels", {})
    metadata = template.get("metadata", {})
    added = {
        name: value
        for name, value in metadata.get("labels", {}).items()
        if name not in own or name in TRACKING_LABELS
    }
    template = {**template, "metadata": {**metadata, "labels": added}}
    return {**started, "spec": {**started["spec"], "template": template}}


@wrong((starting, "start"))
def takes_every_common_label_for_a_contradiction(start, job, workload, flavors):
    """Breaks JI-025: starts no job whose pods have a label that a check adds; JIN-026 must catch it."""
    own = job.template.get("metadata", {}).get("labels", {})
    for info in starting.pod_set_infos(workload, flavors):
        if own.keys() & info.labels.keys() - set(TRACKING_LABELS):
            raise starting.PodSetConflict("labels are there already")
    return start(job, workload, flavors)


@wrong((starting, "pod_set_infos"))
def does_without_a_missing_flavor(right, workload, flavors):
    """Breaks JI-024: starts pods anywhere when their flavor is missing; JIN-027 should catch it."""
    names = {
        name
        for assignment in workload.pod_set_assignments
        for name in (assignment.get("flavors") or {}).values()
    }
    empty = {name: {"metadata": {"name": name}, "spec": {}} for name in names}
    return right(workload, {**empty, **flavors})
