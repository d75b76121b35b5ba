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


def test_a_text_that_would_be_searched_for_seconds_is_refused(world):
    pattern = {"type": "string", "pattern": ".{0,1000}.{0,1000}.{0,1000}x"}
    assert world.ask("POST", CRDS, definition({"text": pattern})).code == 201

    code, message = answered(world.ask("POST", URL, thing(text="a" * 80_000)))

    assert (code, "the text is too long for its pattern" in message) == (422, True)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        pytest.param("(" * 2000 + "a" + ")" * 2000, "expression nests too deeply", id="groups"),
        pytest.param("(" * 2000, "missing closing )", id="open groups"),
        pytest.param(
            "((a{100}){100}){100}", "invalid repeat count: `{100}`", id="repetitions of repetitions"
        ),
        pytest.param("(a{1000}b)" * 4000, "expression too large", id="long repetitions"),
    ],
)
def test_a_pattern_that_go_finds_too_large_is_refused(world, pattern, said):
    code, message = answered(
        world.ask("POST", CRDS, definition({"text": {"type": "string", "pattern": pattern}}))
    )

    assert (code, said in message) == (422, True)
