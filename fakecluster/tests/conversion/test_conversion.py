"""Conversion webhooks: who is asked when, and what is kept (FK-330…335).
What they answer is a matter of recorded answers.
"""

from __future__ import annotations

import orjson
import pytest
from msgspec.structs import replace

from fakecluster import FakeCluster
from fakecluster.admission.quotas.charging import QUOTAS, charge
from fakecluster.api.admission import AdmitAll
from fakecluster.api.converter import Converter
from fakecluster.api.outcome import CallResult, Response, User
from fakecluster.api.registry import Registry
from fakecluster.api.service_address import Address, ServiceResolver
from fakecluster.api.steps import NeedsSteps, Pending
from fakecluster.base.clock import VirtualClock
from fakecluster.cluster.inprocess import StatusError
from fakecluster.registry.action import ATTEMPTS
from fakecluster.registry.machinery import Api
from fakecluster.store import Store

from ..conftest import KINDS, Asker
from ..hooks import allow, configuration

HOOK = Converter(url="https://hook.example.com/convert?timeout=30s", reviews="v1")
STORED = replace(KINDS[2], schema=replace(KINDS[2].schema, storage_version="v1", converter=HOOK))
OTHER = replace(STORED, version="v2")
PATH = "/apis/demo.example.com/{}/namespaces/ns/widgets"
V1, V2 = PATH.format("v1"), PATH.format("v2")
REFUSED = CallResult(code=500)


def convert_by(hook):
    """The second version of the kind, converted by another webhook."""
    return replace(OTHER, schema=replace(OTHER.schema, converter=hook))


def widget(name, version="v1"):
    return {"apiVersion": f"demo.example.com/{version}", "kind": "Widget", "metadata": {"name": name}}


def request_of(call):
    return orjson.loads(call.body)["request"]


def answered(call):
    conversion_request = request_of(call)
    objects = [
        {**obj, "apiVersion": conversion_request["desiredAPIVersion"], "asked": True}
        for obj in conversion_request["objects"]
    ]
    response = {
        "uid": conversion_request["uid"],
        "result": {"status": "Success"},
        "convertedObjects": objects,
    }
    review = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": response}
    return CallResult(code=200, body=orjson.dumps(review))


def complete(outcome, conversion_request):
    while isinstance(outcome, Pending):
        conversion_request.extend(outcome.wait)
        outcome = outcome.resume(tuple(map(answered, outcome.wait)))
    return outcome


@pytest.fixture
def ask():
    api = Api(Store(), Registry((KINDS[0], STORED, OTHER)), VirtualClock(1_800_000_000.0))
    asker = Asker(api)
    asker("POST", "/api/v1/namespaces", {"metadata": {"name": "ns"}})
    asker("POST", V1, widget("a"))
    asker("POST", V1, widget("b"))
    return asker


def test_fk_330_a_list_asks_for_each_object_that_nobody_has_converted(ask):
    conversion_request = []

    complete(ask.send("GET", V2), conversion_request)
    ask("POST", V1, widget("c"))
    complete(ask.send("GET", V2), conversion_request)

    names = [[obj["metadata"]["name"] for obj in request_of(call)["objects"]] for call in conversion_request]
    assert names == [["a"], ["b"], ["c"]]


def test_fk_330_nobody_is_asked_for_the_stored_version(ask):
    assert isinstance(ask.send("GET", V1), Response)


def test_fk_335_a_single_object_is_converted_for_each_request(ask):
    conversion_request = []

    complete(ask.send("GET", f"{V2}/a"), conversion_request)
    complete(ask.send("GET", f"{V2}/a"), conversion_request)

    assert len(conversion_request) == 2


def test_fk_335_a_fork_knows_what_was_converted(ask):
    complete(ask.send("GET", V2), [])
    fork = Asker(Api(ask.api.store.fork(), ask.api.registry.fork(), ask.api.clock))

    assert isinstance(fork.send("GET", V2), Response)


def test_fk_335_what_was_converted_is_forgotten_when_the_definition_changes(ask):
    complete(ask.send("GET", V2), [])
    ask.api.registry.register([convert_by(replace(HOOK, generation=2))])

    assert isinstance(ask.send("GET", V2), Pending)


