"""Lists: pages, revisions and what does not go together (FK-130…FK-139, FK-147)."""

from base64 import urlsafe_b64encode

import pytest

from fakecluster.patch.json.nesting import MAX_DEPTH

URL = "/api/v1/namespaces/ns/configmaps"


@pytest.fixture
def three(ask):
    for name in ("a", "b", "c"):
        ask("POST", URL, {"metadata": {"name": name}})
    return ask


def names(body):
    return [obj["metadata"]["name"] for obj in body["items"]]


def test_pages_are_one_state_fk_147(three):
    _, first = three("GET", f"{URL}?limit=2")
    three("POST", URL, {"metadata": {"name": "bb"}})

    _, second = three("GET", f"{URL}?limit=2&continue={first['metadata']['continue']}")

    assert (names(first), names(second)) == (["a", "b"], ["c"])
    assert first["metadata"]["remainingItemCount"] == 1
    assert "continue" not in second["metadata"]


def test_an_expired_token_offers_another_one_fk_147(three):
    _, first = three("GET", f"{URL}?limit=1")
    three("POST", URL, {"metadata": {"name": "bb"}})
    three.api.store.compact()
    code, refused = three("GET", f"{URL}?limit=1&continue={first['metadata']['continue']}")

    _, rest = three("GET", f"{URL}?continue={refused['metadata']['continue']}")

    assert (code, refused["reason"], names(rest)) == (410, "Expired", ["b", "bb", "c"])


def test_an_exact_list_shows_the_past_fk_136(three):
    _, before = three("GET", URL)
    three("DELETE", f"{URL}/a")

    _, exact = three(
        "GET", f"{URL}?resourceVersion={before['metadata']['resourceVersion']}&resourceVersionMatch=Exact"
    )

    assert exact == before


@pytest.mark.parametrize(
    ("query", "code", "text"),
    [
        pytest.param("limit=abc", 400, 'strconv.ParseInt: parsing "abc": invalid syntax', id="limit"),
        pytest.param(
            "resourceVersion=abc",
            400,
            'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": '
            "invalid syntax",
            id="revision",
        ),
        pytest.param(
            "resourceVersion=99999",
            504,
            "Timeout: Too large resource version: 99999, current: 1004",
            id="future",
        ),
        pytest.param(
            "continue=e30",
            400,
            "invalid continue token: continue key is not valid: server does not recognize this encoded version ",
            id="token",
        ),
        pytest.param(
            "continue=abc",
            400,
            "invalid continue token: continue key is not valid: invalid character 'i' looking for beginning of value",
            id="garbage",
        ),
        pytest.param(
            "resourceVersionMatch=Exact",
            422,
            'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden '
            "unless resourceVersion is provided",
            id="match alone",
        ),
        pytest.param(
            "sendInitialEvents=true",
            422,
            'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
            id="initial events",
        ),
    ],
)
def test_bad_queries_are_named_fk_028_fk_137_fk_138(three, query, code, text):
    answered, body = three("GET", f"{URL}?{query}")

    assert (answered, body["message"]) == (code, text)


@pytest.mark.parametrize(
    ("query", "tagged"),
    [
        pytest.param("", True, id="everything"),
        pytest.param("?limit=1", False, id="a-page"),
        pytest.param("?labelSelector=a", False, id="a-selection"),
    ],
)
def test_a_whole_list_has_a_tag_that_every_write_changes(three, query, tagged):
    first, second = (three.send("GET", f"{URL}{query}").tag for _ in range(2))
    three("POST", URL, {"metadata": {"name": "bb"}})
    later = three.send("GET", f"{URL}{query}").tag

    assert (first is not None, first == second, first == later) == (tagged, True, not tagged)


def test_a_token_that_nests_too_deep_is_refused(three):
    deep = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    token = urlsafe_b64encode(b'{"v":"meta.k8s.io/v1","rv":1002,"start":"/a","more":' + deep + b"}").decode()

    code, body = three("GET", f"{URL}?continue={token.rstrip('=')}")

    assert (code, body["message"]) == (
        400,
        "invalid continue token: continue key is not valid: invalid character '[' exceeded max depth",
    )


@pytest.mark.parametrize(
    ("query", "code"),
    [
        pytest.param(
            "resourceVersion=00&resourceVersionMatch=Exact",
            200,
            id="a zero in other words is the latest state",
        ),
        pytest.param("resourceVersion=000&limit=1", 200, id="also with a limit"),
        pytest.param("resourceVersion=1&limit=1", 410, id="a limit makes a revision exact"),
        pytest.param("resourceVersion=01&limit=1", 410, id="with leading zeros too"),
        pytest.param(
            "resourceVersion=1&limit=1&fieldSelector=metadata.name=a", 200, id="but not for one name"
        ),
        pytest.param(
            "resourceVersion=1&limit=1&fieldSelector=metadata.name!=a", 410, id="other than that name"
        ),
        pytest.param(
            "resourceVersion=1&resourceVersionMatch=Exact&fieldSelector=metadata.name=a",
            410,
            id="unless it says so",
        ),
        pytest.param("resourceVersion=0x1", 400, id="a hexadecimal number"),
        pytest.param("resourceVersion=-0", 400, id="a sign"),
        pytest.param("resourceVersion=%201", 400, id="a space"),
    ],
)
def test_a_revision_is_read_as_a_number(ask, query, code):
    ask("POST", URL, {"metadata": {"name": "a"}})
    ask.api.store.compact()

    assert ask("GET", f"{URL}?{query}")[0] == code
