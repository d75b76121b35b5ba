"""Wrong about what versions of the documents differ in (D-05…D-18, AC-337, AC-346, AC-426).

Versions of the API are converted by the server, and on a cluster by the webhooks: no decision of the control
plane is in it.
"""

from dataclasses import replace
from functools import partial

from reference_impl.kueue.queues import legacy_v0_6 as legacy_queues
from reference_impl.kueue.quota import problems
from reference_impl.kueue.scheduling import cycle
from reference_impl.kueue.workload import activity, legacy_v0_6, verdicts

from ...killing.planes import wrong
from ..reservations.reservation import looks_at_no_verdicts

old, documents = partial(wrong, dialect="v0.6"), partial(wrong, dialect="docs-2024")


@old((legacy_v0_6, "finish_rejected"))
def never_finishes_what_is_rejected(_, *args):
    """Breaks AC-346: lets a Workload that a check rejects wait for ever; ADM-070 must catch it."""


@old((legacy_v0_6, "finish_rejected"))
def finishes_what_says_retry(finish, workload, *args):
    """Breaks AC-346: declares a Workload finished of which a check says Retry; ADM-204 must catch it."""
    entries = [
        {**entry, "state": "Rejected"} if entry["state"] == "Retry" else entry
        for entry in workload.checks.entries
    ]
    status = {**workload.status, "admissionChecks": entries}
    return finish(type(workload)({**workload.object, "status": status}), *args)


@old((legacy_v0_6, "negative"))
def evicts_only_for_retry(_, workload, world, current_time, rules):
    """Breaks AC-346: takes no notice of Rejected while quota is held; ADM-205 must catch it."""
    return verdicts.evict_retried(workload, world, current_time, rules)


@old((legacy_v0_6, "negative"))
def evicts_only_for_rejected(_, workload, world, current_time, rules):
    """Breaks AC-346: takes no notice of Retry while quota is held; ADM-204 must catch it."""
    rejected = workload.checks.in_state("Rejected")
    return _(workload, world, current_time, rules) if rejected else None


@old((legacy_v0_6, "negative"))
def evicts_for_the_first_check_only(negative, workload, *args):
    """Breaks AC-346: listens to the first check only; ADM-204[2-checks-2-place-workload] must catch it."""
    first, *other_items = workload.checks.entries or ({},)
    entries = [first, *({**entry, "state": "Pending"} for entry in other_items)]
    return negative(
        type(workload)({**workload.object, "status": {**workload.status, "admissionChecks": entries}}), *args
    )


@old((legacy_queues, "cluster_queue_active_by_reason"))
def says_todays_reasons(_, catalogue, spec):
    """Breaks AC-426: has the reasons of later releases for checks; ADM-101 must catch it."""
    return legacy_queues.cluster_queue_active(catalogue, spec)


@old((legacy_queues, "cluster_queue_active_by_reason"))
def calls_every_queue_active(_, catalogue, spec):
    """Breaks AC-426: says that a ClusterQueue without its checks is Active; ADM-101 must catch it."""
    return legacy_queues.Condition("Active", True, "Ready", "Can admit new workloads")


@old((problems, "check_inactive"))
def does_not_mind_inactive_checks_of_old(_, spec, flavors, checks):
    """Breaks AC-426: in v0.6 admits with a check that is not Active; ADM-109 must catch it."""


@documents((legacy_v0_6, "deactivate_rejected"))
def ignores_a_rejection(_, *args):
    """Breaks AC-291: takes no notice of a check that rejects; ADM-205 must catch it."""


@documents((legacy_v0_6, "deactivate_rejected"))
def only_tells_of_a_rejection(rejected, *args):
    """Breaks AC-291: emits the event of a rejection and leaves the Workload active; ADM-060 must catch it."""
    decision = rejected(*args)
    return decision and replace(decision, write=None)


@documents((legacy_v0_6, "deactivate_rejected"))
def rejects_only_what_is_not_admitted(rejected, workload, *args):
    """Breaks AC-291: takes no notice of a rejection of an admitted Workload; ADM-061 must catch it."""
    return None if workload.is_admitted else rejected(workload, *args)


@documents((legacy_v0_6, "deactivate_rejected"))
def rejects_only_what_is_admitted(rejected, workload, *args):
    """Breaks AC-291: takes no notice of a rejection of a
    Workload that is not admitted; ADM-060 must catch it.
    """
    return rejected(workload, *args) if workload.is_admitted else None


@documents((legacy_v0_6, "deactivate_rejected"))
def rejects_for_retry(rejected, workload, world, current_time, rules):
    """Breaks AC-287: deactivates for Retry; ADM-040 must catch it."""
    state = workload.checks.in_state("Retry")
    if state and workload.has_quota_reservation and workload.is_active:
        return replace(activity.deactivation(workload), events=())
    return rejected(workload, world, current_time, rules)


@documents((activity, "deactivate"))
def deactivates_nothing_that_is_marked(_, *args):
    """Breaks AC-292: marks a Workload after its last attempt in v0.9 and leaves it active;
    ADM-631 must catch it.
    """


@documents((activity, "inactive_workload"))
def has_todays_reason(_, target):
    """Breaks AC-293: evicts for the reason that later releases have; ADM-061 must catch it."""
    return activity.Eviction("Deactivated", "The workload is deactivated")


@documents((cycle.Cycle, "_nominate"))
def looks_at_no_verdicts_in_v09(nominate, self, head):
    """Breaks AC-282: in v0.9 reserves for a Workload that a check has turned down; ADM-454 must catch it."""
    return looks_at_no_verdicts(nominate, self, head)
