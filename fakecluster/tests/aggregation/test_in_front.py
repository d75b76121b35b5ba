"""What the server answers itself about the groups of extension servers, byte for byte as recorded (VC-06,
08…10, 17, 34…36, FK-442).
"""

from __future__ import annotations

import json
import socket
import ssl
from urllib.parse import urlsplit

import pytest

from fakecluster import ExtensionRequest, ExtensionResponse, FakeCluster

GROUP = "demo.example.com"
API = f"/apis/{GROUP}"
THINGS = f"{API}/v2/things/a/state"
APISERVICES = "/apis/apiregistration.k8s.io/v1/apiservices"
NOT_FOUND = (404, "text/plain; charset=utf-8", b"404 page not found\n")
UNAVAILABLE = (503, "text/plain; charset=utf-8", b"service unavailable\n")
AGGREGATED = {"Accept": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"}
TABLE = {"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
STRANGER = {"Impersonate-User": "stranger"}
PF = "x-kubernetes-pf-flowschema-uid"


def url(key: str) -> dict[str, str]:
    return {"serverRelativeURL": f"/openapi/v3/{key}?hash=1"}


INDEX = {"paths": {key: url(key) for key in (f"apis/{GROUP}", f"apis/{GROUP}/v2", "version")}}


async def extension(request: ExtensionRequest) -> ExtensionResponse:
    """Serve discovery of two versions, OpenAPI, and of anything else the method and the target."""
    path = request.target.partition("?")[0]
    if path == "/openapi/v3":
        document = INDEX
    elif path in {f"{API}/v1", f"{API}/v2"}:
        document = {"kind": "APIResourceList", "groupVersion": path.removeprefix("/apis/"), "resources": []}
    else:
        document = {"method": request.method, "target": request.target}
    headers = (
        ("Content-Type", "application/json"),
        ("Audit-Id", "own"),
        ("Cache-Control", "private"),
        (PF, "own"),
    )
    return ExtensionResponse(headers=headers, body=json.dumps(document).encode())


def apiservice(version: str, name: str = "s") -> dict[str, object]:
    return {
        "apiVersion": "apiregistration.k8s.io/v1",
        "kind": "APIService",
        "metadata": {"name": f"{version}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "version": version,
            "groupPriorityMinimum": 100,
            "versionPriority": 100,
            "insecureSkipTLSVerify": True,
            "service": {"namespace": "n", "name": name},
        },
    }


@pytest.fixture(scope="module")
def base():
    with FakeCluster(controllers="none", authorization="rbac") as running:
        running.serve_extension("n/s", extension)
        running.apply([apiservice("v1"), apiservice("v2")])
        running.settle()
        yield running


@pytest.fixture
def cluster(base):
    with base.fork() as running:
        running.serve_extension("n/s", extension)
        yield running


class Answer:
    """An answer as it came: header names in lower case, each with all its values."""

    def __init__(self, raw: bytes) -> None:
        head, _, self.body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.code = int(first.split()[1])
        self.headers: dict[str, list[str]] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            self.headers.setdefault(name.lower(), []).append(value)

    @property
    def short(self):
        return self.code, self.headers.get("content-type", [""])[0], self.body


def ask(
    cluster: FakeCluster,
    path: str,
    method: str = "GET",
    headers: dict[str, str] | None = None,
    *,
    is_known: bool = True,
):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    sent = {"Host": "127.0.0.1", "Connection": "close", **(headers or {})}
    if is_known:
        sent.setdefault("Authorization", f"Bearer {cluster.token()}")
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items())]
    where = urlsplit(cluster.url)
    with (
        socket.create_connection((where.hostname, where.port), timeout=10) as plain,
        context.wrap_socket(plain) as talk,
    ):
        talk.sendall("\r\n".join([*lines, "", ""]).encode())
        return Answer(b"".join(iter(lambda: talk.recv(65536), b"")))


