"""Requests with large bodies let others be answered while they are worked on; their commits do not wait."""

from types import SimpleNamespace

import orjson
import pytest
from msgspec.structs import replace

from fakecluster.api.outcome import Request, Response, User
from fakecluster.api.steps import LONG_BYTES, PAUSE, Computation, Pending, apart, begin, in_turn
from fakecluster.base import work_budget
from fakecluster.codec import tables
from fakecluster.conversion import on_demand
from fakecluster.registry.machinery import MAP_BYTES, YAML_COST, _within_budget
from fakecluster.registry.verbs.deletions import deleting
from fakecluster.registry.verbs.deletions.deleting import AT_ONCE
from fakecluster.tests.properties.writes import World
from fakecluster.tests.security.test_costs import CRDS, definition, thing
from fakecluster.tests.security.test_costs import URL as THINGS

URL = "/api/v1/namespaces/default/configmaps"
ADMIN = User(name="admin", groups=("system:masters", "system:authenticated"))
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
LARGE = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "x" * LONG_BYTES}}
SMALL = {**LARGE, "data": {"k": "y"}}


@pytest.fixture
def world():
    return World.fresh()


def request(method, url, body=None, content_type="application/json"):
    """A request that came over a connection."""
    encoded = b"" if body is None else orjson.dumps(body)
    headers = {"content-type": content_type, "user-agent": "test"}
    path, _, query = url.partition("?")
    pairs = tuple(tuple(pair.split("=")) for pair in query.split("&") if pair)
    return Request(
        method=method,
        path=path,
        query=pairs,
        headers=headers,
        body=encoded,
        user=ADMIN,
        audit_id="x",
        shares_loop=True,
    )


def finish(step):
    """The answer of a request, and how many computations it waited for."""
    count = 0
    while isinstance(step, Pending):
        if isinstance(step.wait, Computation):
            step.wait.perform()
            count += 1
        step = step.resume(())
    return step, count


@pytest.mark.parametrize(
    ("method", "url", "content_type"),
    [
        pytest.param("POST", URL, "application/json", id="create"),
        pytest.param("PUT", f"{URL}/a", "application/json", id="update"),
        pytest.param("PATCH", f"{URL}/a", MERGE, id="merge patch"),
        pytest.param("PATCH", f"{URL}/a?fieldManager=m&force=true", APPLY, id="apply"),
    ],
)
def test_a_large_body_is_worked_on_apart(world, method, url, content_type):
    if method != "POST":
        world.ask("POST", URL, SMALL)

    answer, count = finish(world.core.api.handle(request(method, url, LARGE, content_type)))

    assert (answer.code, count >= 3) == (201 if method == "POST" else 200, True)
    assert orjson.loads(world.ask("GET", f"{URL}/a").body)["data"] == LARGE["data"]


REVIEWS = "/apis/authorization.k8s.io/v1"
POD = "/api/v1/namespaces/default/pods/p"
NOTES = {"annotations": {"a": "x" * LONG_BYTES}}


