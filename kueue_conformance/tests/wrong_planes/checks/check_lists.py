"""Wrong about the list of checks on a Workload: what is added,
dropped and kept, and when (AC-350…359, AC-376…378).
"""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.checks import entries
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.workload import admitted, triggers, verdicts
from reference_impl.kueue.workload import workload_context as world
from reference_impl.kueue.workload.context_reader import WorldReader
from reference_impl.kueue.workload.decision import ApplyStatus, ReplaceStatus
from reference_impl.kueue.workload.draft import StatusDraft
from reference_impl.kueue.workload.triggers import Triggers
from reference_impl.kueue.workload.view import Workload

from ...killing.planes import wrong


@wrong((Checks, "sync"))
def adds_nothing(synced, checks, required, current_time):
    """Breaks AC-357: drops what does not apply, adds nothing; ADM-001 must catch it."""
    return synced(checks, frozenset(required) & checks.names, current_time)


@wrong((Checks, "sync"))
def drops_nothing(synced, checks, required, current_time):
    """Breaks AC-357: adds missing checks, drops none; ADM-007 must catch it."""
    return synced(checks, frozenset(required) | checks.names, current_time)


@wrong((Checks, "sync"))
def lists_the_first_of_several(synced, checks, required, current_time):
    """Breaks AC-357: adds the first of the required checks and no other; ADM-001 must catch it."""
    required_names = frozenset(required)
    return synced(checks, required_names & {*checks.names, *sorted(required_names)[:1]}, current_time)


@wrong((Checks, "sync"))
def drops_one_at_most(synced, checks, required, current_time):
    """Breaks AC-357: drops nothing when several checks are no longer required;
    ADM-007[3-checks-Pending] must catch it.
    """
    extra = checks.names - frozenset(required)
    return synced(checks, frozenset(required) | (extra if len(extra) > 1 else set()), current_time)


@wrong((Checks, "sync"))
def looks_at_the_length_only(synced, checks, required, current_time):
    """Breaks AC-357: leaves a list alone that has as many entries as are required; ADM-002 must catch it."""
    return checks if len(frozenset(required)) == len(checks.names) else synced(checks, required, current_time)


@wrong((Checks, "sync"))
def drops_only_when_something_is_added(synced, checks, required, current_time):
    """Breaks AC-357: leaves a list alone that has all that is required and more; ADM-007 must catch it."""
    return checks if frozenset(required) <= checks.names else synced(checks, required, current_time)


@wrong((Checks, "sync"))
def adds_only_when_something_is_dropped(synced, checks, required, current_time):
    """Breaks AC-357: leaves a list alone in which nothing is too much; ADM-006 must catch it."""
    return (
        checks
        if checks.names and frozenset(required) >= checks.names
        else synced(checks, required, current_time)
    )


@wrong((Checks, "sync"))
def drops_only_what_is_undecided(synced, checks, required, current_time):
    """Breaks AC-357: keeps entries that have a verdict though
    they are no longer required; ADM-007 must catch it.
    """
    judged = {entry["name"] for entry in checks.entries if entry["state"] != "Pending"}
    return synced(checks, frozenset(required) | judged, current_time)


@wrong((Checks, "sync"))
def keeps_what_speaks_against_it(synced, checks, required, current_time):
    """Breaks AC-357: keeps entries with Retry or Rejected
    though they are no longer required; ADM-313 must catch it.
    """
    against = {entry["name"] for entry in checks.entries if entry["state"] in {"Retry", "Rejected"}}
    return synced(checks, frozenset(required) | against, current_time)


@wrong((Checks, "sync"))
def never_empties_the_list(synced, checks, required, current_time):
    """Breaks AC-358: keeps the list when no check is required any more; ADM-007 must catch it."""
    return synced(checks, frozenset(required) or checks.names, current_time)


@wrong((Checks, "sync"))
def begins_anew_with_every_change(synced, checks, required, current_time):
    """Breaks AC-357: brings the entries that stay back to
    Pending when the list changes; ADM-002 must catch it.
    """
    after = synced(checks, required, current_time)
    return (
        after
        if after is checks
        else Checks(tuple(entries._pending(entry["name"], current_time) for entry in after.entries))
    )