@pytest.mark.parametrize(
    "path",
    [
        f"{API}/v9",
        f"{API}/v9/things/a",
        f"/{THINGS}",
        THINGS.replace("/apis/", "/apis//"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_no_apiservice_has_is_not_found_in_plain_text_vc_06(cluster, path, method):
    answer = ask(cluster, path, method)

    assert answer.short == NOT_FOUND
    assert answer.headers["x-content-type-options"] == ["nosniff"]


@pytest.mark.parametrize(
    ("path", "target"),
    [
        pytest.param(THINGS.replace("v2", "v%32"), THINGS, id="version"),
        pytest.param(THINGS.replace("demo", "d%65mo"), THINGS, id="group"),
        pytest.param(THINGS.replace("/apis", "/%61pis"), THINGS, id="apis"),
        pytest.param(f"{API}%2Fv2/things", f"{API}/v2/things", id="slash"),
        pytest.param(f"{THINGS}//", f"{THINGS}//", id="two slashes"),
        pytest.param(f"{API}/v2/./x/../things", f"{API}/v2/./x/../things", id="dots"),
    ],
)
def test_a_path_is_decoded_before_its_group_is_read_vc_08(cluster, path, target):
    assert json.loads(ask(cluster, path).body)["target"] == target


def test_an_encoded_path_needs_the_same_rights_vc_08(cluster):
    plain, encoded = (
        ask(cluster, path, headers=STRANGER)
        for path in (THINGS, THINGS.replace("v2/things", "v%32/th%69ngs"))
    )

    assert (encoded.code, encoded.body) == (403, plain.body)


def test_a_wrong_escape_is_answered_without_a_header_vc_08(cluster):
    answer = ask(cluster, f"{API}/v2/%zz")

    assert answer.short == (400, "text/plain; charset=utf-8", b"400 Bad Request")
    assert "audit-id" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "DELETE", "OPTIONS", "HEAD"])
def test_the_page_of_a_group_answers_every_method_vc_09(cluster, method):
    answer = ask(cluster, API, method)

    assert (answer.code, answer.body) == (200, b"" if method == "HEAD" else ask(cluster, API).body)


def test_an_offer_of_another_protocol_is_declined_vc_10(cluster):
    answer = ask(cluster, THINGS, headers={"Connection": "Upgrade, close", "Upgrade": "websocket"})

    assert answer.short == (503, "text/plain; charset=utf-8", b"invalid upgrade response: status code 200\n")


def test_headers_of_both_servers_come_with_what_passed_through_vc_17(cluster):
    passed, refused = ask(cluster, THINGS), ask(cluster, THINGS, headers=STRANGER)

    assert [len(passed.headers[name]) for name in ("audit-id", "cache-control", PF)] == [2, 2, 2]
    assert [len(refused.headers[name]) for name in ("audit-id", "cache-control", PF)] == [1, 1, 1]


@pytest.mark.parametrize(
    ("path", "headers", "code"),
    [
        pytest.param(THINGS, {"Authorization": "Bearer wrong"}, 401, id="401"),
        pytest.param(f"{THINGS}?timeout=x", {}, 400, id="timeout"),
    ],
)
def test_no_flow_is_told_before_there_is_one_vc_17(cluster, path, headers, code):
    answer = ask(cluster, path, headers=headers)

    assert (answer.code, PF in answer.headers) == (code, False)


def test_a_client_cannot_say_who_it_is_vis_706(cluster):
    forged = {"X-Remote-User": "root", "X-Remote-Group": "system:masters"}
    answer = ask(cluster, THINGS, headers=forged, is_known=False)

    assert answer.code == 403
    assert json.loads(answer.body)["message"] == (
        f'things.{GROUP} "a" is forbidden: User "system:anonymous" cannot get resource "things/state"'
        f' in API group "{GROUP}" at the cluster scope'
    )


def versions(cluster: FakeCluster):
    items = json.loads(ask(cluster, "/apis", headers=AGGREGATED).body)["items"]
    return next(document["versions"] for document in items if document["metadata"]["name"] == GROUP)


@pytest.fixture
def down(cluster):
    """A cluster in which v1 names a Service that is not there."""
    cluster.apply([apiservice("v1", "missing")])
    cluster.settle()
    return cluster


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        pytest.param(f"{API}/v1/things/a", "GET", {}, id="get"),
        pytest.param(f"{API}/v1/things/a", "POST", {}, id="post"),
        pytest.param(f"{API}/v1/things/a", "GET", {"Accept": "application/yaml"}, id="yaml"),
        pytest.param(f"{API}/v1/nonsense", "GET", {}, id="nonsense"),
        pytest.param(f"{API}/v1", "GET", {}, id="version"),
    ],
)
def test_a_version_that_is_down_answers_everything_alike_vc_34(down, path, method, headers):
    answer = ask(down, path, method, headers)

    assert answer.short == UNAVAILABLE
    assert answer.headers["x-content-type-options"] == ["nosniff"]
    assert answer.headers["cache-control"] == ["no-cache, private"]


