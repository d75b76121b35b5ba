"""Groups that fail: how long they are left alone,
and what becomes of nodes that never come (PR-190, PR-355…359).
"""

from __future__ import annotations

from dataclasses import replace

from reference_impl.autoscaler.cloud import Instance, InstanceErrorInfo
from reference_impl.autoscaler.cluster_state import ParsedNode, cluster_state_of
from reference_impl.autoscaler.groups.backoff import BackoffErrorInfo, GroupBackoff
from reference_impl.autoscaler.groups.registration import NodeRegistrations, find_failed_instances

from .objects import group, node_object

CAUSE = BackoffErrorInfo("cloudProviderError", "none left")


def test_the_time_doubles_with_failures_that_follow_each_other() -> None:
    backoff = GroupBackoff(300, 1800, 10_800)
    current_time, seconds = 0.0, []
    for _ in range(5):
        backoff.note_failure("ng-a", current_time, CAUSE)
        until = next(
            second for second in range(4000) if not backoff.is_backed_off("ng-a", current_time + second)
        )
        seconds.append(until)
        current_time += until + 1
    assert seconds == [300, 600, 1200, 1800, 1800]
    backoff.note_failure("ng-a", current_time + 10_801, CAUSE)
    assert not backoff.is_backed_off("ng-a", current_time + 10_801 + 300), "forgotten after three hours"


def test_a_failure_meanwhile_begins_the_same_time_anew() -> None:
    backoff = GroupBackoff(300, 1800, 10_800)
    backoff.note_failure("ng-a", 0, CAUSE)
    backoff.note_failure("ng-a", 200, CAUSE)
    assert backoff.is_backed_off("ng-a", 499)
    assert not backoff.is_backed_off("ng-a", 500)


def test_nodes_on_their_way_are_counted_until_they_are_ready() -> None:
    pending_group = group(target=3)
    ready = {**node_object("a"), "spec": {"providerID": "sim://ng-a-0"}}
    starting = {**node_object("b"), "spec": {"providerID": "sim://ng-a-1"}, "status": {"conditions": []}}
    cluster = cluster_state_of([pending_group], map(ParsedNode.of, [ready, starting]), 1767225601.0, 900)
    registrations = NodeRegistrations(900)
    registrations.see(cluster, 0)
    assert registrations.upcoming(cluster, pending_group, 0) == 2, "one that starts, and one without a Node"


def test_a_listed_machine_without_a_node_is_overdue_and_its_group_is_not_backed_off() -> None:
    """Finding X9."""
    cluster = cluster_state_of([group(target=2)], [], 0, 900)
    registrations = NodeRegistrations(12)
    registrations.note_request("ng-a", 2, 0.0)
    assert not registrations.see(cluster, 0.1)
    assert not registrations.overdue(cluster, cluster.groups[0], 12.0)
    assert len(registrations.overdue(cluster, cluster.groups[0], 12.2)) == 2
    assert not registrations.see(cluster, 12.2), "nothing is waited for any more, so nothing times out"


def test_a_machine_that_is_counted_and_not_listed_times_out() -> None:
    """Finding N7."""
    cluster = cluster_state_of([replace(group(target=2), instances=())], [], 0, 900)
    registrations = NodeRegistrations(12)
    registrations.note_request("ng-a", 2, 0.0)
    assert not registrations.see(cluster, 0.1)
    assert [(second.group, second.seconds) for second in registrations.see(cluster, 12.2)] == [("ng-a", 12.2)]
    assert registrations.missing(cluster.groups[0], 12.2) == 2


def test_machines_with_errors_are_found_while_they_are_created() -> None:
    failed = Instance("x", "creating", InstanceErrorInfo("OUT", "none left", out_of_resources=True))
    late = Instance("y", "running", InstanceErrorInfo("OUT", "none left", out_of_resources=True))
    assert find_failed_instances([replace(group(), instances=(failed, late))]) == {"ng-a": [failed]}