@wrong((Checks, "sync"))
def begins_anew_with_a_smaller_list(synced, checks, required, current_time):
    """Breaks AC-357: brings the entries that stay back to
    Pending when one is dropped; ADM-014 must catch it.
    """
    after = synced(checks, required, current_time)
    return (
        Checks(tuple(entries._pending(entry["name"], current_time) for entry in after.entries))
        if checks.names - after.names
        else after
    )


def sync_and_change(change):
    def sync_so(synced, checks, required, current_time):
        after = synced(checks, required, current_time)
        return (
            after
            if after is checks
            else Checks(tuple(change(entry, current_time) for entry in after.entries))
        )

    return sync_so


@wrong((Checks, "sync"))
def moves_the_times_of_what_stays(synced, checks, required, current_time):
    """Breaks AC-357: gives the entries that stay the time of the change; ADM-002 must catch it."""
    touch = sync_and_change(
        lambda item, current_time: {**item, "lastTransitionTime": instants.render(current_time)}
    )
    return touch(synced, checks, required, current_time)


@wrong((Checks, "sync"))
def takes_the_messages_of_what_stays(synced, checks, required, current_time):
    """Breaks AC-357: empties the messages of the entries that stay; ADM-002 must catch it."""
    return sync_and_change(lambda item, _: {**item, "message": ""})(synced, checks, required, current_time)


@wrong((Checks, "sync"))
def takes_the_changes_of_pods_of_what_stays(synced, checks, required, current_time):
    """Breaks AC-357: takes podSetUpdates out of the entries that stay; ADM-002 must catch it."""
    keep = ("name", "state", "message", "lastTransitionTime", "requeueAfterSeconds", "retryCount")
    return sync_and_change(lambda item, _: {k: v for k, v in item.items() if k in keep})(
        synced, checks, required, current_time
    )


@wrong((Checks, "sync"))
def takes_the_delays_of_what_stays(synced, checks, required, current_time):
    """Breaks AC-357: takes requeueAfterSeconds out of the entries that stay; ADM-002 must catch it."""
    without = "requeueAfterSeconds"
    return sync_and_change(lambda item, _: {k: v for k, v in item.items() if k != without})(
        synced, checks, required, current_time
    )


@wrong((Checks, "sync"))
def lets_kept_messages_be_those_of_the_first(synced, checks, required, current_time):
    """Breaks AC-357: keeps what the first of the entries said for all that stay; ADM-002 must catch it."""
    text = {entry["name"]: entry["message"] for entry in checks.entries}
    first = next(iter(text.values()), "")
    return sync_and_change(
        lambda item, _: {**item, "message": first if item["name"] in text else item["message"]}
    )(synced, checks, required, current_time)


@wrong((Checks, "sync"))
def puts_new_ones_at_the_end(synced, checks, required, current_time):
    """Breaks AC-358: appends added checks, in place of sorting; ADM-010 may catch it."""
    after = synced(checks, required, current_time)
    old = [entry["name"] for entry in checks.entries]
    return (
        after
        if after is checks
        else Checks(tuple(sorted(after.entries, key=lambda entry: (entry["name"] not in old, entry["name"]))))
    )


@wrong((Checks, "sync"))
def sorts_backwards(synced, checks, required, current_time):
    """Breaks AC-358: sorts the list from the last name to the first; ADM-010 may catch it."""
    after = synced(checks, required, current_time)
    return after if after is checks else Checks(after.entries[::-1])


@wrong((Checks, "sync"))
def knows_names_by_their_beginning(synced, checks, required, current_time):
    """Breaks AC-357: takes a check for listed when one is
    whose name begins with its name; ADM-312 must catch it.
    """
    missing = {
        name for name in required if not any(other != name and other.startswith(name) for other in required)
    }
    return synced(checks, missing, current_time)


