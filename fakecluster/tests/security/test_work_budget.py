"""What one request may cost in all: counted, whatever its parts are."""

from itertools import islice

import orjson
import pytest

from fakecluster.base import work_budget
from fakecluster.codec import body_limits
from fakecluster.codec.json import gojson, reader
from fakecluster.codec.protobuf.wire import COUNTING_BATCH, block, fields
from fakecluster.crds.definition import VERSIONS
from fakecluster.crds.jsonpath.path import compile_path
from fakecluster.registry.selection.labelparser import Requirement
from fakecluster.registry.selection.selectors import MAX_TERMS, Selection
from fakecluster.schema.cel.native import NATIVE
from fakecluster.schema.compiled import compile_schema
from fakecluster.schema.patterns import pattern_problem
from fakecluster.tests.security.test_costs import CRDS, URL, answer_of, definition, thing

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
PATCHES = (
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
)
APPLY, YAML, PROTOBUF = (
    "application/apply-patch+yaml",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
)
MANY = body_limits.MAX_VALUES + 10


@pytest.fixture
def world():
    from fakecluster.tests.properties.writes import World

    return World.fresh()


def aliases(items, repetitions):
    """A YAML document that repeats a list by aliases."""
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    uses = "\n".join(f"k{number}: *a" for number in range(repetitions))
    return f"{head}all: &a [{', '.join(['x'] * items)}]\n{uses}\n".encode()


def test_values_that_aliases_repeat_are_counted(world):
    code, body = answer_of(world.send("POST", CONFIG_MAPS, aliases(3_000, 30), YAML))

    assert (code, body) == (413, f"Request entity too large: limit is {body_limits.MAX_VALUES} values")


def test_the_expressions_that_are_compiled_anew_are_counted():
    with work_budget.fresh_budget():
        for number in range(work_budget.EXPRESSIONS // 60_000):
            NATIVE.compile(f"'{number}' == '{'x' * 60_000}'")
        with pytest.raises(work_budget.TooMuchWork):
            NATIVE.compile(f"'too much' == '{'x' * 60_000}'")


def message(kind, content):
    """An object as a protobuf message."""
    head = block(b"\x0a", b"v1") + block(b"\x12", kind.encode())
    return b"k8s\x00" + block(b"\x0a", head) + block(b"\x12", content)


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(lambda number: r"[\p{L}\p{N}]" * 40 + str(number), id="classes of Unicode"),
        pytest.param(lambda number: ".{0,1000}" + str(number), id="repetitions"),
        pytest.param(lambda number: "a" * 2_000 + str(number), id="long texts"),
    ],
)
def test_the_patterns_of_a_definition_are_limited_in_all(world, pattern):
    texts = {f"t{number}": {"type": "string", "pattern": pattern(number)} for number in range(300)}

    code, body = answer_of(world.ask("POST", CRDS, definition(texts)))

    assert (code, body) == (
        413,
        f"Request entity too large: a request may need {work_budget.COMPILED} instructions of patterns, and this one needs more: use fewer or simpler patterns",
    )


def test_a_pattern_is_checked_without_the_characters_of_unicode():
    with work_budget.fresh_budget():
        problems = {pattern_problem(rf"\p{{L}}{{200}}{number}") for number in range(50)}

    assert problems == {""}


def test_each_request_has_a_budget_of_its_own(world):
    texts = {
        f"t{number}": {"type": "string", "pattern": ".{0,1000}" + "ab"[number % 2] * 40 + str(number)}
        for number in range(40)
    }
    crd = definition(texts)

    codes = [world.ask("POST", f"{CRDS}?dryRun=All", crd).code for _ in range(3)]

    assert codes == [201] * 3


