"""The children of a cohort in order: by key, then by name, a cohort before a ClusterQueue of its name."""

from reference_impl.kueue.quota.tree import Node
from reference_impl.kueue.scheduling.ranking import NodeRanking


def test_smaller_keys_then_smaller_names_go_first() -> None:
    ranking, a, b = NodeRanking(), Node("a", is_queue=True), Node("b", is_queue=True)
    ranking.put(b, 1)
    ranking.put(a, 1)
    assert ranking.first is a
    ranking.put(b, 0)
    assert ranking.first is b
    ranking.drop(b)
    assert ranking.first is a


def test_a_cohort_and_a_queue_may_have_one_name() -> None:
    ranking, queue, cohort = NodeRanking(), Node("a", is_queue=True), Node("a", is_queue=False)
    ranking.put(queue, 1)
    ranking.put(cohort, 1)
    assert ranking.first is cohort
    ranking.drop(cohort)
    assert ranking.first is queue
