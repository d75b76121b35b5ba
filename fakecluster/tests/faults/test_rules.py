"""Rules of faults: whom they hit, and that the seed alone decides (F-03)."""

from __future__ import annotations

import pytest

from fakecluster.faults import Answer, Delay, Drop, Faults, Repeat, Rule, RuleError, Subject
from fakecluster.faults.subject import LONGEST_CHARACTERS

STATUS = Subject(
    verb="update",
    group="batch",
    resource="jobs",
    subresource="status",
    namespace="team-a",
    name="train",
    user="system:serviceaccount:a:b",
    user_agent="my-check/v1 (linux)",
)


@pytest.fixture
def faults():
    return Faults(7, lambda: 50.0)


@pytest.mark.parametrize(
    ("match", "hits"),
    [
        pytest.param({}, True, id="everything"),
        pytest.param({"verb": "update", "resource": "jobs/status"}, True, id="subresource"),
        pytest.param({"resource": "jobs.batch/status"}, True, id="with-group"),
        pytest.param({"resource": "jobs"}, False, id="not-the-main-resource"),
        pytest.param({"resource": "jobs*"}, True, id="wildcard"),
        pytest.param({"actor": "my-check"}, True, id="user-agent"),
        pytest.param({"actor": "system:serviceaccount:a:*"}, True, id="user"),
        pytest.param({"actor": "bob"}, False, id="somebody-else"),
        pytest.param({"namespace": "team-a", "name": "tr*"}, True, id="name"),
        pytest.param({"name": "other"}, False, id="other-name"),
        pytest.param({"after": 50.0}, True, id="begun"),
        pytest.param({"after": 50.1}, False, id="not-yet"),
        pytest.param({"before": 50.0}, False, id="over"),
        pytest.param({"probability": 0.0}, False, id="never"),
    ],
)
def test_a_rule_hits_what_it_matches(faults, match, hits):
    faults.add(Drop(), **match)

    assert bool(faults.on_request(STATUS)) == hits


@pytest.mark.parametrize(
    ("match", "hits"),
    [
        pytest.param({"nth": 2}, [0, 1, 0, 0], id="second"),
        pytest.param({"nth": (1, 3)}, [1, 0, 1, 0], id="first-and-third"),
        pytest.param({"times": 2}, [1, 1, 0, 0], id="twice"),
    ],
)
def test_a_rule_counts_what_fits_it(faults, match, hits):
    faults.add(Drop(), verb="update", **match)

    assert [len(faults.on_request(STATUS)) for _ in range(4)] == hits


def decisions(seed):
    faults = Faults(seed, lambda: 0.0)
    faults.add(Drop(), probability=0.5)
    return [bool(faults.on_request(STATUS)) for _ in range(64)]


def test_the_seed_decides_and_nothing_else():
    assert decisions(1) == decisions(1)
    assert decisions(1) != decisions(2)
    assert 16 < sum(decisions(1)) < 48


def test_a_rule_that_comes_back_counts_anew(faults):
    for _ in range(2):
        faults.add(Drop(), id="again", times=1)
        assert faults.on_request(STATUS) == (Drop(),)
        faults.remove("again")


def test_all_rules_that_hit_take_effect_in_order(faults):
    faults.add(Delay(2.0))
    faults.add(Repeat())
    faults.add(Answer(503, after_commit=True))

    assert faults.on_request(STATUS) == (Delay(2.0), Answer(503, after_commit=True))
    assert faults.on_event(STATUS) == (Repeat(),)


def test_hits_are_told(faults):
    rule = faults.add(Drop(), nth=2)
    faults.on_request(STATUS)
    faults.on_request(STATUS)

    assert [(hit.rule, hit.number, hit.subject.name) for hit in faults.hits] == [(rule.id, 2, "train")]


def test_a_listener_gets_each_hit_until_it_leaves(faults):
    faults.add(Drop(), verb="update", nth=2)
    hits = []
    unsubscribe = faults.subscribe(hits.append)
    for _ in range(3):
        faults.on_request(STATUS)
    faults.add(Drop())
    unsubscribe()
    faults.on_request(STATUS)

    assert [(hit.rule, hit.number, hit.subject) for hit in hits] == [("rule-1", 2, STATUS)]