def test_searches_for_patterns_are_limited_in_all(world):
    world.ask(
        "POST",
        CRDS,
        definition({"l": {"type": "array", "items": {"type": "string", "pattern": ".{0,1000}"}}}),
    )

    code, body = answer_of(
        world.ask("POST", URL, thing(l=[f"{number}".zfill(90) for number in range(2_000)]))
    )

    assert (code, "a request may need 100000000 characters times instructions" in body) == (422, True)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\x12\x00" * 150_000, id="entries of a map"),
        pytest.param(b"\xf8\x01\x00" * 150_000, id="unknown fields"),
        pytest.param(block(b"\x0a", b"\x72\x00" * 150_000), id="finalizers"),
        pytest.param(block(b"\x0a", b"\x6a\x00" * 90_000), id="owner references"),
    ],
)
def test_the_fields_of_a_protobuf_body_are_limited(world, content):
    code, body = answer_of(world.send("POST", CONFIG_MAPS, message("ConfigMap", content), PROTOBUF))

    assert (code, body) == (
        413,
        "Request entity too large: a request may need 100000 fields of protobuf, and this one needs more: send a smaller object",
    )


def test_fields_are_counted_before_they_are_all_read():
    read = fields(b"\x12\x00" * 1_000_000)

    with work_budget.fresh_budget(), pytest.raises(work_budget.TooMuchWork):
        list(islice(read, work_budget.FIELDS + COUNTING_BATCH))


@pytest.mark.parametrize(
    ("method", "kind", "body"),
    [
        pytest.param("POST", "application/json", b"[" + b"1," * MANY + b"1]", id="JSON"),
        pytest.param("POST", "application/json", b"[" + b"{}," * MANY + b"x", id="bad JSON"),
        pytest.param("POST", YAML, b"- a\n" * MANY, id="YAML"),
        pytest.param("POST", YAML, b"&a a: b\nc: [" + b"a," * 3 * MANY + b"]", id="YAML with an anchor"),
        pytest.param("PATCH", APPLY, b"- a\n" * MANY, id="apply of YAML"),
        pytest.param("PATCH", APPLY, b'{"a":[' + b"1," * MANY + b"1]}", id="apply of JSON"),
        *(
            pytest.param(
                "PATCH", kind, b"[" + b"1," * MANY + b"1]", id=kind.partition("+")[0].partition("/")[2]
            )
            for kind in PATCHES
        ),
    ],
)
def test_the_values_of_a_body_are_limited(world, method, kind, body):
    url = CONFIG_MAPS if method == "POST" else f"{CONFIG_MAPS}/a?fieldManager=m"
    world.ask("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})

    code, message = answer_of(world.send(method, url, body, kind))

    assert (code, message) == (413, f"Request entity too large: limit is {body_limits.MAX_VALUES} values")


def test_signs_within_texts_are_no_values():
    reader.check_values(orjson.dumps({"a": ",[{" * MANY, 'b"': "\\"}), 10)


def test_a_long_text_is_passed_at_once(monkeypatch):
    calls = []
    plain = gojson._Scanner._escape
    monkeypatch.setattr(gojson._Scanner, "_escape", lambda self: calls.append(1) or plain(self))

    body = gojson.problem(b'{"a":"' + b"\\u0041\\n" * 100_000 + b'\\x"}')

    assert (body, len(calls)) == ("invalid character 'x' in string escape code", 1)


NESTED = {"l": [{"a": {"b": "c"}} for _ in range(1_000)]}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("." + "..[*].l" * 9, id="recursions of lists"),
        pytest.param("..a..a..b", id="recursions of members"),
        pytest.param(".l[:]..b", id="a slice"),
        pytest.param(".l[" + ",".join([":"] * 1_000) + "]", id="a union"),
        pytest.param(".l[?(@.a)]", id="a filter"),
        pytest.param(".l[*].a" + " 1" * 1_000, id="constants"),
        pytest.param("." + "x" + ".x" * 20_000, id="many members"),
        pytest.param(".t.*", id="bytes of a text"),
    ],
)
def test_what_columns_look_at_is_limited(path):
    compiled = compile_path(path)

    with work_budget.fresh_budget(), pytest.raises(work_budget.TooMuchWork, match="items of JSON paths"):
        [compiled.values({**NESTED, "t": "x" * 10_000}) for _ in range(400)]


def test_the_paths_of_a_definition_are_limited_in_all(world):
    crd = definition({})
    columns = [
        {"name": f"c{number}", "type": "string", "jsonPath": "." + "a.b" * 500} for number in range(40)
    ]
    version = {**crd["spec"]["versions"][0], "additionalPrinterColumns": columns}

    code, body = answer_of(world.ask("POST", CRDS, {**crd, "spec": {**crd["spec"], "versions": [version]}}))

    assert (code, "characters of JSON paths" in body) == (413, True)


