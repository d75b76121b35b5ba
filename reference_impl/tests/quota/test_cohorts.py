"""Cohorts come by reference or by an object of their own, and go with the last of both (Q-130, Q-132)."""

from __future__ import annotations

from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.tree import guaranteed_quota

from .forests import Sketch

CPU = FlavorResource("default", "cpu")


def make_nested() -> Sketch:
    return Sketch().cohort("root", 4).cohort("all", 2, "root").queue("a", 1).queue("b", 1)


def test_a_deleted_cohort_keeps_its_children_and_loses_its_quota_and_its_parent_q_130() -> None:
    sketch = make_nested()

    sketch.forest.remove_cohort("all")

    assert sketch.figures("a") == (1, 0, 2, 2)
    assert set(sketch.forest.members("a")) == {"a", "b"}
    assert sketch.figures("root")[0] == 4


def test_a_cohort_without_object_goes_with_its_last_child_q_130() -> None:
    sketch = make_nested().queue("a", 1, "other")
    sketch.forest.remove_cohort("all")

    sketch.forest.remove_queue("b")

    assert set(sketch.forest.cohorts) == {"root", "other"}


def test_a_cohort_with_an_object_stays_without_children_q_130() -> None:
    sketch = make_nested()
    for name in ("a", "b"):
        sketch.forest.remove_queue(name)

    assert set(sketch.forest.cohorts) == {"root", "all"}


def test_a_deleted_cohort_without_children_is_gone_q_130() -> None:
    sketch = Sketch().cohort("all", 2)

    sketch.forest.remove_cohort("all")

    assert sketch.forest.cohorts == {}


def test_a_queue_that_moves_takes_its_quota_and_usage_along_q_132() -> None:
    sketch = make_nested().queue("c", 3, "other").use("a", 2)

    sketch.queue("a", 1, "other")

    assert [sketch.figures(name)[:2] for name in ("all", "root", "other")] == [(3, 0), (7, 0), (4, 2)]
    assert sketch.forest.cohort_members("all") == ("b",)


def test_what_is_not_known_has_no_members() -> None:
    forest = Sketch().forest

    assert (forest.members("q"), forest.cohort_members("c")) == ((), ())


def version_of(forest: CohortTrees, name: str) -> int:
    root = forest.root(forest.queues[name])
    assert root is not None
    return root.version


def test_a_flavor_or_a_check_that_changed_gives_the_tree_a_new_version_p_036() -> None:
    forest = make_nested().forest
    before = version_of(forest, "a")

    forest.touch("b")

    assert version_of(forest, "a") > before


def test_flavors_are_searched_anew_after_what_makes_room_q_142() -> None:
    forest = CohortTrees()
    forest.set_queue("q", "", {CPU: Quota(2)})
    visited = []
    for change in (forest.add, forest.add, forest.remove):
        before = forest.queues["q"].generation
        change("q", {CPU: 1})
        visited.append(forest.queues["q"].generation > before)

    assert visited == [False, False, True]


def test_a_cohort_that_may_lend_more_than_it_has_keeps_nothing_q_121() -> None:
    sketch = Sketch().cohort("root", 0)
    sketch.forest.set_cohort("all", "root", {CPU: Quota(1, lending_limit=9)})

    assert guaranteed_quota(sketch.forest.cohorts["all"], CPU) == 0


def test_what_exceeds_the_kept_quota_by_the_least_amount_rises_to_the_cohort_q_127() -> None:
    forest = CohortTrees()
    forest.set_queue("q", "all", {CPU: Quota(2, lending_limit=0)})
    visited = []
    for change, value in ((forest.add, 2), (forest.add, 1), (forest.remove, 1)):
        change("q", {CPU: value})
        visited.append(forest.cohorts["all"].usage_of(CPU))

    assert visited == [0, 1, 0]
