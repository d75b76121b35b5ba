"""Who may: what is asked, what is remembered,
and what becomes of an API server that does not answer (VIS-420…428).
"""

import asyncio
from dataclasses import replace

import pytest

from reference_impl.kueue.visibility.attributes import GROUP, Attributes, User
from reference_impl.kueue.visibility.delegated.authorization import CACHED, DelegatedAuthorizer
from reference_impl.kueue.visibility.guards import AuthorizerError, Decision
from reference_impl.runtime.errors import ApiError, UnreachableError

from ..flow_control.objects import CQ
from ..flow_control.objects import LQ as LOCAL_QUEUES
from .doubles import ERROR, REFUSED, Client, access_review, asking, over_time

ALICE = User(name="alice", uid="7", groups=("g", "system:authenticated"), extra=(("k", ("v", "w")),))
WHO = {"user": "alice", "uid": "7", "groups": ["g", "system:authenticated"], "extra": {"k": ["v", "w"]}}
LQ = replace(LOCAL_QUEUES, version="v1beta1")
YES, NO = access_review(allowed=True), access_review(allowed=False)


def judge(*answers, attributes=CQ, user=ALICE):
    client, reviews, clock = asking(*answers)
    work = DelegatedAuthorizer(reviews, clock).authorize(user, attributes)
    task, seconds = asyncio.run(over_time(clock, work))
    return client, task, seconds