@wrong((entries, "_pending"))
def adds_as_ready(pending, name, current_time):
    """Breaks AC-357: adds checks as Ready; ADM-001 must catch it."""
    return {**pending(name, current_time), "state": "Ready"}


@wrong((entries, "_pending"))
def adds_as_retry(pending, name, current_time):
    """Breaks AC-280: adds checks as Retry; ADM-001 must catch it."""
    return {**pending(name, current_time), "state": "Retry"}


@wrong((entries, "_pending"))
def adds_with_a_message(pending, name, current_time):
    """Breaks AC-357: says something with what it adds; ADM-310 should catch it."""
    return {**pending(name, current_time), "message": f"waiting for {name}"}


@wrong((entries, "_pending"))
def adds_with_an_old_time(pending, name, _current_time):
    """Breaks AC-357: adds checks with the time at which the epoch began; ADM-310 should catch it."""
    return pending(name, 0.0)


@wrong((entries, "_pending"))
def adds_with_a_count(pending, name, current_time):
    """Breaks AC-357: counts retries of what it adds from the beginning; ADM-310 should catch it."""
    return {**pending(name, current_time), "retryCount": 0}


@wrong((verdicts, "sync_checks"))
def lists_nothing_before_a_reservation(sync, workload, *args):
    """Breaks AC-350: lists checks only when quota is reserved; ADM-001 must catch it."""
    return sync(workload, *args) if workload.has_quota_reservation else None


@wrong((verdicts, "sync_checks"))
def leaves_reserved_ones_alone(sync, workload, *args):
    """Breaks AC-378: does not follow the queue while quota is reserved; ADM-013 must catch it."""
    return None if workload.has_quota_reservation and not workload.is_admitted else sync(workload, *args)


@wrong((verdicts, "sync_checks"))
def leaves_admitted_ones_alone(sync, workload, *args):
    """Breaks AC-376: does not follow the queue while the Workload is admitted; ADM-012 must catch it."""
    return None if workload.is_admitted else sync(workload, *args)


@wrong((verdicts, "sync_checks"))
def leaves_inactive_ones_alone(sync, workload, *args):
    """Breaks AC-376: does not follow the queue while the Workload is inactive; ADM-315 should catch it."""
    return sync(workload, *args) if workload.is_active else None


@wrong((verdicts, "sync_checks"))
def leaves_judged_ones_alone(sync, workload, *args):
    """Breaks AC-357: does not follow the queue once a check has answered; ADM-002 must catch it."""
    return (
        None
        if any(entry["state"] != "Pending" for entry in workload.checks.entries)
        else sync(workload, *args)
    )


@wrong((verdicts, "sync_checks"))
def takes_back_what_was_admitted(sync, workload, world, current_time, rules):
    """Breaks AC-309: an admitted Workload whose list grows is no longer admitted; ADM-012 must catch it."""
    decision = sync(workload, world, current_time, rules)
    if decision is None or not workload.is_admitted:
        return decision
    draft = replace(StatusDraft.of(workload, current_time), status=decision.write.status)
    return replace(decision, write=ReplaceStatus(admitted.sync(draft, rules.admitted_reasons).status))


@wrong((verdicts, "sync_checks"))
def evicts_when_a_check_is_added(sync, workload, world, current_time, rules):
    """Breaks AC-309: evicts admitted Workloads when a check is added; ADM-012 must catch it."""
    decision = sync(workload, world, current_time, rules)
    if decision is None or not workload.is_admitted or workload.is_evicted:
        return decision
    why = verdicts.Eviction("AdmissionCheck", "its checks have changed")
    return rules.evict(workload, StatusDraft.of(workload, current_time), why, rules)


@wrong((verdicts, "sync_checks"))
def applies_the_list(sync, *args):
    """Breaks AC-359: applies the list, so that what others own stays in it; ADM-007 must catch it."""
    decision = sync(*args)
    return decision and replace(decision, write=ApplyStatus(decision.write.status))


