"""Questions to the journal and what may be asserted of the answers (F-01)."""

from __future__ import annotations

import pytest

from fakecluster.journal import Change, Entry, Journal
from fakecluster.journal.matching import UnknownValueError


def write(name, *, time=0.0, revision=1, **values):
    """An entry that changed one Widget."""
    changed = (Change(revision=revision, before=None, after={"metadata": {"name": name}}),)
    return entry(name, time=time, changes=changed, **values)


def entry(name, *, verb="patch", code=200, user="alice", time=0.0, **values):
    return Entry(
        time=time,
        audit_id="a",
        user=user,
        verb=verb,
        path=f"/widgets/{name}",
        resource="widgets",
        name=name,
        code=code,
        **values,
    )


@pytest.fixture
def journal():
    filled = Journal(current_time=lambda: 100.0)
    for written in (
        write("a", verb="create", manager="kubectl", user_agent="kubectl/v1.36 (linux)"),
        write("a", subresource="status", manager="my-check", time=10.0),
        entry("b", verb="get", user="bob"),
        entry("b", code=409, reason="Conflict", message="changed meanwhile"),
        write("b", subresource="status", manager="my-check", time=98.0),
    ):
        filled.record(written)
    return filled


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        pytest.param({"verb": "patch", "resource": "widgets/status"}, [2, 5], id="subresource"),
        pytest.param({"actor": "my-check"}, [2, 5], id="actor-by-manager"),
        pytest.param({"actor": "kubectl"}, [1], id="actor-by-user-agent"),
        pytest.param({"actor": "bob"}, [3], id="actor-by-user"),
        pytest.param({"name": "a", "wrote": True}, [1, 2], id="attributes"),
        pytest.param({"user": "*li*", "code": 409}, [4], id="wildcards"),
        pytest.param({"verb": "delete"}, [], id="none"),
    ],
)
def test_questions_find_entries(journal, question, numbers):
    assert [answer.seq for answer in journal.where(**question)] == numbers
    assert journal.all.count(**question) == len(numbers)


def test_a_question_about_something_unknown_says_what_there_is(journal):
    with pytest.raises(UnknownValueError, match="have no 'verbs': expected one of actor, actors"):
        journal.where(verbs="patch")


def test_writes_are_counted_by_manager(journal):
    assert journal.writes_by_manager() == {"kubectl": 1, "my-check": 2}


def test_never_tells_what_happened(journal):
    journal.assert_never(verb="delete")
    with pytest.raises(
        AssertionError, match=r"code=409 was to happen never, and happened 1 times:\n#4 .*changed meanwhile"
    ):
        journal.assert_never(code=409)


def test_order_is_told_by_what_is_missing(journal):
    journal.assert_order({"verb": "create"}, {"code": 409}, {"resource": "widgets/status"})
    with pytest.raises(AssertionError, match="verb='create' did not happen in this order"):
        journal.assert_order({"code": 409}, {"verb": "create"})


def test_quiescence_looks_back_from_now(journal):
    journal.assert_quiesced(window=1)
    with pytest.raises(AssertionError, match=r"expected no write in the last 5 s, found 1:\n#5 "):
        journal.assert_quiesced(window=5)


def test_hot_loops_are_writes_without_a_change_in_a_row():
    journal = Journal()
    for written in [entry("a")] * 3 + [write("a")] + [entry("a")] * 4 + [entry("b", verb="get")] * 9:
        journal.record(written)

    (numbers,) = journal.hot_loops(min=4)
    assert (numbers.actor, numbers.verb, numbers.path, numbers.times) == ("alice", "patch", "/widgets/a", 4)


def test_old_entries_leave_and_numbers_go_on():
    journal = Journal(limit=10)
    for _ in range(11):
        journal.record(entry("a"))

    assert [remaining.seq for remaining in journal] == [6, 7, 8, 9, 10, 11]
    assert [remaining.seq for remaining in journal.since(9)] == [10, 11]
