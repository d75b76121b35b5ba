"""Resource and verb of a request line, and the answer to an unknown path (FK-001…FK-005, FK-082, FK-279)."""

import pytest

from fakecluster.api.routes import parse

CORE = "/api/v1/namespaces/ns/configmaps"
CUSTOM = "/apis/demo.example.com/v1/namespaces/ns/widgets"
PLAIN = "404 page not found\n"
NO_RESOURCE = "the server could not find the requested resource"
NO_METHOD = "the server does not allow this method on the requested resource"


@pytest.mark.parametrize(
    ("method", "path", "query", "verb", "resource", "namespace", "name", "subresource"),
    [
        pytest.param("GET", CORE, (), "list", "configmaps", "ns", "", "", id="list"),
        pytest.param("GET", f"{CORE}/", (), "list", "configmaps", "ns", "", "", id="trailing slash"),
        pytest.param("GET", CORE, (("watch", "true"),), "watch", "configmaps", "ns", "", "", id="watch"),
        pytest.param("GET", CORE, (("watch", "0"),), "list", "configmaps", "ns", "", "", id="watch off"),
        pytest.param(
            "GET", CORE, (("watch", "abc"),), "watch", "configmaps", "ns", "", "", id="watch by any word"
        ),
        pytest.param("GET", f"{CORE}/a", (("watch", "1"),), "get", "configmaps", "ns", "a", "", id="get one"),
        pytest.param(
            "GET",
            "/api/v1/watch/namespaces/ns/configmaps/a",
            (),
            "watch",
            "configmaps",
            "ns",
            "a",
            "",
            id="old watch",
        ),
        pytest.param("DELETE", CORE, (), "deletecollection", "configmaps", "ns", "", "", id="delete many"),
        pytest.param(
            "PUT",
            "/api/v1/namespaces/ns/finalize",
            (),
            "update",
            "namespaces",
            "ns",
            "ns",
            "finalize",
            id="finalize",
        ),
        pytest.param("PATCH", f"{CUSTOM}/a/status", (), "patch", "widgets", "ns", "a", "status", id="status"),
        pytest.param("GET", "/api/v1/namespaces/ns", (), "get", "namespaces", "ns", "ns", "", id="namespace"),
    ],
)
def test_a_request_line_is_parsed_fk_002_fk_003(
    method, path, query, verb, resource, namespace, name, subresource
):
    info = parse(method, path, query)

    assert info.is_resource
    assert (info.verb, info.resource, info.namespace, info.name, info.subresource) == (
        verb,
        resource,
        namespace,
        name,
        subresource,
    )


@pytest.mark.parametrize("path", ["/", "/version", "/api", "/apis/apps", "/apis/apps/v1"])
def test_other_paths_have_a_verb_and_a_path(path):
    info = parse("GET", path)

    assert (info.is_resource, info.verb, info.path) == (False, "get", path)


@pytest.mark.parametrize(
    ("method", "path", "code", "text"),
    [
        pytest.param("GET", "/nope", 404, PLAIN, id="unknown path"),
        pytest.param("GET", "/apis/nope.example.com/v1/things", 404, PLAIN, id="unknown group"),
        pytest.param("GET", "/api/v1/nopes", 404, NO_RESOURCE, id="unknown core resource"),
        pytest.param("GET", f"{CORE}/a/status", 404, NO_RESOURCE, id="unknown subresource"),
        pytest.param("GET", "/api/v1/configmaps/a", 404, NO_RESOURCE, id="named without namespace"),
        pytest.param("GET", f"{CORE}/a/b/c/d", 404, NO_RESOURCE, id="deep path"),
        pytest.param("POST", "/api/v1/configmaps", 405, NO_METHOD, id="create in all namespaces"),
        pytest.param("PUT", CORE, 405, NO_METHOD, id="put a collection"),
        pytest.param("POST", f"{CORE}/a", 405, NO_METHOD, id="post a name"),
        pytest.param("HEAD", CORE, 405, NO_METHOD, id="head"),
        pytest.param("GET", "/apis/demo.example.com/v9/widgets", 404, PLAIN, id="unknown custom version"),
        pytest.param("GET", "/apis/demo.example.com/v1/widgets/w", 404, PLAIN, id="custom without namespace"),
        pytest.param(
            "POST", "/apis/demo.example.com/v1/widgets", 404, PLAIN, id="custom create in all namespaces"
        ),
        pytest.param("PUT", CUSTOM, 400, "name must be provided", id="custom put a collection"),
        pytest.param(
            "GET",
            f"{CUSTOM}/w/scale",
            404,
            'widgets.demo.example.com "w" not found',
            id="custom without scale",
        ),
        pytest.param(
            "POST",
            f"{CUSTOM}/w/status",
            405,
            'create is not supported on resources of kind "widgets.demo.example.com"',
            id="custom post status",
        ),
    ],
)
def test_nobody_answers_fk_004_fk_005(ask, method, path, code, text):
    response = ask(method, path, {})

    assert (response[0], response[1] if isinstance(response[1], str) else response[1]["message"]) == (
        code,
        text,
    )
