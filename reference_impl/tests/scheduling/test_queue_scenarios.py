"""Situations of queues and cohorts played cycle by cycle (scheduling §16: S-005…S-049, S-090)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.workload.view import Workload

from .queue_side import Cluster, group, pod_set

NO_LONGER_FITS = "Workload no longer fits after processing another workload"
PREFIX = "couldn't assign flavors to pod set main: "


def alone(cores, **spec):
    return Cluster().flavors().queue("cq", group("cpu", default=[cores]), **spec)


def cohort(**queues):
    cluster = Cluster().flavors()
    for name, (cores, limits) in queues.items():
        cluster.queue(name, group("cpu", default=[{"nominalQuota": cores, **limits}]), cohortName="all")
    return cluster


def names_with_quota(cluster):
    return sorted(workload.name for workload in cluster.objects.values() if workload.has_quota_reservation)


def finish(cluster, name):
    before = cluster.objects[f"ns/{name}"]
    done = {
        "type": "Finished",
        "status": "True",
        "reason": "Succeeded",
        "message": "",
        "lastTransitionTime": "x",
    }
    conditions = [*before.conditions, done]
    return cluster.put(Workload({**before.object, "status": {**before.status, "conditions": conditions}}))


class TestStrategies:
    def test_a_strict_queue_waits_for_its_head_s_041(self):
        cluster = alone(5, queueingStrategy="StrictFIFO")
        cluster.cpu("first", 2, priority=100).cpu("big", 5, priority=10).cpu("small", 1, priority=1)

        verdicts = cluster.run_all()

        assert names_with_quota(cluster) == ["first"]
        assert set(verdicts) == {"first", "big"}
        assert cluster.pending() == (2, 0)

    def test_a_best_effort_queue_passes_by_s_038(self):
        cluster = (
            alone(5).cpu("first", 2, priority=100).cpu("big", 5, priority=10).cpu("small", 1, priority=1)
        )

        cluster.run_all()

        assert names_with_quota(cluster) == ["first", "small"]
        assert cluster.pending() == (0, 1)

    def test_a_changed_strategy_lets_the_others_pass_s_039(self):
        cluster = alone(5, queueingStrategy="StrictFIFO").cpu("big", 6, priority=10).cpu("small", 1)
        cluster.run_all()

        cluster.queue("cq", group("cpu", default=[5])).run_all()

        assert names_with_quota(cluster) == ["small"]

    def test_equal_shapes_are_parked_together_s_090(self):
        cluster = alone(2)
        for name in range(10):
            cluster.cpu(f"big-{name}", 10)
        cluster.cpu("small", 1)

        verdicts = cluster.run_all()

        assert set(verdicts) == {"big-0", "small"}
        assert cluster.pending() == (0, 10)

    def test_another_namespace_does_not_block_a_strict_queue_s_042(self):
        cluster = alone(5, queueingStrategy="StrictFIFO", namespaceSelector={"matchLabels": {"a": "b"}})

        assert cluster.cpu("w", 1).run_all() == {
            "w": "workload namespace doesn't match ClusterQueue selector"
        }
        assert cluster.pending() == (0, 1)


class TestOrder:
    def test_priority_then_age_s_006(self):
        cluster = alone(4).cpu("low", 2, priority=0).cpu("mid", 2, priority=10).cpu("high", 2, priority=100)
        cluster.cpu("high-too", 2, priority=100)

        cluster.run_all()

        assert names_with_quota(cluster) == ["high", "high-too"]

    def test_nominal_quota_goes_before_borrowing_s_020(self):
        cluster = (
            cohort(prod=(2, {}), dev=(0, {})).cpu("d1", 1, queue="dev", priority=9).cpu("p1", 2, queue="prod")
        )

        assert cluster.run() == {"p1": "reserved", "d1": NO_LONGER_FITS}

    def test_several_of_a_cohort_get_in_with_one_cycle_s_019(self):
        cluster = cohort(prod=(5, {"borrowingLimit": 10}), dev=(5, {"borrowingLimit": 10}), test=(15, {}))
        cluster.cpu("p", 11, queue="prod").cpu("d", 11, queue="dev")

        assert cluster.run() == {"p": "reserved", "d": "reserved"}

    def test_a_retry_sends_behind_equals_ac_319(self):
        evicted = {
            "type": "Evicted",
            "status": "True",
            "reason": "AdmissionCheck",
            "message": "",
            "lastTransitionTime": "2023-11-14T22:50:00Z",
        }
        cluster = (
            alone(1)
            .cpu("sent-back", 1, created=1, status={"conditions": [evicted]})
            .cpu("later", 1, created=2)
        )

        cluster.run_all()

        assert names_with_quota(cluster) == ["later"]


class TestWaking:
    def test_a_finished_workload_lets_another_queue_of_the_cohort_go_on_s_016(self):
        cluster = cohort(a=(5, {}), b=(5, {})).cpu("first", 8, queue="a").cpu("waits", 8, queue="b")
        cluster.run_all()

        finish(cluster, "first").wake().run_all()

        assert "waits" in names_with_quota(cluster)

    def test_a_deleted_workload_frees_what_it_held_s_015(self):
        cluster = alone(5).cpu("first", 4).cpu("waits", 4)
        cluster.run_all()

        cluster.remove("first").wake().run_all()

        assert names_with_quota(cluster) == ["waits"]

    def test_raised_quota_lets_in_s_018(self):
        cluster = alone(5).cpu("w", 6)
        cluster.run_all()

        cluster.queue("cq", group("cpu", default=[6])).wake().run_all()

        assert names_with_quota(cluster) == ["w"]

    def test_nothing_moves_before_it_is_woken_q_050(self):
        cluster = alone(5).cpu("w", 6)
        cluster.run_all()

        cluster.queue("cq", group("cpu", default=[6]))

        assert cluster.run_all() == {}
        assert cluster.silence.wakes > 0

    def test_a_status_that_says_nothing_new_does_not_bring_it_back_q_032(self):
        cluster = alone(5).cpu("w", 6)
        cluster.run_all()
        checks = [
            {"name": "c", "state": "Ready", "message": "", "lastTransitionTime": "2023-11-14T22:00:00Z"}
        ]

        cluster.put(Workload({**cluster.objects["ns/w"].object, "status": {"admissionChecks": checks}}))

        assert cluster.run_all() == {}

    def test_a_new_namespace_wakes_nobody_but_new_labels_do_q_051(self):
        cluster = alone(5, namespaceSelector={"matchLabels": {"a": "b"}}).cpu("w", 1)
        cluster.run_all()
        before = cluster.silence.wakes
        cluster.notes.namespace(None, {"metadata": {"name": "other", "labels": {"a": "b"}}})
        unmoved = cluster.silence.wakes

        cluster.notes.namespace(None, {"metadata": {"name": "ns", "labels": {"a": "b"}}})
        cluster.wake().run_all()

        assert (unmoved, names_with_quota(cluster)) == (before, ["w"])

    def test_other_labels_of_a_namespace_that_was_selected_before_wake_nobody_q_051(self):
        cluster = alone(5).cpu("w", 6)
        cluster.run_all()
        before = cluster.silence.wakes

        cluster.notes.namespace(None, {"metadata": {"name": "ns", "labels": {"a": "b"}}})

        assert cluster.silence.wakes == before

    def test_a_blocked_head_is_not_looked_at_again_p_036(self):
        cluster = alone(5, queueingStrategy="StrictFIFO").cpu("w", 6)

        assert set(cluster.run()) == {"w"}
        assert cluster.run() == {}

    def test_what_is_written_about_a_blocked_head_is_a_reason_to_look_once_more_qc_04(self):
        """Two pod sets whose searches take turns would have two messages follow each other for ever."""
        cluster = alone(5, queueingStrategy="StrictFIFO").cpu("w", 6, created=0)
        cluster.run()
        verdicts = {"type": "QuotaReserved", "status": "False", "reason": "Pending"}
        looks = []

        for message in ("one", "another", "one"):
            words = {"conditions": [{**verdicts, "message": message}]}
            cluster.put(change(cluster.objects["ns/w"], status=words))
            looks.append(set(cluster.run()))
        cluster.put(change(cluster.objects["ns/w"], spec={"priority": 5}))

        assert (looks, set(cluster.run())) == ([{"w"}, set(), set()], {"w"})


def change(workload, **sections):
    """Return a Workload with fields of its sections set."""
    obj = workload.object
    return Workload({**obj, **{name: {**obj.get(name, {}), **fields} for name, fields in sections.items()}})


class TestCohorts:
    def test_a_cohort_object_brings_quota_s_031(self):
        cluster = cohort(cq=(0, {})).cpu("w", 10)
        cluster.run_all()

        cluster.notes.cohort(
            None, {"metadata": {"name": "all"}, "spec": {"resourceGroups": [group("cpu", default=[10])]}}
        )
        cluster.wake().run_all()

        assert names_with_quota(cluster) == ["w"]

    def test_a_cycle_of_cohorts_stops_scheduling_q_131(self):
        cluster = cohort(cq=(5, {}))
        cluster.notes.cohort(None, {"metadata": {"name": "all"}, "spec": {"parentName": "all"}})

        assert cluster.cpu("w", 1).run() == {"w": "ClusterQueue cq is inactive"}

    def test_the_borrowing_limit_holds_q_124(self):
        cluster = cohort(cq=(1, {"borrowingLimit": 1}), lender=(5, {}))

        assert cluster.cpu("w", 3).run() == {
            "w": f"{PREFIX}insufficient quota for cpu in flavor default, previously considered podsets requests (0) "
            "+ current podset request (3) > maximum capacity (2)"
        }

    def test_a_lent_quota_that_shrank_keeps_who_is_in_s_049d(self):
        cluster = cohort(cq=(1, {}), other=(2, {})).cpu("in", 2)
        cluster.run_all()
        cluster.cpu("waits", 2, queue="other").run_all()

        cluster.queue("cq", group("cpu", default=[0]), cohortName="all").wake()

        assert cluster.run() == {
            "waits": f"{PREFIX}insufficient unused quota for cpu in flavor default, 2 more needed"
        }
        assert names_with_quota(cluster) == ["in"]


KEEPING = {
    "kept for the head (S-044)": ("LowerPriority", {"small": NO_LONGER_FITS}),
    "given away when it can be reclaimed (S-043, T-13)": ("Any", {"small": "reserved"}),
}


@pytest.mark.parametrize(("reclaim", "expected"), KEEPING.values(), ids=KEEPING)
def test_space_of_a_blocked_head(reclaim, expected):
    cluster = Cluster().flavors()
    cluster.queue(
        "strict",
        group("cpu", default=[2]),
        cohortName="all",
        queueingStrategy="StrictFIFO",
        preemption={"reclaimWithinCohort": reclaim},
    )
    cluster.queue("cq", group("cpu", default=[0]), cohortName="all").cpu("first", 1, queue="strict")
    cluster.run_all()

    verdicts = cluster.cpu("head", 2, queue="strict").cpu("small", 1).run()

    assert {"small": verdicts["small"]} == expected


PARTIAL = {
    "[50] min [20], X=40": ([50], [20], 40, [40]),
    "[20,20,10] min 10 each, X=35": ([20, 20, 10], [10, 10, 10], 35, [12, 12, 10]),
    "[6,20,20] min [6,10,5], X=30": ([6, 20, 20], [6, 10, 5], 30, [6, 14, 10]),
    "enough for all": ([5], [1], 9, [5]),
}


@pytest.mark.parametrize(("counts", "least", "cores", "expected"), PARTIAL.values(), ids=PARTIAL)
def test_as_many_pods_as_fit_q_186(counts, least, cores, expected):
    pods = [
        pod_set(f"p{i}", n, {"cpu": 1}, min_count=m)
        for i, (n, m) in enumerate(zip(counts, least, strict=True))
    ]
    cluster = alone(cores).workload("w", *pods)

    cluster.run()

    assert [
        pod_set_assignment["count"] for pod_set_assignment in cluster.admission("w")["podSetAssignments"]
    ] == expected


def test_too_few_even_for_the_least_number_of_pods_q_186():
    cluster = alone(10).workload("w", pod_set(count=50, requests={"cpu": 1}, min_count=20))

    assert "current podset request (50)" in cluster.run()["w"]


def test_reclaimed_pods_are_not_asked_for_s_010():
    status = {"reclaimablePods": [{"name": "main", "count": 1}]}
    cluster = alone(5).workload("w", pod_set(count=2, requests={"cpu": 3}), status=status)

    cluster.run()

    assert cluster.admission("w")["podSetAssignments"][0]["count"] == 1


def test_reclaimed_pods_of_an_admitted_workload_wake_others_s_011():
    cluster = alone(3).workload("w", pod_set(count=3, requests={"cpu": 1})).cpu("waits", 1)
    cluster.run_all()
    before = cluster.objects["ns/w"]
    status = {**before.status, "reclaimablePods": [{"name": "main", "count": 1}]}

    cluster.put(Workload({**before.object, "status": status})).wake().run_all()

    assert names_with_quota(cluster) == ["w", "waits"]


class TestBlockedAdmission:
    def test_the_second_waits_for_the_pods_of_the_first_s_095(self):
        cluster = Cluster(block_admission=True).flavors().queue("cq", group("cpu", default=[5]))

        assert cluster.cpu("a", 1).cpu("b", 1).run() == {"a": "reserved"}
        assert cluster.run() == {"b": "waits"}


class TestRefusals:
    def test_failed_checks_ac_282(self):
        check = {"name": "c", "state": "Retry", "message": "", "lastTransitionTime": "2023-11-14T22:00:00Z"}
        cluster = alone(5).cpu("w", 1, status={"admissionChecks": [check]})

        assert cluster.run() == {"w": "The workload has failed admission checks"}

    def test_a_workload_in_backoff_is_not_tried_q_035(self):
        cluster = alone(5).cpu("w", 1, status={"requeueState": {"requeueAt": "2033-01-01T00:00:00Z"}})

        assert cluster.run_all() == {}
        assert cluster.pending() == (0, 1)

    def test_a_stopped_queue_keeps_its_workloads_q_039(self):
        cluster = alone(5, stopPolicy="Hold").cpu("w", 1)

        assert cluster.run_all() == {}
        assert cluster.pending() == (1, 0)
