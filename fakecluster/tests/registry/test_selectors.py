"""Label and field selectors: what matches, and the parser's words (FK-133, FK-134)."""

import pytest

from fakecluster.api.routes import parse
from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.registry.selection import labelparser
from fakecluster.registry.selection.name_selector import name_from_selector

URL = "/api/v1/namespaces/ns/configmaps"
IDENTIFIER = "expected: !, identifier, or 'end of string'"


@pytest.mark.parametrize(
    ("selector", "matches"),
    [
        ("app=x", True),
        ("app==x", True),
        ("app!=x", False),
        ("app in (x,y)", True),
        ("app notin (x)", False),
        ("app", True),
        ("!app", False),
        ("!other", True),
        ("other!=x", True),
        ("other=x", False),
        ("n>6", True),
        ("n<6", False),
        ("app>1", False),
        ("app in ()", False),
        ("empty in ()", True),
        ("empty=", True),
        ("app=x,!tier", True),
        (" app = x ", True),
        ("in", False),
        ("", True),
    ],
    ids=str,
)
def test_labels_are_selected_fk_133(selector, matches):
    labels = {"app": "x", "n": "10", "empty": ""}

    assert all(requirement.matches(labels) for requirement in labelparser.parse(selector)) is matches


@pytest.mark.parametrize(
    ("selector", "problem"),
    [
        ("app=x,", "found '', expected: identifier after ','"),
        (",", f"found ',', {IDENTIFIER}"),
        ("=x", f"found '=', {IDENTIFIER}"),
        ("app in x", "unable to parse requirement: found 'x' expected: '('"),
        ("app in (x", "unable to parse requirement: found '', expected: ',' or ')'"),
        ("app=x y", "found 'y', expected: ',' or 'end of string'"),
        ("!", "unable to parse requirement: found '', expected: identifier"),
        ("!app=x", "found '=', expected: ',' or 'end of string'"),
        ("app===x", "unable to parse requirement: found '=', expected: identifier"),
        ("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
    ],
    ids=str,
)
def test_what_cannot_be_parsed_is_named_fk_133(selector, problem):
    with pytest.raises(labelparser.LabelSelectorError) as caught:
        labelparser.parse(selector)

    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("metadata.name=a", ["a"]),
        ("metadata.name!=a", ["b"]),
        ("metadata.namespace=ns", ["a", "b"]),
        ("metadata.namespace=x", []),
    ],
    ids=str,
)
def test_fields_are_selected_fk_134(ask, selector, names):
    for name in ("a", "b"):
        ask("POST", URL, {"metadata": {"name": name}})

    assert [
        config_map["metadata"]["name"]
        for config_map in ask("GET", f"{URL}?fieldSelector={selector}")[1]["items"]
    ] == names


@pytest.mark.parametrize(
    ("resource", "selector", "problem"),
    [
        ("configmaps", "foo", "invalid selector: 'foo'; can't understand 'foo'"),
        (
            "configmaps",
            "data.v=a",
            '"data.v" is not a known field selector: only "metadata.name", "metadata.namespace"',
        ),
        ("configmaps", "metadata.name=a%5Cx", "invalid field selector: invalid escape sequence: \\x"),
    ],
    ids=str,
)
def test_unknown_fields_are_refused_fk_134(ask, resource, selector, problem):
    code, body = ask("GET", f"/api/v1/namespaces/ns/{resource}?fieldSelector={selector}")

    assert (code, body["message"]) == (400, problem)


FIELD_LABELS = [
    pytest.param("ReplicationController", "v1", "status.replicas", {"status": {}}, "0", id="no replicas"),
    pytest.param("ReplicationController", "v1", "status.replicas", {"status": {"replicas": 3}}, "3", id="replicas"),
    pytest.param("CertificateSigningRequest", "certificates.k8s.io/v1", "spec.signerName", {"spec": {"signerName": "a/b"}}, "a/b", id="signer"),
    pytest.param("Pod", "v1", "spec.host", {"spec": {"nodeName": "n"}}, "n", id="the old word for a node"),
    pytest.param("Pod", "v1", "status.podIPs", {"status": {"podIPs": [{"ip": "10.0.0.1"}]}}, "", id="addresses have no value"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "api_version", "label", "obj", "value"), FIELD_LABELS)
def test_field_labels_of_builtin_kinds_read_objects(name, api_version, label, obj, value):
    (kind,) = (kind for kind in BUILTIN_KINDS if (kind.kind, kind.api_version) == (name, api_version))

    assert kind.presentation.selectable[label](obj) == value


SELECTED_NAMES = [
    pytest.param("", (("fieldSelector", "metadata.name=a"),), "a", id="name"),
    pytest.param("", (("fieldSelector", "metadata.name!=a"),), "", id="not a name"),
    pytest.param("", (("fieldSelector", "metadata.name=b,metadata.name=a"),), "a", id="the first in order"),
    pytest.param("", (("fieldSelector", r"metadata.name=a\,b"),), "a,b", id="escaped"),
    pytest.param("", (("fieldSelector", "metadata.name=a/b"),), "", id="no segment of a path"),
    pytest.param("", (("fieldSelector", "metadata.name=a\\"),), "", id="unreadable"),
    pytest.param("", (("fieldSelector", "metadata.name=a"), ("limit", "x")), "", id="unreadable limit"),
    pytest.param("", (("fieldSelector", "metadata.name=a"), ("labelSelector", "a(")), "", id="unreadable labels"),
    pytest.param("", (("fieldSelector", "metadata.name=a"), ("fieldSelector", "metadata.name=b")), "a", id="the first selector"),
    pytest.param("/watch", (("fieldSelector", "metadata.name=a"),), "", id="watch by path"),
]  # fmt: skip


@pytest.mark.parametrize(("prefix", "query", "name"), SELECTED_NAMES)
def test_the_name_that_a_list_is_authorized_for(prefix, query, name):
    info = parse("GET", f"/api/v1{prefix}/namespaces/ns/configmaps", query)

    assert name_from_selector(info, query) == name