def test_fk_334_an_object_is_converted_to_be_stored_and_again_to_be_shown(ask):
    conversion_request = []

    complete(ask.send("POST", V2, widget("c", "v2")), conversion_request)

    assert [request_of(call)["desiredAPIVersion"][-2:] for call in conversion_request] == ["v1", "v2"]


def test_fk_332_a_failing_answer_does_not_write_twice(ask):
    before = ask.api.store.revision

    stored = ask.send("POST", V2, widget("c", "v2"))
    shown = stored.resume((answered(stored.wait[0]),))
    failed = shown.resume((REFUSED,))

    assert failed.code == 500
    assert ask.api.store.revision == before + 1


def test_fk_332_a_write_that_cannot_be_stored_leaves_nothing(ask):
    before = ask.api.store.revision

    failed = ask.send("POST", V2, widget("c", "v2")).resume((REFUSED,))

    assert (failed.code, ask.api.store.revision) == (500, before)


class Counted(AdmitAll):
    """Admits what the quotas of the namespace have room for."""

    def validate(self, api, review):
        yield from ()
        return charge(api, review)


def test_fk_504_what_waits_for_a_conversion_finds_no_room_that_another_has_taken_meanwhile(ask):
    count = "count/widgets.demo.example.com"
    status = {"hard": {count: "3"}, "used": {count: "2"}}
    quota = {"metadata": {"name": "q", "namespace": "ns"}, "spec": {"hard": {count: "3"}}, "status": status}
    ask.api.store.commit(QUOTAS, ("ns", "q"), quota, expected=None)
    ask.api.admission = Counted()

    first = ask.send("POST", V2, widget("c", "v2"))
    complete(ask.send("POST", V2, widget("d", "v2")), [])
    refused = orjson.loads(complete(first, []).body)

    assert refused["message"].endswith(f"requested: {count}=1, used: {count}=3, limited: {count}=3")
    assert [obj.name[1] for obj in ask.api.store.list(("demo.example.com", "widgets"))] == ["a", "b", "d"]


def test_a_name_that_is_taken_while_a_new_object_is_converted_is_a_conflict(ask):
    waits = ask.send("POST", V2, widget("c", "v2"))
    ask("POST", V1, {**widget("c"), "spec": "theirs"})

    answer = waits.resume((answered(waits.wait[0]),))

    assert (answer.code, ask("GET", f"{V1}/c")[1]["spec"]) == (409, "theirs")


def test_fk_160_an_object_that_changes_while_its_update_is_converted_is_patched_again(ask):
    waits = ask.send("PATCH", f"{V2}/a", {"mine": 1}, content_type=MERGE["content-type"])
    ask("PATCH", f"{V1}/a", {"theirs": 2}, content_type=MERGE["content-type"])

    assert complete(waits, []).code == 200
    assert {"mine": 1, "theirs": 2}.items() <= ask("GET", f"{V1}/a")[1].items()


def test_fk_330_the_version_of_the_review_is_the_one_that_both_know(ask):
    ask.api.registry.register([convert_by(replace(HOOK, reviews="v1beta1"))])

    call = ask.send("GET", f"{V2}/a").wait[0]

    assert orjson.loads(call.body)["apiVersion"] == "apiextensions.k8s.io/v1beta1"


def test_fk_333_a_service_that_is_not_there_cannot_be_reached(ask):
    there = replace(HOOK, service=("ns", "nowhere", 443))
    ask.api.registry.register([convert_by(there)])

    assert ask.send("GET", f"{V2}/a").wait[0].unreachable == 'service "nowhere" not found'


def test_fk_333_a_service_is_called_where_it_is(ask):
    there = Address("127.0.0.1", 9443)
    ask.api.services = ServiceResolver(ask.api.store, {"ns/hook": there})
    ask.api.registry.register([convert_by(replace(HOOK, service=("ns", "hook", 443)))])

    assert ask.send("GET", f"{V2}/a").wait[0].address == there


def test_fk_330_a_frame_waits_for_its_conversion(ask):
    stream = complete(ask.send("GET", f"{V2}?watch=1&resourceVersion={ask.api.store.revision}"), [])
    ask("POST", V1, widget("c"))
    event = next(ask.api.store.events(stream.since))

    with pytest.raises(NeedsSteps) as waits:
        stream.frame(event)
    (call,) = next(waits.value.steps)
    with pytest.raises(StopIteration):
        waits.value.steps.send((answered(call),))

    assert orjson.loads(stream.frame(event))["object"]["asked"]