def test_a_partition_ends_with_its_block(faults):
    with faults.partition("my-check"):
        assert faults.on_request(STATUS) == (Drop(),)
    assert not faults.rules


def test_rules_survive_json(faults):
    rule = faults.add(Answer(409, after_commit=True), id="late", verb="update", nth=(1, 2), probability=0.5)
    copy = Faults(7, lambda: 0.0).add_json(rule.to_json())

    assert rule.to_json() == {
        "id": "late",
        "match": {"verb": "update", "nth": [1, 2], "probability": 0.5},
        "effect": {
            "kind": "answer",
            "code": 409,
            "reason": "",
            "message": "",
            "retryAfter": 0,
            "afterCommit": True,
        },
    }
    assert isinstance(copy, Rule)
    assert copy == rule


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param([], "[] is no rule: expected an object with match and effect", id="no-object"),
        pytest.param(
            {"effects": {}},
            "a rule has no effects: expected one of id, match, effect; did you mean 'effect'?",
            id="unknown-field",
        ),
        pytest.param(
            {},
            "None is no effect: expected an object whose kind is one of answer, drop, delay",
            id="no-effect",
        ),
        pytest.param(
            {"effect": {"kind": "explode"}},
            "is no effect: expected an object whose kind is one of",
            id="unknown-effect",
        ),
        pytest.param({"effect": {"kind": "answer"}}, "answer needs code", id="needs-code"),
        pytest.param(
            {"effect": {"kind": "answer", "code": "409"}},
            "answer.code is '409': expected int from 400 to 599",
            id="code-as-text",
        ),
        pytest.param(
            {"effect": {"kind": "drop", "late": 1}},
            "drop has no late: expected one of afterCommit",
            id="unknown-part",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verbs": "get"}},
            "a match has no 'verbs': expected one of verb, resource",
            id="unknown-match",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verb": 1}},
            "match.verb is 1: expected str",
            id="verb-as-number",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"nth": [0]}},
            "match.nth is (0,): expected whole numbers from 1",
            id="zeroth",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"probability": 2.0}},
            "match.probability is 2.0: expected a number from 0 to 1",
            id="too-likely",
        ),
        pytest.param({"effect": {"kind": "Drop"}}, "did you mean 'drop'?", id="effect-in-another-case"),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": []},
            "match is []: expected an object with some of verb",
            id="match-that-is-none",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verb": "PUT"}},
            "match.verb is 'PUT': expected one of get, list, watch, create, update, patch, delete, deletecollection; did you mean 'update'?",
            id="method",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verb": "GET"}},
            "did you mean 'get'?",
            id="verb-in-capitals",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verb": "lst"}}, "did you mean 'list'?", id="verb-misspelt"
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"verb": "x*"}},
            "match.verb is 'x*'",
            id="verbs-that-begin-so",
        ),
        pytest.param(
            {"effect": {"kind": "repeat"}, "match": {"verb": "update"}},
            "match.verb is 'update', but repeat is for watch only",
            id="event-of-an-update",
        ),
        pytest.param(
            {"effect": {"kind": "stale", "revisions": 1}, "match": {"verb": "watch"}},
            "stale is for get and list only",
            id="stale-watch",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"skip": -1}},
            "match.skip is -1: expected a whole number from 0",
            id="skip",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"times": True}}, "match.times is True", id="times"
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"nth": [1, True]}}, "match.nth is (1, True)", id="nth-flag"
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"nth": [2], "skip": 2}},
            "match.skip is 2: expected less than the last of nth, 2",
            id="all-skipped",
        ),
        pytest.param(
            {"effect": {"kind": "drop"}, "match": {"after": 5, "before": 5}},
            "match.before is 5: expected a time behind after",
            id="no-time-left",
        ),
        pytest.param(
            {"effect": {"kind": "answer", "code": 200}},
            "answer.code is 200: expected int from 400 to 599",
            id="answer-that-is-none",
        ),
        pytest.param(
            {"effect": {"kind": "answer", "code": 429, "retryAfter": -1}},
            "answer.retryAfter is -1: expected seconds",
            id="earlier",
        ),
        pytest.param({"effect": {"kind": "delay", "seconds": -1}}, "delay.seconds is -1", id="delay"),
        pytest.param({"effect": {"kind": "truncate", "bytes": -1}}, "truncate.bytes is -1", id="bytes"),
        pytest.param(
            {"effect": {"kind": "pages", "items": 0}}, "pages.items is 0: expected int from 1", id="items"
        ),
        pytest.param(
            {"effect": {"kind": "endWatch", "code": 1}},
            "endWatch.code is 1: expected 0, or an int",
            id="end-of-a-watch",
        ),
        pytest.param({"effect": {"kind": "drop"}, "id": 1}, "is no rule", id="id"),
    ],
)
def test_what_is_no_rule_is_told(faults, value, message):
    with pytest.raises(RuleError) as refused:
        faults.add_json(value)
    assert message in str(refused.value)