def test_rights_are_asked_before_availability_and_the_other_version_goes_on_vc_34(down):
    assert ask(down, f"{API}/v1/things/a", headers=STRANGER).code == 403
    assert ask(down, THINGS).code == 200


def test_a_version_that_is_down_stays_listed_and_is_stale_vc_35_vc_36(down):
    listed = [document["version"] for document in json.loads(ask(down, API).body)["versions"]]

    assert listed == ["v2", "v1"]
    assert versions(down) == [
        {"version": "v2", "freshness": "Current"},
        {"version": "v1", "freshness": "Stale"},
    ]


def test_the_table_says_why_a_version_is_down_vis_711(down):
    document = json.loads(ask(down, f"{APISERVICES}/v1.{GROUP}", headers=TABLE).body)

    assert [document["name"] for document in document["columnDefinitions"]] == [
        "Name",
        "Service",
        "Available",
        "Age",
    ]
    assert document["rows"][0]["cells"][:3] == [f"v1.{GROUP}", "n/missing", "False (ServiceNotFound)"]


def test_a_version_that_comes_back_is_current_vc_36(down):
    down.apply([apiservice("v1")])
    down.settle()

    assert {document["freshness"] for document in versions(down)} == {"Current"}
    assert ask(down, f"{API}/v1/things/a").code == 200


def test_a_deleted_version_is_not_listed_and_not_found_vc_35(cluster):
    cluster.request("DELETE", f"{APISERVICES}/v1.{GROUP}")
    cluster.settle()

    assert [document["version"] for document in json.loads(ask(cluster, API).body)["versions"]] == ["v2"]
    assert ask(cluster, f"{API}/v1/things/a").short == NOT_FOUND


def test_an_old_form_of_discovery_alone_is_not_acceptable_vc_36(cluster):
    answer = ask(cluster, "/apis", headers={"Accept": AGGREGATED["Accept"].replace("v=v2", "v=v2beta1")})

    assert (answer.code, answer.body[:4]) == (406, b"{\n  ")


def test_documents_of_a_version_and_of_its_group_are_listed_and_passed_on_fk_442(cluster):
    index = ask(cluster, "/openapi/v3")
    listed = {key: document for key, document in json.loads(index.body)["paths"].items() if GROUP in key}
    documents = [f"/openapi/v3{API}", f"/openapi/v3{API}/v2"]

    assert listed == {key: url(key) for key in (f"apis/{GROUP}", f"apis/{GROUP}/v2")}
    assert (index.short[1], index.headers["accept-ranges"]) == ("text/plain; charset=utf-8", ["bytes"])
    assert [json.loads(ask(cluster, document).body)["target"] for document in documents] == documents
    assert ask(cluster, f"/openapi/v3{API}/v9").short == (404, "", b"")