@pytest.mark.parametrize(
    ("method", "url", "body", "code"),
    [
        pytest.param("POST", f"{REVIEWS}/subjectaccessreviews", {"metadata": NOTES}, 422, id="access review"),
        pytest.param("POST", f"{REVIEWS}/selfsubjectrulesreviews", {"metadata": NOTES}, 400, id="rules review"),
        pytest.param("POST", "/apis/authentication.k8s.io/v1/tokenreviews", {"metadata": NOTES}, 400, id="token review"),
        pytest.param("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {"metadata": NOTES}, 201, id="self review"),
        pytest.param("POST", f"{POD}/binding", {"metadata": NOTES, "target": {"name": "n"}}, 400, id="binding"),
        pytest.param("POST", f"{POD}/eviction", {"metadata": NOTES}, 400, id="eviction"),
        pytest.param("DELETE", f"{URL}/a", {"kind": "DeleteOptions", "dryRun": [], "a": "x" * LONG_BYTES}, 404, id="options of a deletion"),
        pytest.param("DELETE", URL, {"kind": "DeleteOptions", "dryRun": [], "a": "x" * LONG_BYTES}, 200, id="options of a collection's deletion"),
        pytest.param("PUT", "/api/v1/namespaces/default/finalize", {"metadata": {"name": "other", **NOTES}}, 400, id="finalizers of a namespace"),
    ],
)  # fmt: skip
def test_a_large_body_of_a_subresource_or_review_is_worked_on_apart(world, method, url, body, code):
    answer, count = finish(world.core.api.handle(request(method, url, body)))

    assert (answer.code, count > 0) == (code, True)


def test_a_long_failure_is_written_apart(world):
    data = {"bad key" * (LONG_BYTES // 10): ""}  # which the message has twice

    answer, count = finish(world.core.api.handle(request("POST", URL, {**SMALL, "data": data})))

    assert (answer.code, count) == (422, 1)


def test_a_document_of_openapi_is_written_apart_once(world):
    responses = [finish(world.core.api.handle(request("GET", "/openapi/v2"))) for _ in range(2)]

    assert [(answer.code, count) for answer, count in responses] == [(200, 1), (200, 0)]


def test_a_body_of_many_short_maps_counts_as_a_long_one(world):
    owner = {"apiVersion": "v1", "kind": "A", "name": "a", "uid": "a"}
    owners = [{**owner, "uid": f"u{number}"} for number in range(LONG_BYTES // (2 * MAP_BYTES))]
    body = {**SMALL, "metadata": {"name": "a", "ownerReferences": owners}}

    assert len(orjson.dumps(body)) < LONG_BYTES
    assert finish(world.core.api.handle(request("POST", URL, body)))[1] > 0


def test_yaml_counts_as_more_bytes_than_json(world):
    body = b"# " + b"x" * (LONG_BYTES // YAML_COST)
    responses = replace(request("POST", URL, None, "application/yaml"), body=body)

    assert finish(world.core.api.handle(responses))[1] > 0


def test_an_answer_in_yaml_is_written_apart_where_its_object_is_large(world):
    world.ask("POST", URL, LARGE)

    responses = replace(request("GET", f"{URL}/a"), headers={"accept": "application/yaml"})

    assert finish(world.core.api.handle(responses))[1] == 1


TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
WAYS = pytest.mark.parametrize(
    "accept",
    [
        "application/json",
        "application/yaml",
        "application/vnd.kubernetes.protobuf",
        TABLE,
        TABLE.replace("Table", "PartialObjectMetadata"),
    ],
)


def committed(world, responses):
    """Take the steps of a write until it has changed something, and return what it waits for."""
    answer = world.core.api.handle(responses)
    while not world.core.api.journal.writes():
        answer.wait.perform()
        answer = answer.resume(())
    return answer


@WAYS
def test_a_write_whose_answer_is_still_computed_comes_before_later_ones_in_the_journal(world, accept):
    responses = request("POST", URL, LARGE)
    answer = committed(world, replace(responses, headers={**responses.headers, "accept": accept}))

    world.ask("POST", URL, {**SMALL, "metadata": {"name": "b"}})
    response, _ = finish(answer)

    first, second = world.core.api.journal.writes()
    assert (first.name, first.code, first.answered) == ("a", 201, len(response.body))
    assert (second.name, second.revision_after > first.revision_after) == ("b", True)


def test_a_write_whose_answer_fails_is_in_the_journal_with_the_failure(world, monkeypatch):
    responses = request("POST", URL, LARGE)
    answer = committed(world, replace(responses, headers={**responses.headers, "accept": TABLE}))
    monkeypatch.setattr(tables.TableEncoder, "stored", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        finish(answer)

    (entry,) = world.core.api.journal.writes()
    assert (entry.code, entry.reason, entry.name) == (500, "InternalError", "a")


def test_a_small_body_is_worked_on_at_once(world):
    assert isinstance(world.core.api.handle(request("POST", URL, SMALL)), Response)


def test_a_small_patch_of_a_large_object_is_worked_on_apart(world):
    world.ask("POST", URL, LARGE)

    _, count = finish(world.core.api.handle(request("PATCH", f"{URL}/a", {"data": {"b": "c"}}, MERGE)))

    assert count >= 3


def test_without_a_loop_everything_is_worked_on_at_once(world):
    begun = world.core.api.handle(replace(request("POST", URL, LARGE), shares_loop=False))

    assert isinstance(begun, Response)


def test_a_name_that_is_taken_meanwhile_is_taken(world):
    begun = world.core.api.handle(request("POST", URL, LARGE))

    world.ask("POST", URL, SMALL)

    assert finish(begun)[0].code == 409


def test_an_update_that_is_overtaken_begins_again(world):
    world.ask("POST", URL, SMALL)
    begun = world.core.api.handle(request("PATCH", f"{URL}/a", {"data": {"k": LARGE["data"]["k"]}}, MERGE))

    world.ask("PATCH", f"{URL}/a", {"data": {"other": "d"}}, MERGE)

    assert finish(begun)[0].code == 200
    assert orjson.loads(world.ask("GET", f"{URL}/a").body)["data"] == {**LARGE["data"], "other": "d"}


def test_a_request_has_one_budget_for_all_its_computations():
    def steps():
        for cost in (work_budget.DEFAULTED, 1):
            yield from apart(lambda cost=cost: work_budget.spend("values of defaults", cost))

    with pytest.raises(work_budget.TooMuchWork):
        finish(begin(_within_budget(steps())))


def test_what_a_computation_raises_is_the_answer(world):
    begun = world.core.api.handle(request("POST", URL, {**LARGE, "data": {"bad key": LARGE["data"]["k"]}}))

    assert finish(begun)[0].code == 422


def test_a_collection_is_deleted_in_turns(world):
    for number in range(AT_ONCE + 1):
        world.ask("POST", URL, {**SMALL, "metadata": {"name": f"c{number}"}})

    turns, step = 0, world.core.api.handle(request("DELETE", URL))
    while isinstance(step, Pending):
        turns += step.wait == PAUSE
        step = step.resume(())

    assert (step.code, turns) == (200, 1)


def test_a_collection_of_large_objects_is_deleted_in_more_turns(world, monkeypatch):
    monkeypatch.setattr(deleting, "BYTES_AT_ONCE", LONG_BYTES)
    for number in range(3):
        world.ask("POST", URL, {**LARGE, "metadata": {"name": f"l{number}"}})

    turns, step = 0, world.core.api.handle(request("DELETE", URL))
    while isinstance(step, Pending):
        turns += step.wait == PAUSE
        step = step.resume(())

    assert (step.code, turns) == (200, 2)


@pytest.mark.parametrize(
    ("size", "apart_"), [(LONG_BYTES, False), (LONG_BYTES + 1, True)], ids=["short", "long"]
)
def test_a_long_answer_of_another_server_is_read_apart(size, apart_):
    step = begin(in_turn(size, lambda: "read"))

    assert isinstance(step, Pending) == apart_
    assert finish(step)[0] == "read"


def test_large_objects_are_converted_a_few_at_a_time():
    def needed(size):
        return SimpleNamespace(inputs=[SimpleNamespace(stored=SimpleNamespace(json=lambda: b"x" * size))])

    small, large = [needed(10)] * 40, [needed(on_demand.BATCH_BYTES // 2)] * 5

    assert [len(batch) for batch in on_demand._batches(small, 16)] == [16, 16, 8]
    assert [len(batch) for batch in on_demand._batches(large, 16)] == [3, 2]


def test_a_small_body_that_needs_much_work_is_worked_on_apart(world):
    schema = {"type": "string", "anyOf": [{"minLength": 2 + number} for number in range(100)]}
    world.ask("POST", CRDS, definition({"l": {"type": "array", "items": schema}}))

    _, few = finish(world.core.api.handle(request("POST", THINGS, thing(l=["x"] * 10))))
    answer, many = finish(world.core.api.handle(request("POST", THINGS, thing(l=["x"] * 500))))

    assert (few, many > 0, answer.code) == (0, True, 422)


def test_work_in_turns_is_taken_from_the_budget_of_the_request():
    most, turn = work_budget.DEFAULTED, work_budget.TURN["values of defaults"]

    with work_budget.fresh_budget():
        for _ in range(most // turn):
            work_budget.in_one_turn(lambda: work_budget.spend("values of defaults", turn))
        with pytest.raises(work_budget.TooMuchWork):
            work_budget.in_one_turn(lambda: work_budget.spend("values of defaults", 1))
