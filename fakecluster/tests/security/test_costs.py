"""Small requests that would cost much: compressed bodies, patterns that backtrack, rules without end,
selectors without end (FK-275, FK-274).
"""

import gzip

import pytest

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
URL = "/apis/costs.example.com/v1/namespaces/default/things"


def definition(spec):
    """A definition whose objects have this schema for their spec."""
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.costs.example.com"},
        "spec": {
            "group": "costs.example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [
                {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
            ],
        },
    }


def thing(**spec):
    return {"apiVersion": "costs.example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}


@pytest.fixture
def world():
    from fakecluster.tests.properties.writes import World

    return World.fresh()


def answer_of(outcome):
    import orjson

    return outcome.code, orjson.loads(outcome.body).get("message", "")


def test_a_compressed_body_is_not_unpacked(world):
    bomb = gzip.compress(b" " * 50_000_000)

    code, message = answer_of(
        world.send("POST", "/api/v1/namespaces/default/configmaps", bomb, encoding="gzip")
    )

    assert (code, len(message) < 1000) == (400, True)


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_pattern_cannot_backtrack_without_end(world, pattern):
    assert world.ask("POST", CRDS, definition({"text": {"type": "string", "pattern": pattern}})).code == 201

    code, _ = answer_of(world.ask("POST", URL, thing(text="a" * 5000 + "!")))

    assert code == 422


def test_a_text_that_would_be_searched_for_seconds_is_refused(world):
    pattern = {"type": "string", "pattern": ".{0,1000}.{0,1000}.{0,1000}x"}
    assert world.ask("POST", CRDS, definition({"text": pattern})).code == 201

    code, message = answer_of(world.ask("POST", URL, thing(text="a" * 80_000)))

    assert (code, "the text is too long for its pattern" in message) == (422, True)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        pytest.param("(" * 2000 + "a" + ")" * 2000, "expression nests too deeply", id="groups"),
        pytest.param("(" * 2000, "missing closing )", id="open groups"),
        pytest.param(
            "((a{100}){100}){100}", "invalid repeat count: `{100}`", id="repetitions of repetitions"
        ),
        pytest.param("(a{1000}b)" * 4000, "expression too large", id="long repetitions"),
    ],
)
def test_a_pattern_that_go_finds_too_large_is_refused(world, pattern, text):
    code, message = answer_of(
        world.ask("POST", CRDS, definition({"text": {"type": "string", "pattern": pattern}}))
    )

    assert (code, text in message) == (422, True)


def test_defaults_do_not_make_an_object_without_end(world):
    big = {"type": "object", "properties": {"a": {"type": "string", "default": "x" * 10_000}}}
    world.ask("POST", CRDS, definition({"items": {"type": "array", "items": big}}))

    code, message = answer_of(world.ask("POST", URL, thing(items=[{}] * 25_000)))

    assert (code, message) == (
        500,
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (16777216 vs. 2097152)",
    )


def test_an_object_stays_readable_when_a_default_is_too_large_for_it(world):
    item = {"type": "object", "properties": {"a": {"type": "string"}}}
    crd = definition({"items": {"type": "array", "items": item}})
    world.ask("POST", CRDS, crd)
    world.ask("POST", URL, thing(items=[{}] * 25_000))
    later = definition(
        {
            "items": {
                "type": "array",
                "items": {**item, "properties": {"a": {"type": "string", "default": "x" * 10_000}}},
            }
        }
    )
    version = world.read(f"{CRDS}/things.costs.example.com")["metadata"]["resourceVersion"]
    later["metadata"]["resourceVersion"] = version

    assert world.ask("PUT", f"{CRDS}/things.costs.example.com", later).code == 200
    assert world.read(f"{URL}/a")["spec"]["items"][0] == {}


def test_small_patches_do_not_grow_an_object_beyond_what_a_store_takes(world):
    world.ask(
        "POST", CRDS, definition({"texts": {"type": "object", "additionalProperties": {"type": "string"}}})
    )
    world.ask("POST", URL, thing(texts={"a": "x" * 900_000}))

    code, message = answer_of(
        world.ask("PATCH", f"{URL}/a", thing(texts={"b": "x" * 900_000}), "application/merge-patch+json")
    )

    assert (code, message) == (500, "etcdserver: request is too large")


def test_a_selector_of_blanks_is_nothing(world):
    assert world.ask("GET", "/api/v1/configmaps?labelSelector=" + "%20" * 300_000).code == 200


def test_a_rule_that_could_cost_too_much_is_refused_with_its_definition(world):
    everything = "self.all(a, self.all(b, self.all(c, a + b + c != '')))"
    texts = {"type": "array", "items": {"type": "string"}, "x-kubernetes-validations": [{"rule": everything}]}

    code, message = answer_of(world.ask("POST", CRDS, definition({"texts": texts})))

    assert (code, "estimated rule cost exceeds budget" in message) == (422, True)


@pytest.mark.parametrize(
    ("operations", "code"),
    [
        pytest.param(
            [{"op": "copy", "from": "/data", "path": f"/data/b{n}"} for n in range(40)],
            422,
            id="copies of copies",
        ),
        pytest.param(
            [{"op": "copy", "from": "/data/k", "path": f"/data/b{n}"} for n in range(50)], 422, id="copies"
        ),
        pytest.param(
            [{"op": "add", "path": "/metadata/finalizers", "value": ["a.io/b"] * 40_000}]
            + [{"op": "remove", "path": "/metadata/finalizers/0"}] * 9_000,
            413,
            id="items that move",
        ),
    ],
)
def test_the_work_of_a_json_patch_is_limited(world, operations, code):
    url = "/api/v1/namespaces/default/configmaps"
    big = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "x" * 800_000}}
    world.ask("POST", url, big)

    assert world.ask("PATCH", f"{url}/a", operations, "application/json-patch+json").code == code


def test_a_selector_of_a_thousand_terms_is_answered(world):
    terms = "%2C".join(f"k{number}+in+(a%2Cb%2Cc)" for number in range(1000))

    assert world.ask("GET", f"/api/v1/configmaps?labelSelector={terms}").code == 200


@pytest.mark.parametrize(
    "name", ["..", "../../etc/passwd", "a/../b", "a%2f..", ".", "%2e%2e", "a\x00b", "a" * 300]
)
def test_a_name_cannot_be_a_path(world, name):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}

    code, message = answer_of(world.ask("POST", "/api/v1/namespaces/default/configmaps", body))

    assert (code, "metadata.name: Invalid value" in message) == (422, True)


def test_an_object_beyond_what_a_store_takes_is_refused(world):
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {f"k{number}": "x" * 250_000 for number in range(4)},
    }
    big = {**body, "binaryData": {f"b{number}": "AAAA" * 50_000 for number in range(4)}}

    code, message = answer_of(world.ask("POST", "/api/v1/namespaces/default/configmaps", big))

    assert (code, "Too long: may not be more than 1048576 bytes" in message) == (422, True)


def test_a_custom_object_beyond_what_a_store_takes_is_refused(world):
    world.ask("POST", CRDS, definition({"text": {"type": "string"}}))

    code, message = answer_of(world.ask("POST", URL, thing(text="x" * 1_700_000)))

    assert (code, message) == (500, "etcdserver: request is too large")
