"""QUE: what LocalQueues have used comes before priority, where a ClusterQueue admits by usage (KEP-4136;
Q-021, Q-262, AC-045, AC-077).
"""

import pytest

from kueue_conformance import always, either, rows, scenario, within

BY_USAGE = "admission fair sharing"
SCOPE = {"admissionMode": "UsageBasedAdmissionFairSharing"}
HALF_LIVES_SECONDS = 3600
"""Six half-lives of ten minutes: a sixty-fourth is remembered."""
SAMPLING_SECONDS = 120
"""What a LocalQueue has used is sampled so often: after one sample seven eighths of it are remembered."""


@pytest.fixture
def make_scope(kueue_cluster):
    """Return what makes a ClusterQueue with the LocalQueues `q`, `other` and `third`, and a check or none."""

    def make(text="q 4", checks=None, scope=SCOPE, **topology_fields):
        fields = {"admissionScope": scope} if scope else {}
        queues = kueue_cluster.make_topology(text, checks=checks, **fields, **topology_fields)
        queues.add_queues(
            **{name: kueue_cluster.make_second_local_queue(queues["q"]) for name in ("other", "third")}
        )
        return queues

    return make


def lets_wait(queues, text):
    """Have Workloads wait in the stopped ClusterQueue before the first of them is tried."""
    queues["q"].set_stop_policy("cluster-queue", "Hold")
    within("react", lambda: queues["q"].is_stopped("cluster-queue"))
    queues.submit_all(text)
    queues["q"].resume_queue("cluster-queue")


@scenario(
    "QUE-230",
    "Workloads of the LocalQueue with less usage go first, whatever their priority and age",
    requirement="kep-4136#usage-first",
    shows="Q-021 AC-045",
    since="0.19",
    needs=(BY_USAGE,),
    clauses={"a": "the other LocalQueue's is admitted", "b": "the more important one waits"},
)
def test_less_used_first(make_scope):
    queues = make_scope()
    queues.submit_in_turn("q: x(0)4")
    queues.submit_all("q: high(9)4; other: low(0)4")

    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved("low"), clause="a")
    always(lambda: queues.has_reserved("low"), clause="b")


@scenario(
    "QUE-231",
    "a reservation counts as usage at once, so that LocalQueues take turns",
    requirement=("kep-4136#entry-penalty", "kep-4136#usage-first"),
    shows="Q-021 AC-045",
    since="0.19",
    needs=(BY_USAGE,),
    cases=rows("checked", (False,), (True,)),
    clauses={"a": "each gets half", "b": "and no more"},
)
def test_turns_by_penalty(kueue_cluster, make_scope, checked):
    queues = make_scope(checks={"": [kueue_cluster.make_check()]} if checked else None)

    lets_wait(queues, "q: a1(9)1 a2(9)1 a3(9)1; other: b1(0)1 b2(0)1 b3(0)1")

    within("reserve", lambda: queues.has_reserved("a1", "a2", "b1", "b2"), clause="a")
    always(lambda: queues.has_reserved("a1", "a2", "b1", "b2"), clause="b")


@scenario(
    "QUE-232",
    "the usage of a LocalQueue counts by its weight",
    requirement=("kep-4136#weights", "kep-4136#usage-first"),
    shows="Q-021 AC-072",
    since="0.19",
    needs=(BY_USAGE,),
    clauses={"a": "twice the weight gets twice as much", "b": "and no more"},
)
def test_weight_of_a_local_queue(make_scope):
    queues = make_scope("q 6")
    queues["other"].set_local_weight("2")

    lets_wait(queues, "q: a1(9)1 a2(9)1 a3(9)1; other: b1(0)1 b2(0)1 b3(0)1 b4(0)1 b5(0)1")

    fair = ("a1", "a2", "b1", "b2", "b3", "b4")
    within("admit", lambda: queues.has_reserved(*fair), clause="a")
    always(lambda: queues.has_reserved(*fair), clause="b")


@scenario(
    "QUE-233",
    "without an admission scope, or with NoAdmissionFairSharing, usage does not change the order",
    requirement=("kep-4136#usage-first", "kueue-docs#queueing-order"),
    shows="Q-021 AC-045",
    since="0.19",
    needs=(BY_USAGE,),
    cases=rows("scope", ("none",), ("off",)),
    clauses={"a": "those of the highest priority are admitted", "b": "the others wait"},
)
def test_no_scope(make_scope, scope):
    queues = make_scope(scope={"none": None, "off": {"admissionMode": "NoAdmissionFairSharing"}}[scope])

    lets_wait(queues, "q: a1(9)1 a2(9)1 a3(9)1 a4(9)1; other: b1(0)1 b2(0)1")

    within("admit", lambda: queues.has_reserved("a1", "a2", "a3", "a4"), clause="a")
    always(lambda: queues.has_reserved("a1", "a2", "a3", "a4"), clause="b")