def test_short_paths_cost_nothing():
    path = compile_path(".metadata.labels['a'].b.c[0].d")

    with work_budget.fresh_budget():
        path.values({"metadata": {"labels": {"a": "b"}}})

        assert not work_budget.BUDGET.get().spent


def test_the_versions_of_a_definition_are_limited(world):
    crd = definition({})
    version = crd["spec"]["versions"][0]
    versions = [
        {**version, "name": f"v{number}", "storage": number == 1} for number in range(1, VERSIONS + 2)
    ]

    code, body = answer_of(world.ask("POST", CRDS, {**crd, "spec": {**crd["spec"], "versions": versions}}))

    assert (code, f"spec.versions: Too many: {VERSIONS + 1}: must have at most {VERSIONS} items" in body) == (
        422,
        True,
    )


@pytest.mark.parametrize("selector", ["labelSelector", "fieldSelector"])
def test_the_terms_of_a_selector_are_limited(world, selector):
    terms = ",".join(["metadata.name=a"] * (MAX_TERMS + 2))

    code, body = answer_of(world.ask("GET", f"{CONFIG_MAPS}?{selector}={terms}"))

    assert (code, body) == (413, f"Request entity too large: limit is {MAX_TERMS} terms of a selector")


def test_terms_are_counted_for_each_object():
    selection = Selection(labels=(Requirement("a", "notin", frozenset({"b"})),) * MAX_TERMS)

    with work_budget.fresh_budget(), pytest.raises(work_budget.TooMuchWork, match="terms of selectors"):
        [selection.matches({"metadata": {}}) for _ in range(101)]


@pytest.mark.parametrize(
    ("words", "code"),
    [(["v1999"] * 20_000, 201), ([f"w{number}" for number in range(600)], 413)],
    ids=["known", "unknown"],
)
def test_words_of_an_enumeration_are_found_at_once_and_told_within_limits(world, words, code):
    allowed = {"type": "string", "enum": [f"v{number}" for number in range(2_000)]}
    world.ask("POST", CRDS, definition({"l": {"type": "array", "items": allowed}}))

    assert world.ask("POST", URL, thing(l=words)).code == code


@pytest.mark.parametrize("junctor", ["anyOf", "oneOf", "allOf"])
@pytest.mark.parametrize(("alternatives", "items"), [(1_000, 2_000), (500, 10_000)])
def test_alternatives_of_a_schema_times_items_are_limited(world, junctor, alternatives, items):
    schema = {"type": "string", junctor: [{"minLength": number} for number in range(2, alternatives + 2)]}
    world.ask("POST", CRDS, definition({"l": {"type": "array", "items": schema}}))

    code, body = answer_of(world.ask("POST", URL, thing(l=["x"] * items)))

    assert (code, "a request may need" in body) == (413, True)


def test_names_that_are_required_times_items_are_limited(world):
    item = {"type": "object", "required": [f"r{number}" for number in range(1_000)]}
    world.ask("POST", CRDS, definition({"l": {"type": "array", "items": item}}))

    code, body = answer_of(world.ask("POST", URL, thing(l=[{}] * 10_000)))

    assert (code, "a request may need" in body) == (413, True)


def test_defaults_times_items_are_limited(world):
    item = {
        "type": "object",
        "properties": {f"d{number}": {"type": "integer", "default": 1} for number in range(200)},
    }
    world.ask("POST", CRDS, definition({"l": {"type": "array", "items": item}}))

    code, body = answer_of(world.ask("POST", URL, thing(l=[{}] * 10_000)))

    assert (code, f"a request may need {work_budget.DEFAULTED} values of defaults" in body) == (413, True)


def test_errors_of_all_alternatives_are_gathered_once():
    """The same words of several alternatives are one error, and their number costs no search."""
    schema = {"type": "string", "allOf": [{"minLength": 5}] * 3}

    errors = compile_schema(schema).values("x")

    assert [error.body for error in errors] == [
        'Invalid value: "x":  in body should be at least 5 chars long',
        'Invalid value: "": "" must validate all the schemas (allOf). None validated',
    ]