@wrong((verdicts, "sync_checks"))
def empties_the_list_without_a_queue(sync, workload, world, current_time, rules):
    """Breaks AC-376: empties the list when the ClusterQueue is gone; ADM-314 should catch it."""
    if world.cluster_queue is None and workload.checks.entries:
        return verdicts.Decision(
            write=ReplaceStatus(StatusDraft.of(workload, current_time).with_checks(Checks()).status)
        )
    return sync(workload, world, current_time, rules)


@wrong((verdicts, "sync_checks"))
def lists_and_forgets_the_rest(sync, workload, world, current_time, rules):
    """Breaks AC-359: replaces the status by the list alone; ADM-013 must catch it."""
    decision = sync(workload, world, current_time, rules)
    if decision is None:
        return None
    remaining_fields = ("admissionChecks", "admission")
    return replace(
        decision,
        write=ReplaceStatus({k: v for k, v in decision.write.status.items() if k in remaining_fields}),
    )


@wrong((triggers, "has_changed"))
def overlooks_changed_checks(_, old, new):
    """Breaks AC-328: looks at Workloads when a queue comes or goes,
    not when its checks change; ADM-006 must catch it.
    """
    return old is None or new is None


@wrong((Triggers, "_everything_in"))
def looks_at_one_workload_of_a_queue(_, self, local_queue):
    """Breaks AC-328: one Workload of a LocalQueue follows its checks; ADM-311 must catch it."""
    key = str(triggers.key_of(local_queue))
    for workload in [*self._workloads.by_index(triggers.BY_LOCAL_QUEUE, key)][:1]:
        self._enqueue(triggers.key_of(workload))


@wrong((Triggers, "_everything_in"))
def looks_at_those_that_wait(_, self, local_queue):
    """Breaks AC-328: only Workloads without a reservation follow their queue; ADM-012 must catch it."""
    key = str(triggers.key_of(local_queue))
    for workload in self._workloads.by_index(triggers.BY_LOCAL_QUEUE, key):
        if not Workload(workload).has_quota_reservation:
            self._enqueue(triggers.key_of(workload))


@wrong((Triggers, "on_cluster_queue"))
def looks_at_one_local_queue(_, self, old, new):
    """Breaks AC-328: the Workloads of one LocalQueue follow the ClusterQueue; ADM-311 must catch it."""
    if triggers.has_changed(old, new):
        name = triggers.key_of(new or old).name
        for local_queue in [*self._local_queues.by_index(triggers.BY_CLUSTER_QUEUE, name)][:1]:
            self._everything_in(local_queue)


@wrong((WorldReader, "of"))
def drops_checks_that_are_gone(of, self, workload):
    """Breaks AC-408: drops a check from the lists when its
    AdmissionCheck is deleted; ADM-320 must catch it.
    """
    result = of(self, workload)
    there = {admission_check["metadata"]["name"] for admission_check in self.admission_checks}
    return replace(result, check_rules=tuple(rule for rule in result.check_rules if rule.name in there))


@wrong((WorldReader, "of"))
def drops_checks_that_are_inactive(of, self, workload):
    """Breaks AC-312: a check that is not Active is not listed; ADM-110 must catch it."""
    result = of(self, workload)
    inactive = {
        admission_check["metadata"]["name"]
        for admission_check in self.admission_checks
        if not any(
            condition["status"] == "True"
            for condition in (admission_check.get("status") or {}).get("conditions") or ()
        )
    }
    return replace(
        result, check_rules=tuple(rule for rule in result.check_rules if rule.name not in inactive)
    )


@wrong((world, "with_cluster_queue"))
def reads_the_first_check_of_a_queue(right, world, obj):
    """Breaks AC-356: reads the first check of a ClusterQueue only;
    ADM-001[2-checks-workload] must catch it.
    """
    reader = right(world, obj)
    return replace(reader, check_rules=reader.check_rules[:1])


@wrong((world, "with_cluster_queue"))
def overlooks_the_last_check_of_a_queue(right, world, obj):
    """Breaks AC-356: overlooks the last check of a ClusterQueue; ADM-001 must catch it."""
    reader = right(world, obj)
    return replace(reader, check_rules=reader.check_rules[:-1])
