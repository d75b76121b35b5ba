"""Safety rules about the counters and usage of queues, in the shortest stories (Q-371, Q-373)."""

import pytest

from .control_plane_stories import LOCAL, broken_rules, change, event, queue, with_quota, workload


def queue_with_status(cluster_queue=None, *, reserving=0, admitted=0, cpu=None, used=None):
    """Return a queue with a status: its counters, or its usage."""
    flavors = {
        name: [{"name": "small", "resources": [{"name": "cpu", "total": amount}]}]
        for name, amount in (("flavorsReservation", cpu), ("flavorsUsage", used))
        if amount is not None
    }
    counters = {"reservingWorkloads": reserving, "admittedWorkloads": admitted}
    return {**(cluster_queue or queue()), "status": flavors or counters}


def status(after, before=None, kind="ClusterQueue", *, seconds=1.0):
    return change(before or queue(), after, kind, seconds=seconds)


RESERVES, ADMITS = change(workload(), with_quota()), change(with_quota(), with_quota("Admitted"), seconds=5.0)
TOLD = [change(None, event(reason), "Event") for reason in ("QuotaReserved", "Admitted")]
GOES = change(workload(name="other"), None, seconds=0.5)
STOPS = change(workload(name="other"), workload(name="other", spec={"active": False}), seconds=0.5)
HELD = change(workload(name="other"), with_quota(name="other"), seconds=-9.0)
LEAVES = change(with_quota(name="other"), with_quota(name="other", spec={"active": False}), seconds=0.5)
STORIES = {
    "as it is": ([RESERVES, status(queue_with_status(reserving=1))], []),
    "Q-371 one too many": ([RESERVES, status(queue_with_status(reserving=2))], ["Q-371"]),
    "Q-371 admitted before it is": ([RESERVES, status(queue_with_status(reserving=1, admitted=1))], ["Q-371"]),
    "a moment late": ([RESERVES, status(queue_with_status(queue_with_status(reserving=1), reserving=0))], []),
    "counted before it is written": ([status(queue_with_status(reserving=1), seconds=-1.0), RESERVES], []),
    "counted, and gone before it is written": ([RESERVES, GOES, status(queue_with_status(reserving=2))], []),
    "used, and gone before it is written": ([RESERVES, GOES, status(queue_with_status(cpu="2", used="0"))], []),
    "counted, and deactivated before it is written": ([RESERVES, STOPS, status(queue_with_status(reserving=2))], []),
    "one comes while another is deactivated": ([HELD, LEAVES, RESERVES, status(queue_with_status(reserving=2))], []),
    "Q-371 one more than come and go": ([HELD, LEAVES, RESERVES, status(queue_with_status(reserving=3))], ["Q-371"]),
    "Q-371 one more than is deactivated": ([RESERVES, STOPS, status(queue_with_status(reserving=3))], ["Q-371"]),
    "Q-371 one more than is gone": ([RESERVES, GOES, status(queue_with_status(reserving=3))], ["Q-371"]),
    "Q-371 one that went long ago": ([GOES, RESERVES, status(queue_with_status(reserving=2), seconds=9.0)], ["Q-371"]),
    "Q-371 of a LocalQueue": ([RESERVES, status(queue_with_status(LOCAL, reserving=2), LOCAL, "LocalQueue")], ["Q-371"]),
    "used as it is": ([RESERVES, status(queue_with_status(cpu="1", used="0"))], []),
    "the same amount in other words": ([RESERVES, status(queue_with_status(cpu="1000m", used="0"))], []),
    "Q-373 too much": ([RESERVES, status(queue_with_status(cpu="2", used="0"))], ["Q-373"]),
    "Q-373 reserved as used": ([RESERVES, status(queue_with_status(cpu="1", used="1"))], ["Q-373"]),
    "a user's status": ([RESERVES, change(queue(), queue_with_status(reserving=2), "ClusterQueue", "kueue-conformance")], []),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "rules"), STORIES.values(), ids=STORIES)
def test_what_is_told(changes, rules):
    assert broken_rules(*changes) == rules


@pytest.mark.parametrize(
    ("timeout_scale", "rules"),
    [pytest.param(1.0, ["Q-371"], id="an idle machine"), pytest.param(3.0, [], id="a busy machine")],
)
def test_what_is_told_late(timeout_scale, rules):
    late_status = status(queue_with_status(queue_with_status(reserving=1), reserving=0), seconds=5.0)

    assert broken_rules(RESERVES, late_status, timeout_scale=timeout_scale) == rules


@pytest.mark.parametrize(
    ("settled", "rules"),
    [pytest.param((15,), ["Q-371"], id="at rest"), pytest.param((), [], id="no moment of quiet")],
)
def test_what_is_not_told_for_long(settled, rules):
    changes = (
        *TOLD,
        RESERVES,
        status(queue_with_status(reserving=1)),
        ADMITS,
        change(with_quota("Admitted"), with_quota("Admitted"), seconds=60.0),
    )

    assert broken_rules(*changes, settled=settled) == rules


@pytest.mark.parametrize(
    ("until", "rules"),
    [
        pytest.param(0.0, [], id="the time is not known"),
        pytest.param(3.0, [], id="a moment"),
        pytest.param(60.0, ["Q-371"], id="long"),
    ],
)
def test_what_is_not_told_in_the_end(until, rules):
    changes = (*TOLD, RESERVES, status(queue_with_status(reserving=1)), ADMITS)

    assert broken_rules(*changes, settled=(15,), until=until) == rules