@scenario(
    "QUE-234",
    "the usage of a LocalQueue is reported, and decays when it uses nothing any more",
    requirement="kep-4136#decay",
    shows="AC-077",
    since="0.19",
    needs=(BY_USAGE, "virtual time"),
    clauses={
        "a": "at first the usage is zero",
        "b": "usage that lasts is reported in full",
        "c": "120 s after the end 3 to 4 CPUs of it are remembered",
        "d": "3600 s later it is forgotten: at most 0.1 CPUs",
    },
)
def test_decay(clock, make_scope):
    queues = make_scope()
    queue = queues["q"]
    within("settle", lambda: queue.shows_recent_usage(0, 0), clause="a")

    queues.submit_in_turn("q: x(0)4")
    queues.workloads["x"].set_pods_ready(True, "PodsReady")
    clock.advance(HALF_LIVES_SECONDS)
    within("settle", lambda: queue.shows_recent_usage(3.9, 4), clause="b")
    queues.delete_workloads("x")
    clock.advance(SAMPLING_SECONDS)
    within("settle", lambda: queue.shows_recent_usage(3, 4), clause="c")
    clock.advance(HALF_LIVES_SECONDS)

    within("settle", lambda: queue.shows_recent_usage(0, 0.1), clause="d")


@scenario(
    "QUE-362",
    "the usage of a LocalQueue counts from the reservation, or from the admission",
    requirement="queueing#quirks",
    shows="KV-45 AC-077",
    since="0.19",
    gates=("AdmissionFairSharing", "AdmissionFairSharingAnchorAtQuotaReservation"),
    level="may",
    needs=(BY_USAGE, "virtual time"),
    clauses={
        "a": "the usage while a check is undecided",
        "b": "3600 s after the admission the usage is 3.9 to 4.1 CPUs",
    },
)
def test_usage_before_the_admission(kueue_cluster, clock, make_scope):
    check = kueue_cluster.make_check()
    queues = make_scope(checks={"": [check]})
    queue = queues["q"]
    queues.submit_in_turn("q: x(0)4")

    clock.advance(HALF_LIVES_SECONDS)

    either(
        "settle",
        {
            "from the reservation": lambda: queue.shows_recent_usage(3.9, 5),
            "from the admission": lambda: queue.shows_recent_usage(0, 1),
        },
        until={"from the admission": "<0.20.0"},
        clause="a",
    )
    check.answer(queues.workloads["x"], "Ready")
    within("admit", queues.workloads["x"].is_admitted, clause="b")
    queues.workloads["x"].set_pods_ready(True, "PodsReady")
    clock.advance(HALF_LIVES_SECONDS)
    within("settle", lambda: queue.shows_recent_usage(3.9, 4.1), clause="b")


@scenario(
    "QUE-235",
    "a Workload that is deleted before its admission adds no usage to its LocalQueue",
    requirement="kep-4136#entry-penalty",
    shows="SC-180",
    since="0.19",
    needs=(BY_USAGE,),
    clauses={"a": "its LocalQueue goes first", "b": "the other waits"},
)
def test_lost_reservation(kueue_cluster, make_scope):
    queues = make_scope(checks={"": [kueue_cluster.make_check()]})
    queues.submit_in_turn("q: v(0)1; other: w(0)3")
    queues.delete_workloads("w")
    queues.submit_in_turn("third: x(0)3")
    queues.submit_all("q: high(9)3; other: low(0)3")

    queues.delete_workloads("x")

    within("reserve", lambda: queues.has_reserved("low", "v"), clause="a")
    always(lambda: queues.has_reserved("low", "v"), clause="b")


@scenario(
    "QUE-236",
    "of Workloads of equal priority in a queue those of the LocalQueue with more usage are preempted first",
    requirement="kep-4136#usage-first",
    shows="Q-262",
    level="should",
    since="0.19",
    needs=(BY_USAGE,),
    clauses={"a": "that one is preempted, though another is newer", "b": "and no other"},
)
def test_victims_by_usage(kueue_cluster, make_scope):
    queues = make_scope("q 4 within=LowerPriority")
    queues.submit_in_turn("q: x1(0)2 x2(0)1; other: y(0)1")
    kueue_cluster.release.pods_are_held = True

    queues.submit_all("other: new(5)1")

    within("settle", lambda: queues.has_preempted("x2 InClusterQueue"), clause="a")
    always(lambda: queues.has_preempted("x2 InClusterQueue"), clause="b")


