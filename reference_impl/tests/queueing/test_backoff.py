"""Workloads that wait for the end of a back-off (Q-342, VC-24)."""

from __future__ import annotations

from reference_impl.api import instants

from ..scheduling.queue_side import EPOCH, Cluster
from .queue_events import acts_of, admit, change, make_cluster, names_in_order, reprioritize


def release(cluster: Cluster, seconds: int | None) -> Cluster:
    """Release an admitted Workload; it is requeued after so many seconds."""
    requeued = (
        {}
        if seconds is None
        else {"requeueState": {"count": 1, "requeueAt": instants.render(EPOCH + seconds)}}
    )
    condition = {"type": "Requeued", "status": "False", "reason": "PodsReadyTimeout"}
    return change(cluster, conditions=[condition], admission=None, **requeued)


class TestBackoff:
    def test_what_is_released_is_not_listed_before_its_backoff_is_over_vc_24(self) -> None:
        cluster = release(admit(make_cluster()), 60)
        assert names_in_order(cluster) == []

        cluster.now = EPOCH + 60
        cluster.queue_manager.requeue(cluster.objects["ns/w"])

        assert names_in_order(cluster) == ["w"]

    def test_a_backoff_that_ends_this_very_second_is_over_q_342(self) -> None:
        assert names_in_order(release(admit(make_cluster()), 0)) == ["w"]

    def test_what_comes_back_after_its_backoff_asks_for_a_cycle(self) -> None:
        cluster = release(admit(make_cluster()), 60)

        assert acts_of(cluster, lambda cluster: cluster.queue_manager.requeue(cluster.objects["ns/w"])) == [
            "work"
        ]

    def test_what_is_released_lets_others_be_tried(self) -> None:
        acts = acts_of(admit(make_cluster()), lambda cluster: release(cluster, 60))

        assert [act for act in acts if isinstance(act, str)] == ["wake", "work"]

    def test_another_change_lists_it_at_once_vc_24(self) -> None:
        cluster = reprioritize(release(admit(make_cluster()), 60))

        assert names_in_order(cluster) == ["w"]
        assert cluster.queue_manager.queues.cluster_queues["cq"].head() is None

    def test_requeued_false_alone_does_not_keep_it_off_vc_24(self) -> None:
        assert names_in_order(release(admit(make_cluster()), None)) == ["w"]
