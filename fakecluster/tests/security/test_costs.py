"""Small requests that would cost much: compressed bodies, patterns that backtrack, rules without end, selectors without end (FK-275, FK-274)."""

import gzip

import pytest

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
URL = "/apis/costs.example.com/v1/namespaces/default/things"


def definition(spec):
    """A definition whose objects have this schema for their spec."""
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "things.costs.example.com"},
        "spec": {
            "group": "costs.example.com", "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
        },
    }  # fmt: skip


def thing(**spec):
    return {"apiVersion": "costs.example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}


@pytest.fixture
def world():
    from fakecluster.tests.properties.writes import World

    return World.fresh()


def answered(outcome):
    import orjson

    return outcome.code, orjson.loads(outcome.body).get("message", "")


def test_a_compressed_body_is_not_unpacked(world):
    bomb = gzip.compress(b" " * 50_000_000)

    code, message = answered(
        world.send("POST", "/api/v1/namespaces/default/configmaps", bomb, encoding="gzip")
    )

    assert (code, len(message) < 1000) == (400, True)


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_pattern_cannot_backtrack_without_end(world, pattern):
    assert world.ask("POST", CRDS, definition({"text": {"type": "string", "pattern": pattern}})).code == 201

    code, _ = answered(world.ask("POST", URL, thing(text="a" * 5000 + "!")))

    assert code == 422


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        pytest.param("^[a-z]+([-.][a-z]+)*$", "a-b.c", True, id="name"),
        pytest.param("^[a-z]+([-.][a-z]+)*$", "a-.c", False, id="no name"),
        pytest.param("a+b+", "xaabby", True, id="inside"),
        pytest.param("^a*b*$", "ab\n", False, id="the very end"),
        pytest.param(r"^\d+\w*$", "٣", False, id="digits are ASCII"),
        pytest.param("(?i)^A+b+$", "aB", True, id="flag"),
        pytest.param("^é+ü*$", "éé", True, id="not ASCII"),
        pytest.param(r'^"+\\+$', '""\\\\', True, id="quotes"),
    ],
)
def test_both_engines_find_the_same(pattern, text, found):
    from fakecluster.schema.patterns import compile_pattern
    from fakecluster.schema.searching import searching

    assert (searching(pattern)(text), bool(compile_pattern(pattern).search(text))) == (found, found)


def test_a_rule_that_could_cost_too_much_is_refused_with_its_definition(world):
    everything = "self.all(a, self.all(b, self.all(c, a + b + c != '')))"
    texts = {"type": "array", "items": {"type": "string"}, "x-kubernetes-validations": [{"rule": everything}]}

    code, message = answered(world.ask("POST", CRDS, definition({"texts": texts})))

    assert (code, "estimated rule cost exceeds budget" in message) == (422, True)


@pytest.mark.parametrize(
    ("operations", "code"),
    [
        pytest.param([{"op": "copy", "from": "/data", "path": f"/data/b{n}"} for n in range(40)], 422, id="copies of copies"),
        pytest.param([{"op": "copy", "from": "/data/k", "path": f"/data/b{n}"} for n in range(50)], 422, id="copies"),
        pytest.param([{"op": "add", "path": "/metadata/finalizers", "value": ["a.io/b"] * 200_000}]
                     + [{"op": "remove", "path": "/metadata/finalizers/0"}] * 9_000, 413, id="items that move"),
    ],
)  # fmt: skip
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

    code, message = answered(world.ask("POST", "/api/v1/namespaces/default/configmaps", body))

    assert (code, "metadata.name: Invalid value" in message) == (422, True)


def test_an_object_beyond_what_a_store_takes_is_refused(world):
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "a"},
        "data": {f"k{part}": "x" * 250_000 for part in range(4)},
    }
    big = {**body, "binaryData": {f"b{part}": "AAAA" * 50_000 for part in range(4)}}

    code, message = answered(world.ask("POST", "/api/v1/namespaces/default/configmaps", big))

    assert (code, "Too long: may not be more than 1048576 bytes" in message) == (422, True)


def test_a_custom_object_beyond_what_a_store_takes_is_refused(world):
    world.ask("POST", CRDS, definition({"text": {"type": "string"}}))

    code, message = answered(world.ask("POST", URL, thing(text="x" * 1_700_000)))

    assert (code, message) == (500, "etcdserver: request is too large")
