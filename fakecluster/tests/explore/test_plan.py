"""Perturbations are planned where the trace says that they can show something."""

from fakecluster.explore.perturbations import Kind
from fakecluster.explore.plan import candidates, plan
from fakecluster.explore.trace import trace_of
from fakecluster.journal.entry import Change, Entry

USER = "operator"


def entry(seq, user, verb, resource, *, name="a", revision=0, code=200):
    changes = (Change(revision=revision, before=None, after={}),) if revision else ()
    return Entry(
        seq=seq, time=0.0, audit_id="", user=user, verb=verb, path=f"/{resource}", resource=resource,
        namespace="default", name=name, code=code, changes=changes,
    )  # fmt: skip


ENTRIES = (
    entry(1, USER, "list", "jobs", name=""),
    entry(2, USER, "watch", "jobs", name=""),
    entry(3, "admin", "create", "jobs", revision=10),
    entry(4, USER, "create", "pods", revision=11),
    entry(5, USER, "update", "jobs", revision=12),
    entry(6, "admin", "update", "secrets", revision=13),
    entry(7, USER, "update", "jobs", code=409),
    entry(8, USER, "update", "leases", revision=14),
)
TRACE = trace_of(ENTRIES, [2, 5, 8], "operator*")


def names(kinds):
    return {perturbation.name for perturbation in candidates(TRACE) if perturbation.kind in kinds}


def test_a_write_that_was_stored_can_be_cut_behind_and_one_that_was_not_before_only():
    assert names({Kind.KILL_BEFORE_WRITE}) == {
        "kill-before-write-1",
        "kill-before-write-2",
        "kill-before-write-3",
    }
    assert names({Kind.KILL_AFTER_WRITE}) == {"kill-after-write-1", "kill-after-write-2"}


def test_only_a_write_of_something_that_exists_can_conflict():
    assert names({Kind.CONFLICT}) == {"conflict-at-write-2", "conflict-at-write-3"}


def test_an_event_comes_late_only_where_one_comes():
    assert names({Kind.LATE_AFTER_WRITE}) == {"late-events-after-write-2"}
    assert names({Kind.LATE, Kind.SKIPPED}) == {"late-events-in-act-1", "events-skipped-in-act-1"}


def test_the_same_write_of_the_same_object_is_counted():
    assert [write.target.nth for write in TRACE.writes] == [1, 1, 2]


def test_a_seed_gives_an_order_and_every_kind_comes_before_any_comes_twice():
    first, second, other = (plan(TRACE, seed, "") for seed in (1, 1, 2))

    assert first == second != other
    kinds = [perturbation.kind for perturbation in first]
    assert len(set(kinds[: len(set(kinds))])) == len(set(kinds))