@pytest.mark.parametrize(
    ("attributes", "review"),
    [
        pytest.param(
            CQ,
            {
                "resourceAttributes": {
                    "verb": "get",
                    "group": GROUP,
                    "version": "v1beta2",
                    "resource": "clusterqueues",
                    "subresource": "pendingworkloads",
                    "name": "cq",
                }
            },
            id="ClusterQueue",
        ),
        pytest.param(
            LQ,
            {
                "resourceAttributes": {
                    "namespace": "a",
                    "verb": "get",
                    "group": GROUP,
                    "version": "v1beta1",
                    "resource": "localqueues",
                    "subresource": "pendingworkloads",
                    "name": "main",
                }
            },
            id="LocalQueue",
        ),
        pytest.param(
            Attributes(verb="get", path="/openapi/v2"),
            {"nonResourceAttributes": {"path": "/openapi/v2", "verb": "get"}},
            id="path",
        ),
        pytest.param(
            Attributes(verb="", path="/x", group=GROUP, version="v1beta2", resource="clusterqueues"),
            {"resourceAttributes": {"group": GROUP, "version": "v1beta2", "resource": "clusterqueues"}},
            id="no verb",
        ),
    ],
)
def test_what_is_asked(attributes, review):
    """VIS-421…424: what is empty is absent, the namespace of a ClusterQueue first of all."""
    client, task, _ = judge(YES, attributes=attributes)

    assert task.result() == Decision(allowed=True)
    assert client.asked == [
        ("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {"timeout": "10s"}, client.asked[0][3])
    ]
    assert client.specs == [{**review, **WHO}]


def test_of_a_user_only_what_is_known_is_told():
    client, _, _ = judge(NO, user=User(name="bob"))

    assert {name for name in client.specs[0] if name != "resourceAttributes"} == {"user"}


def test_the_reason_of_a_refusal_is_kept():
    assert judge(access_review(allowed=False, reason="because"))[1].result() == Decision(False, "because")
    assert judge(access_review(denied=True))[1].result() == Decision(False)


@pytest.mark.parametrize(
    ("user", "attributes", "questions"),
    [
        pytest.param(User(name="root", groups=("system:masters",)), CQ, 0, id="masters"),
        pytest.param(ALICE, Attributes(verb="get", path="/healthz"), 0, id="healthz"),
        pytest.param(ALICE, Attributes(verb="delete", path="/readyz"), 0, id="readyz by any verb"),
        pytest.param(ALICE, Attributes(verb="get", path="/livez"), 0, id="livez"),
        pytest.param(ALICE, Attributes(verb="get", path="/healthz/"), 1, id="slash"),
        pytest.param(ALICE, Attributes(verb="get", path="/livez/ping"), 1, id="one check"),
    ],
)
def test_what_needs_no_question(user, attributes, questions):
    """VIS-420, VC-18."""
    client, task, _ = judge(YES, attributes=attributes, user=user)

    assert task.result().allowed
    assert len(client.asked) == questions


@pytest.mark.parametrize("answer", [pytest.param(YES, id="allow"), pytest.param(NO, id="deny")])
def test_answers_are_good_for_ten_seconds(answer):
    """VIS-428: for one user and one question."""
    client, reviews, clock = asking(answer)
    authorizer = DelegatedAuthorizer(reviews, clock)

    async def ask():
        await authorizer.authorize(ALICE, CQ)
        clock.advance(9.9)
        await authorizer.authorize(ALICE, CQ)
        assert len(client.asked) == 1
        await authorizer.authorize(User(name="bob"), CQ)
        await authorizer.authorize(ALICE, LQ)
        assert len(client.asked) == 3
        clock.advance(0.2)
        await authorizer.authorize(ALICE, CQ)

    asyncio.run(ask())

    assert len(client.asked) == 4


def test_what_is_remembered_is_bounded():
    """Clients choose the names that they ask about."""
    _, reviews, clock = asking(NO)
    authorizer = DelegatedAuthorizer(reviews, clock)

    async def ask():
        for number in range(CACHED + 10):
            await authorizer.authorize(ALICE, Attributes(verb="get", path=f"/{number}"))
        await authorizer.authorize(ALICE, Attributes(verb="get", path="/" + "x" * 10_000))

    asyncio.run(ask())

    assert len(authorizer._known) == CACHED


@pytest.mark.parametrize(
    "user",
    [
        pytest.param(User(name="u" * 10_000), id="long name"),
        pytest.param(User(name="u", groups=tuple(f"g{n}" for n in range(200))), id="many groups"),
        pytest.param(User(name="u", extra=(("k", ("v",) * 200),)), id="many values"),
    ],
)
def test_a_large_user_is_not_remembered(user):
    _, reviews, clock = asking(YES)
    authorizer = DelegatedAuthorizer(reviews, clock)

    assert asyncio.run(authorizer.authorize(user, CQ)).allowed
    assert len(authorizer._known) == 0


def test_bytes_that_are_no_text_are_asked_about_as_go_writes_them():
    """VC-08: the path of a request may hold any byte."""
    client, _, _ = judge(YES, attributes=Attributes(verb="get", path="/\udcff\udcfe/a"))
    named, _, _ = judge(YES, attributes=replace(LQ, name="\udcff"))

    assert client.specs[0]["nonResourceAttributes"]["path"] == "/\ufffd\ufffd/a"
    assert named.specs[0]["resourceAttributes"]["name"] == "\ufffd"


def test_a_refused_review_is_an_error_at_once():
    """VIS-427."""
    client, task, seconds = judge(REFUSED)

    assert (str(task.exception()), seconds) == ("subjectaccessreviews is forbidden", 0)
    assert isinstance(task.exception(), AuthorizerError)
    assert len(client.asked) == 1


def test_a_failing_server_is_asked_five_times():
    """VIS-427: about 4.7 s in all, none of it while a token is held."""
    client, task, seconds = judge(ERROR)

    assert str(task.exception()) == "etcdserver: leader changed"
    assert len(client.asked) == 5
    assert 4.06 <= seconds <= 4.06 * 1.2 + 0.01
    assert (client.tokens, client.clock.tokens) == ([1] * 5, 0)


def test_a_server_that_recovers_answers():
    client, task, _ = judge(ERROR, ApiError(503, "", "unavailable"), YES)

    assert task.result().allowed
    assert len(client.asked) == 3


def test_a_server_that_hangs_is_given_up():
    client, task, seconds = judge(Client.HANGS)

    assert isinstance(task.exception(), AuthorizerError)
    assert (seconds, len(client.asked), client.clock.due) == (10, 1, [])


def test_a_server_that_is_away_is_told():
    gone = UnreachableError("no answer from https://127.0.0.1:1: Connection refused")
    client, task, _ = judge(gone)

    assert "Connection refused" in str(task.exception())
    assert len(client.asked) == 1


def test_a_broken_connection_is_tried_again():
    broken = UnreachableError("no answer: Connection reset by peer")
    broken.__cause__ = ConnectionResetError()
    _, task, _ = judge(broken, YES)

    assert task.result().allowed


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="no object"),
        pytest.param({}, id="no status"),
        pytest.param(access_review(allowed=True, denied=True), id="both"),
    ],
)
def test_an_answer_that_says_nothing_allows_nothing(answer):
    assert isinstance(judge(answer)[1].exception(), AuthorizerError)


def test_failures_are_not_remembered():
    _, reviews, clock = asking(REFUSED, YES)
    authorizer = DelegatedAuthorizer(reviews, clock)

    async def ask():
        with pytest.raises(AuthorizerError):
            await authorizer.authorize(ALICE, CQ)
        return await authorizer.authorize(ALICE, CQ)

    assert asyncio.run(ask()).allowed


def test_text_that_cannot_be_sent_is_refused():
    _, reviews, clock = asking(YES)

    class Strict:
        async def review(self, _path, _options, body):
            import orjson

            orjson.dumps(body)

    reviews._client = Strict()
    task, _ = asyncio.run(
        over_time(clock, DelegatedAuthorizer(reviews, clock).authorize(User(name="\udc80"), CQ))
    )

    assert isinstance(task.exception(), AuthorizerError)
