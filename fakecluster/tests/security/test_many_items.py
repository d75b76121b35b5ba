"""Requests with very many items: the work grows with their number, not with its square.

With the square of the number each of these would take minutes.
"""

import orjson
import pytest

from fakecluster.kinds.specdiff import MAX_COMPARED_LINES, difference
from fakecluster.tests.security.test_costs import CRDS, URL, definition, thing

pytestmark = pytest.mark.timeout(60)
CONFIG_MAPS, PODS = "/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/pods"
APPLY, STRATEGIC = "application/apply-patch+yaml", "application/strategic-merge-patch+json"
MANY = 10_000
KEYED = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    "items": {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]},
}
SET = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}


@pytest.fixture
def world():
    from fakecluster.tests.properties.writes import World

    return World.fresh()


def pod(count, value):
    env = [{"name": f"E{number}", "value": value} for number in range(count)]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [{"name": "c", "image": "i", "env": env}]},
    }


def test_owners_are_told_apart(world):
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "n"}
    owners = [{**owner, "uid": f"u{number // 2}"} for number in range(2 * 5_000)]
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "o", "ownerReferences": owners}}

    answer = world.ask("POST", CONFIG_MAPS, body)

    assert len(orjson.loads(answer.body)["metadata"]["ownerReferences"]) == 5_000


def test_unknown_fields_are_pruned(world):
    world.ask("POST", CRDS, definition({"text": {"type": "string"}}))

    answer = world.ask("POST", URL, thing(text="a", **{f"unknown{number}": 1 for number in range(50_000)}))

    assert (answer.code, orjson.loads(answer.body)["spec"]) == (201, {"text": "a"})


@pytest.mark.parametrize(
    ("schema", "item"),
    [pytest.param(KEYED, lambda n: {"k": f"k{n}"}, id="map"), pytest.param(SET, lambda n: f"k{n}", id="set")],
)
def test_lists_are_applied_in_another_order(world, schema, item):
    world.ask("POST", CRDS, definition({"items": schema}))
    items = [item(number) for number in range(20_000)]
    world.ask("PATCH", f"{URL}/a?fieldManager=m", thing(items=items), APPLY)

    answer = world.ask("PATCH", f"{URL}/a?fieldManager=m", thing(items=items[::-1]), APPLY)

    assert (answer.code, orjson.loads(answer.body)["spec"]["items"]) == (200, items[::-1])


def test_lists_are_merged_by_key(world):
    world.ask("POST", PODS, pod(MANY, "v"))

    answer = world.ask("PATCH", f"{PODS}/p", {"spec": pod(MANY, "w")["spec"]}, STRATEGIC)

    assert (answer.code, b"pod updates may not change fields" in answer.body) == (422, True)


def test_deleted_items_are_taken_out_of_a_list(world):
    world.ask("POST", PODS, pod(MANY, "v"))
    gone = [{"name": f"E{number}", "$patch": "delete"} for number in range(MANY)]
    order = [{"name": f"E{number}"} for number in range(MANY)]
    patch = {"spec": {"containers": [{"name": "c", "env": gone, "$setElementOrder/env": order}]}}

    assert world.ask("PATCH", f"{PODS}/p", patch, STRATEGIC).code == 422


def test_finalizers_are_united(world):
    manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "f"}}
    finalizers = [f"example.com/f{number}" for number in range(MANY)]
    world.ask("POST", CONFIG_MAPS, manifest)
    world.ask("PATCH", f"{CONFIG_MAPS}/f", {"metadata": {"finalizers": finalizers[: MANY // 2]}}, STRATEGIC)

    answer = world.ask("PATCH", f"{CONFIG_MAPS}/f", {"metadata": {"finalizers": finalizers}}, STRATEGIC)

    assert orjson.loads(answer.body)["metadata"]["finalizers"] == finalizers


def test_long_values_are_shown_as_one_difference():
    before = [*range(MAX_COMPARED_LINES)]

    changes = difference(before, [*before[:5], "x", *before[6:10], "y", *before[11:]])

    gone, come = ("5", "6", "7", "8", "9", "10"), ('"x"', "6", "7", "8", "9", '"y"')
    around = ("  2,\n  3,\n  4,\n", "  11,\n  12,\n  13,\n")
    changed = "".join([*(f"- {line},\n" for line in gone), *(f"+ {line},\n" for line in come)])
    assert changes == f"@@ -4,12 +4,12 @@\n{around[0]}{changed}{around[1]}"


def test_the_schema_of_each_version_is_compiled_once(monkeypatch):
    from fakecluster.crds import kinds

    calls = []
    compiled = kinds.compile_schema
    monkeypatch.setattr(kinds, "compile_schema", lambda raw: calls.append(raw) or compiled(raw))
    manifest = definition({})
    version = manifest["spec"]["versions"][0]
    versions = [{**version, "name": f"v{number}", "storage": number == 1} for number in range(1, 101)]

    kinds.kinds_of({**manifest, "spec": {**manifest["spec"], "versions": versions}})

    assert len(calls) == 200


@pytest.mark.parametrize(
    ("kind", "method", "url"),
    [
        pytest.param("application/json", "POST", PODS, id="create"),
        pytest.param(STRATEGIC, "PATCH", f"{PODS}/p", id="strategic merge patch"),
        pytest.param(APPLY, "PATCH", f"{PODS}/new?fieldManager=m", id="apply"),
    ],
)
def test_more_maps_than_are_worked_on_are_refused(world, kind, method, url):
    world.ask("POST", PODS, pod(1, "a"))
    body = pod(1, "a")
    body["metadata"]["name"] = url.removeprefix(f"{PODS}/").partition("?")[0] if method == "PATCH" else "big"
    body["spec"]["containers"] = [{"name": f"{number}"} for number in range(26_000)]

    answer = world.ask(method, url, body, kind)

    assert answer.code == 413
    assert orjson.loads(answer.body)["message"] == "Request entity too large: limit is 25000 maps and lists"