@scenario(
    "QUE-237",
    "pending Workloads are listed in the order in which they get quota",
    requirement=("kep-4136#usage-first", "kep-168-2#comparable-positions"),
    shows="Q-021 VIS-512b VIS-513 VIS-964",
    since="0.19",
    needs=(BY_USAGE, "pending-workloads API"),
    clauses={
        "a": "by the usage of the LocalQueue, by priority among equals",
        "b": "the first of the list is admitted",
    },
)
def test_listed_by_usage(make_scope):
    queues = make_scope()
    queues.submit_in_turn("q: x(0)4")
    high, low, mid = queues.submit_all("q: high(9)4; other: low(0)4; third: mid(5)4")

    within("settle", lambda: queues["q"].pending().lists(mid, low, high), clause="a")
    always(lambda: queues["q"].pending().lists(mid, low, high), clause="a")
    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved("mid"), clause="b")
    always(lambda: queues.has_reserved("mid"), clause="b")


def waits_by_usage(queues):
    """Have two Workloads of each LocalQueue wait while `q` uses all,
    `third` has used a little, and `other` nothing.
    """
    queues.submit_in_turn("third: y(0)1")
    queues.submit_in_turn("q: x(0)3")
    return queues.submit_all("q: q1(9)4 q2(1)4; other: o1(0)4 o2(3)4; third: t1(5)4 t2(5)4")


@scenario(
    "QUE-278",
    "the usage-based list has both positions of each Workload on each of its pages, and so have the lists of LocalQueues",
    requirement=("kep-4136#usage-first", "kep-168-2#comparable-positions"),
    shows="Q-021 VIS-512b VIS-513 VIS-521 VIS-523 VIS-964",
    since="0.19",
    needs=(BY_USAGE, "pending-workloads API"),
    clauses={
        "a": "the whole list",
        "b": "its pages are parts of it, with the same positions",
        "c": "the positions in the lists of LocalQueues are the same",
    },
)
def test_pages_by_usage(make_scope):
    queues = make_scope()
    q1, q2, o1, o2, t1, t2 = waits_by_usage(queues)
    listed_all, own, other_list = (
        queues["q"].pending(),
        queues["q"].pending_locally(),
        queues["other"].pending_locally(),
    )

    within("settle", lambda: listed_all.lists(o2, o1, t1, t2, q1, q2), clause="a")
    always(lambda: listed_all.has_positions("0/0 1/1 2/0 3/1 4/0 5/1"), clause="a")
    always(lambda: listed_all.has_positions_on_page("1/1 2/0 3/1", offset="1", limit="3"), clause="b")
    always(lambda: listed_all.has_positions_on_page("3/1 4/0", offset="3", limit="2"), clause="b")
    always(lambda: listed_all.has_positions_on_page("5/1", offset="5", limit="9"), clause="b")
    always(lambda: own.lists(q1, q2) and own.has_positions("4/0 5/1"), clause="c")
    always(lambda: own.has_positions_on_page("5/1", offset="1", limit="1"), clause="c")
    always(lambda: other_list.lists(o2, o1) and other_list.has_positions("0/0 1/1"), clause="c")


@scenario(
    "QUE-279",
    "LocalQueues with equal usage stand together in the usage-based list, by priority and age",
    requirement=("kep-4136#usage-first", "kep-168-2#comparable-positions"),
    shows="Q-021 VIS-512b VIS-513 VIS-964",
    since="0.19",
    needs=(BY_USAGE, "pending-workloads API"),
    clauses={
        "a": "the whole list",
        "b": "later Workloads are put in their places",
        "c": "a deleted Workload leaves no gap",
        "d": "positions in LocalQueues are their own",
    },
)
def test_equals_by_usage(make_scope):
    queues = make_scope()
    queues.submit_in_turn("q: x(0)4")
    q1, o1, o2, t1, t2 = queues.submit_all("q: q1(9)4; other: o1(0)4 o2(3)4; third: t1(5)4 t2(1)4")
    listed_all, other_list = queues["q"].pending(), queues["other"].pending_locally()
    within("settle", lambda: listed_all.lists(t1, o2, t2, o1, q1), clause="a")
    always(lambda: listed_all.has_positions("0/0 1/0 2/1 3/1 4/0"), clause="d")
    always(lambda: listed_all.has_positions_on_page("1/0 2/1 3/1", offset="1", limit="3"), clause="d")
    always(lambda: other_list.has_positions("1/0 3/1"), clause="d")

    o3 = queues.submit("other: o3(4)4")
    within("settle", lambda: listed_all.lists(t1, o3, o2, t2, o1, q1), clause="b")
    t1.delete()

    within("settle", lambda: listed_all.lists(o3, o2, t2, o1, q1), clause="c")
    always(lambda: listed_all.has_positions("0/0 1/1 2/0 3/2 4/0"), clause="d")
    always(lambda: other_list.has_positions("0/0 1/1 3/2"), clause="d")