def swap(obj, version):
    spec = obj.get("spec", {})
    if "bad" in spec:
        raise ValueError("no such host")
    for _ in range(spec.get("levels", 0)):
        spec = {"deeper": spec}
    renamed = {{"host": "address", "address": "host"}.get(name, name): value for name, value in spec.items()}
    return {**obj, "apiVersion": version, "spec": renamed}


HOSTS = "/apis/demo.example.com/{}/namespaces/default/hosts"
ANY = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "hosts.demo.example.com"},
    "spec": {
        "group": "demo.example.com",
        "scope": "Namespaced",
        "names": {"plural": "hosts", "kind": "Host"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": ANY},
            {"name": "v2", "served": True, "storage": False, "schema": ANY},
        ],
    },
}


@pytest.fixture
def cluster():
    converters = {"hosts.demo.example.com": swap}
    with FakeCluster(tls=False, controllers="none", converters=converters) as running:
        running.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
        yield running


def host(name, version="v2", **spec):
    meta = {"apiVersion": f"demo.example.com/{version}", "kind": "Host", "metadata": {"name": name}}
    return {**meta, "spec": spec}


def test_fk_336_a_function_stands_for_the_webhook(cluster):
    created = cluster.request("POST", HOSTS.format("v2"), host("a", address="x"))
    read = cluster.request("GET", HOSTS.format("v1") + "/a")

    assert (created["spec"], read["spec"]) == ({"address": "x"}, {"host": "x"})


def test_fk_336_a_fork_has_the_function_too(cluster):
    cluster.request("POST", HOSTS.format("v1"), host("a", "v1", host="x"))

    with cluster.fork() as fork:
        assert fork.request("GET", HOSTS.format("v2"))["items"][0]["spec"] == {"address": "x"}


def test_fk_336_what_the_function_raises_is_told(cluster):
    cluster.request("POST", HOSTS.format("v1"), host("a", "v1", bad=True))

    with pytest.raises(StatusError, match="Kind=Host failed: no such host"):
        cluster.request("GET", HOSTS.format("v2") + "/a")


def test_a_conversion_that_nests_too_deep_is_none(cluster):
    cluster.request("POST", HOSTS.format("v1"), host("a", "v1", levels=200))

    with pytest.raises(StatusError, match="Kind=Host failed: exceeded max depth"):
        cluster.request("GET", HOSTS.format("v2") + "/a")
    with pytest.raises(StatusError, match="Kind=Host failed: exceeded max depth"):
        cluster.request("POST", HOSTS.format("v2"), host("b", levels=200))


URL = "https://hooks.example.com/"
RULE = {
    "operations": ["UPDATE"],
    "apiGroups": ["demo.example.com"],
    "apiVersions": ["v1"],
    "resources": ["hosts"],
}
ADMIN_ONLY = [{"name": "admin", "expression": "request.userInfo.username == 'admin'"}]
MERGE = {"content-type": "application/merge-patch+json"}


@pytest.mark.parametrize(
    "times", [pytest.param(1, id="once"), pytest.param(ATTEMPTS - 1, id="as often as it may be")]
)
def test_fk_160_conversions_of_a_patch_that_is_overtaken_are_no_attempts(times):
    rounds_left = list(range(times))

    def overtake(review):
        if rounds_left:
            change = {"spec": {"theirs": rounds_left.pop()}}
            cluster.request(
                "PATCH", f"{HOSTS.format('v1')}/a", change, headers=MERGE, user=User(name="other")
            )
        return allow(review)

    converters = {"hosts.demo.example.com": swap}
    with FakeCluster(
        tls=False, controllers="none", converters=converters, webhooks={URL: overtake}
    ) as cluster:
        cluster.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
        cluster.request("POST", HOSTS.format("v1"), host("a", "v1"))
        cluster.apply([configuration({"url": URL}, rules=[RULE], matchConditions=ADMIN_ONLY)])

        read = cluster.request("PATCH", f"{HOSTS.format('v2')}/a", {"spec": {"mine": 1}}, headers=MERGE)

    assert read["spec"] == {"mine": 1, "theirs": 0}