def test_an_id_is_used_once(faults):
    faults.add(Drop(), id="a")
    with pytest.raises(RuleError, match="there is a rule 'a' already"):
        faults.add(Drop(), id="a")
    faults.remove("a")
    with pytest.raises(RuleError, match="no rule 'a': there are none"):
        faults.remove("a")


@pytest.mark.parametrize(
    ("effect", "match", "message"),
    [
        pytest.param(Drop, {}, "is no effect: expected one of Answer, Drop", id="class"),
        pytest.param("drop", {}, "'drop' is no effect", id="word"),
        pytest.param(Answer("409"), {}, "answer.code is '409'", id="value of an effect"),
        pytest.param(Delay(float("nan")), {}, "delay.seconds is nan", id="no number"),
        pytest.param(Drop(), {"verbs": "get"}, "a match has no 'verbs': .*did you mean 'verb'", id="field"),
        pytest.param(Drop(), {"resource": 1}, "match.resource is 1", id="resource"),
        pytest.param(Drop(), {"id": 1}, "id is 1: expected str", id="id"),
    ],
)
def test_what_is_no_rule_is_told_in_code_too(faults, effect, match, message):
    with pytest.raises(RuleError, match=message):
        faults.add(effect, **match)
    assert not faults.rules


@pytest.mark.parametrize(
    "resource", ["jobs", "jobs.batch", "jobs/status", "jo*", "jobs.batch*", "[!el]*"], ids=str
)
def test_a_resource_that_is_served_may_be_named(resource):
    served = Faults(7, lambda: 0.0, lambda: {"jobs", "jobs.batch", "jobs/status", "jobs.batch/status"})

    assert served.add(Drop(), resource=resource).match.resource == resource


@pytest.mark.parametrize(
    ("resource", "near"),
    [("job", "jobs"), ("Jobs", "jobs"), ("jobs/stats", "jobs/status")],
    ids=["one", "case", "sub"],
)
def test_a_resource_that_is_not_there_is_told(resource, near):
    served = Faults(7, lambda: 0.0, lambda: {"jobs", "jobs/status"})

    with pytest.raises(RuleError, match=f"match.resource is '{resource}', .*did you mean '{near}'"):
        served.add(Drop(), resource=resource)


def test_a_rule_that_never_hit_is_told_at_the_end(faults, caplog):
    faults.add(Drop(), id="hit")
    faults.add(Drop(), id="spared", nth=2)
    faults.add(Drop(), id="alone", name="nobody")
    faults.on_request(STATUS)

    faults.warn_of_unused()

    assert [rules_without_hit.id for rules_without_hit in faults.rules_without_hits()] == ["spared", "alone"]
    assert "fault spared never hit: 1 fitted it, and were spared: {'id': 'spared'" in caplog.text
    assert "fault alone never hit: nothing fitted it" in caplog.text


def test_a_precaution_need_not_hit(faults, caplog):
    faults.add(Drop(), id="careful", name="nobody", precaution=True)

    faults.warn_of_unused()

    assert faults.rules_without_hits() == ()
    assert caplog.text == ""


def test_a_long_head_of_what_was_hit_is_not_remembered(faults):
    faults.add(Drop(), verb="get")

    faults.on_request(Subject(verb="get", resource="pods", name="n" * 100_000, user_agent="a" * 5))

    (hit,) = faults.hits
    assert (hit.subject.name, hit.subject.user_agent) == ("n" * LONGEST_CHARACTERS + "…", "a" * 5)