@scenario(
    "QUE-280",
    "a Workload that waits for its victims is listed by the usage of its LocalQueue, first in that LocalQueue",
    requirement=("kep-4136#usage-first", "kep-168-2#comparable-positions"),
    shows="Q-021 Q-022 VIS-512a VIS-512b VIS-964",
    since="0.19",
    level="should",
    revision=2,
    needs=(BY_USAGE, "pending-workloads API"),
    clauses={
        "a": "it stands behind those whose LocalQueues have used less",
        "b": "in its own LocalQueue an inadmissible Workload of higher priority stands behind it",
        "c": "on other pages as well",
        "d": "and in the lists of the LocalQueues",
    },
)
def test_preemptor_in_the_list_by_usage(kueue_cluster, make_scope):
    queues = make_scope("q 4 within=LowerPriority")
    queues.submit_in_turn("q: x(0)4")
    kueue_cluster.release.pods_are_held = True
    p, q1 = queues.submit_all("q: p(9)4 q1(99)5")
    within("evict", queues.workloads["x"].is_evicted)

    o1, o2, t1 = queues.submit_all("other: o1(0)4 o2(0)4; third: t1(0)4")

    listed_all, own, other_list = (
        queues["q"].pending(),
        queues["q"].pending_locally(),
        queues["other"].pending_locally(),
    )
    within("settle", lambda: listed_all.has_at(p, 3, 0), clause="a")
    within("settle", lambda: listed_all.lists(o1, o2, t1, p, q1), clause="b")
    always(lambda: listed_all.has_positions("0/0 1/1 2/0 3/0 4/1"), clause="b")
    always(lambda: listed_all.has_positions_on_page("1/1 2/0", offset="1", limit="2"), clause="c")
    always(lambda: listed_all.has_positions_on_page("3/0 4/1", offset="3", limit="2"), clause="c")
    always(lambda: own.has_positions("3/0 4/1") and other_list.has_positions("0/0 1/1"), clause="d")


@scenario(
    "QUE-297",
    "a recreated LocalQueue has no usage",
    requirement=("kep-4136#usage-first", "kep-4136#decay"),
    shows="Q-021 AC-045 AC-077",
    since="0.19",
    level="should",
    needs=(BY_USAGE,),
    clauses={"a": "its Workload goes before one of a LocalQueue with usage", "b": "which waits"},
)
def test_local_queue_made_anew(kueue_cluster, make_scope):
    queues = make_scope()
    queues.submit_in_turn("q: before(0)3; other: some(0)1")
    queues.delete_workloads("before")
    queues.submit_in_turn("third: x(0)3")
    queues["q"].delete_local()
    kueue_cluster.make_local_queue_for(queues["q"])
    queues.submit_all("other: high(9)3; q: low(0)3")

    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved("low", "some"), clause="a")
    always(lambda: queues.has_reserved("low", "some"), clause="b")


@scenario(
    "QUE-300",
    "the admission scope of a queue may change while Workloads wait in it",
    requirement=("kep-4136#usage-first", "kueue-docs#queueing-order"),
    shows="Q-021 AC-045 VIS-512b VIS-964",
    since="0.19",
    needs=(BY_USAGE, "pending-workloads API"),
    clauses={
        "a": "with a scope the LocalQueue with less usage is first in the list",
        "b": "without one the most important",
        "c": "the first in the list then is admitted",
    },
)
def test_scope_changes(make_scope):
    queues = make_scope()
    queues.submit_in_turn("q: x(0)4")
    high, higher, low = queues.submit_all("q: high(8)4 higher(9)4; other: low(0)4")
    within("settle", lambda: queues["q"].pending().lists(low, higher, high), clause="a")

    queues["q"].try_to_change(admissionScope=None)
    within("settle", lambda: queues["q"].pending().lists(higher, high, low), clause="b")
    queues["q"].try_to_change(admissionScope=SCOPE)
    within("settle", lambda: queues["q"].pending().lists(low, higher, high), clause="a")
    queues.delete_workloads("x")

    within("admit", lambda: queues.has_reserved("low"), clause="c")
    always(lambda: queues.has_reserved("low"), clause="c")


@scenario(
    "QUE-302",
    "a Workload of a deleted LocalQueue may be preempted where usage decides",
    requirement=("kep-4136#usage-first", "kep-83#within-cluster-queue"),
    shows="Q-262",
    since="0.19",
    level="should",
    needs=(BY_USAGE,),
    clauses={"a": "the preemptor is admitted", "b": "both were preempted for it"},
)
def test_victims_of_a_local_queue_that_is_gone(make_scope):
    queues = make_scope("q 4 within=LowerPriority")
    queues.submit_in_turn("q: x(0)2; other: y(0)2")
    queues["other"].delete_local()

    new = queues.submit("q: new(5)4")

    within("admit", new.is_admitted, clause="a")
    within("settle", lambda: queues.were_preempted("x", "y"), clause="b")
