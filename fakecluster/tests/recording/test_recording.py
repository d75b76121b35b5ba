"""A cluster recorded through the proxy, and played to another one (F-08)."""

from __future__ import annotations

import orjson
import pytest
from kubernetes import client, config, watch
from kubernetes.client import ApiException
from msgspec.structs import replace

from fakecluster import FakeCluster
from fakecluster.codec.protobuf.writer import encode, item, wrap_in_envelope
from fakecluster.codec.protobuf.writer import write as write_message
from fakecluster.recording.comparison import difference
from fakecluster.recording.recorder import Recorder
from fakecluster.recording.replay import Replay
from fakecluster.recording.transcript import Body, Exchange, TranscriptError, read, write
from fakecluster.recording.upstream import Upstream, UpstreamError
from fakecluster.tests import websocket
from fakecluster.tests.raw import exchange, request

MAP = {"metadata": {"name": "a"}, "data": {"k": "1"}}


@pytest.fixture(scope="module")
def clusters():
    """The cluster that is recorded, which knows us by a certificate,
    and another one, which does by a token.
    """
    with (
        FakeCluster(controllers="none", authorization="rbac") as cluster,
        FakeCluster(controllers="none", authorization="rbac", tls=False, seed=1) as other,
    ):
        yield cluster, other


def upstream(cluster, folder):
    cluster.kubeconfig(folder / "cluster")
    return Upstream.of_kubeconfig(folder / "cluster")


@pytest.fixture
def recorded(clusters, tmp_path):
    """What a client did, as a transcript; a conflict is provoked by an old resourceVersion."""
    with (tmp_path / "run").open("wb") as file, Recorder(upstream(clusters[0], tmp_path), file) as recorder:
        (tmp_path / "proxy").write_text(recorder.kubeconfig)
        with config.new_client_from_config(str(tmp_path / "proxy")) as link:
            core = client.CoreV1Api(link)
            config_map = core.create_namespaced_config_map("default", MAP)
            config_map.data = {"k": "2"}
            core.replace_namespaced_config_map("a", "default", config_map)
            with pytest.raises(ApiException, match="409"):
                core.replace_namespaced_config_map("a", "default", config_map)
            events = watch.Watch().stream(
                core.list_namespaced_config_map,
                "default",
                field_selector="metadata.name=a",
                timeout_seconds=1,
            )
            assert next(events)["object"].data == {"k": "2"}
            core.delete_namespaced_config_map("a", "default")
    return read(tmp_path / "run")


def test_everything_is_written_down(recorded):
    assert [(cluster.method, cluster.code) for cluster in recorded if not cluster.watch] == [
        ("POST", 201),
        ("PUT", 200),
        ("PUT", 409),
        ("DELETE", 200),
    ]
    assert "authorization" not in recorded[0].headers


def test_another_cluster_answers_alike(recorded, clusters, tmp_path):
    outcomes = list(Replay(upstream(clusters[1], tmp_path)).play(recorded))

    assert [cluster.difference for cluster in outcomes] == [""] * len(recorded)
    assert [cluster.exchange.watch for cluster in outcomes] == [bool(cluster.skipped) for cluster in outcomes]


def test_what_is_answered_unlike_is_told(recorded, clusters, tmp_path):
    clusters[1].apply(
        [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}]
    )
    first, *_ = Replay(upstream(clusters[1], tmp_path)).play(recorded)

    assert first.difference.startswith("code 201 was recorded, 409 came: ")


def test_a_stranger_is_not_let_through(clusters, tmp_path):
    with (tmp_path / "run").open("wb") as file, Recorder(upstream(clusters[0], tmp_path), file) as recorder:
        text = recorder.kubeconfig.replace(recorder.kubeconfig.split("token: ")[1].split()[0], "guessed")
        (tmp_path / "proxy").write_text(text)
        with (
            config.new_client_from_config(str(tmp_path / "proxy")) as link,
            pytest.raises(ApiException, match="use the kubeconfig that it wrote"),
        ):
            client.CoreV1Api(link).list_node()
    assert read(tmp_path / "run") == ()


@pytest.mark.parametrize(
    "data", [pytest.param(b'{"a": 1}', id="text"), pytest.param(b"k8s\x00\xff", id="bytes")]
)
def test_bodies_survive_the_file(tmp_path, data):
    write(tmp_path / "run", [Exchange(method="POST", target="/", body=Body.of(data))])

    assert read(tmp_path / "run")[0].body.bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'{"kind":"ConfigMap"}', id="text"),
        pytest.param(encode("v1", "ConfigMap", {}), id="protobuf"),
    ],
)
def test_json_and_protobuf_are_read(data):
    assert Body.of(data).json()["kind"] == "ConfigMap"


def test_a_list_of_messages_is_read_by_its_items():
    lists = wrap_in_envelope("v1", "ConfigMapList", item(write_message("core.v1.ConfigMap", MAP)))

    assert Body.of(lists).json()["items"][0]["data"] == {"k": "1"}


def test_a_packed_file_is_read(tmp_path):
    write(tmp_path / "run.gz", [Exchange(method="GET", target="/")])

    assert (tmp_path / "run.gz").read_bytes().startswith(b"\x1f\x8b")
    assert read(tmp_path / "run.gz")[0].target == "/"


def test_a_packed_file_that_is_cut_short_is_told(tmp_path):
    write(tmp_path / "run.gz", [Exchange(method="GET", target="/")])
    (tmp_path / "run.gz").write_bytes((tmp_path / "run.gz").read_bytes()[:-9])
    with pytest.raises(TranscriptError, match=r"run.gz is packed but cannot be unpacked: "):
        read(tmp_path / "run.gz")


PROTOBUF = {"content-type": "application/vnd.kubernetes.protobuf", "accept": "application/json"}
MAPS = "/api/v1/namespaces/default/configmaps"


def test_what_a_server_made_up_is_translated_within_protobuf_too(clusters, tmp_path):
    named = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "packed", "namespace": "default"}}
    config_map = {
        **named,
        "metadata": {**named["metadata"], "uid": "recorded", "resourceVersion": "987654321"},
    }
    ask = Exchange(
        method="POST", target=MAPS, headers=PROTOBUF, body=Body.of(encode("v1", "ConfigMap", named))
    )
    second_exchange = Exchange(
        method="PUT",
        target=f"{MAPS}/packed",
        headers=PROTOBUF,
        body=Body.of(encode("v1", "ConfigMap", config_map)),
        code=200,
        content_type="application/json",
    )
    created = replace(
        ask, code=201, content_type="application/json", answer=Body.of(orjson.dumps(config_map))
    )
    outcomes = [*Replay(upstream(clusters[1], tmp_path)).play([created, second_exchange])]

    assert "code" not in outcomes[0].difference + outcomes[1].difference


def test_a_line_that_is_no_exchange_is_told(tmp_path):
    (tmp_path / "run").write_text('{"method": "GET"}\n')
    with pytest.raises(
        TranscriptError, match=r"run:1 is no exchange: .*expected a line that `fakecluster record` wrote"
    ):
        read(tmp_path / "run")


def test_a_kubeconfig_that_is_none_is_told(tmp_path):
    (tmp_path / "cluster").write_text("kind: Config\n")
    with pytest.raises(UpstreamError, match="cluster is no usable kubeconfig"):
        Upstream.of_kubeconfig(tmp_path / "cluster")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param({"goVersion": "go1"}, {"goVersion": "go2"}, id="build"),
        pytest.param(
            {"managedFields": [{"manager": "a"}, {"manager": "b"}]},
            {"managedFields": [{"manager": "b"}, {"manager": "a"}]},
            id="order-of-managers",
        ),
    ],
)
def test_what_may_differ(old, new):
    assert difference(old, new) == ""


def test_managers_that_own_other_fields_are_told():
    old = {"managedFields": [{"manager": "a", "fieldsV1": {"f:data": {}}}]}
    new = {"managedFields": [{"manager": "a", "fieldsV1": {"f:spec": {}}}]}

    assert difference(old, new) == ".managedFields[0].fieldsV1.f:data: was recorded and did not come"


def test_a_cluster_behind_a_proxy_is_refused(clusters, tmp_path):
    text = clusters[0].kubeconfig().replace("    server:", "    proxy-url: http://127.0.0.1:1\n    server:")
    (tmp_path / "cluster").write_text(text)

    with pytest.raises(UpstreamError, match="without proxy-url"):
        Upstream.of_kubeconfig(tmp_path / "cluster")


@pytest.mark.parametrize("offer", ["CONNECT x:443", "POST /api/v1/namespaces"], ids=["connect", "upgrade"])
def test_a_body_behind_an_offer_of_another_protocol_is_no_request(clusters, tmp_path, offer):
    with (tmp_path / "run").open("wb") as file, Recorder(upstream(clusters[0], tmp_path), file) as recorder:
        token = next(line.split()[1] for line in recorder.kubeconfig.splitlines() if "token:" in line)
        credentials = f"Authorization: Bearer {token}".strip().encode()
        inner = request("GET", "/readyz", credentials)
        method, target = offer.split()
        exchange(
            recorder.url,
            request(method, target, credentials, b"Connection: upgrade", b"Upgrade: h2c", body=inner),
        )

    assert [entry.target for entry in read(tmp_path / "run") if entry.target == "/readyz"] == []


@pytest.mark.parametrize("origin", ["", "https://console.example"], ids=["no page", "a page"])
def test_watches_over_websockets_are_refused_so_that_clients_watch_over_http(clusters, tmp_path, origin):
    with (tmp_path / "run").open("wb") as file, Recorder(upstream(clusters[0], tmp_path), file) as recorder:
        token = next(line.split()[1] for line in recorder.kubeconfig.splitlines() if "token:" in line)
        with websocket.open_socket(
            recorder.url, "/api/v1/namespaces?watch=1", token=token, origin=origin
        ) as client:
            assert client.code == 503


def test_the_origin_of_a_client_is_not_told_to_the_cluster(tmp_path):
    with (
        FakeCluster(controllers="none") as cluster,
        (tmp_path / "run").open("wb") as file,
        Recorder(upstream(cluster, tmp_path), file) as recorder,
    ):
        token = next(line.split()[1] for line in recorder.kubeconfig.splitlines() if "token:" in line)
        headers = (
            f"Authorization: Bearer {token}".encode(),
            b"Origin: https://console.example",
            b"Connection: close",
        )
        answer = exchange(recorder.url, request("GET", "/version", *headers))

    assert answer.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"method": "GET / HTTP/1.1\r\nA: b"}, id="method"),
        pytest.param({"target": "/a\r\nB: c"}, id="target of two lines"),
        pytest.param({"target": "http://elsewhere/"}, id="target elsewhere"),
        pytest.param({"headers": {"a": "b\r\nc: d"}}, id="header of two lines"),
        pytest.param({"headers": {"a": 1}}, id="header that is no text"),
        pytest.param({"body": {"base64": "!"}}, id="body that is no base64"),
        pytest.param({"answer": None}, id="no answer"),
        pytest.param({"code": "200"}, id="code as text"),
        pytest.param({"more": 1}, id="field of another format"),
    ],
)
def test_a_request_that_cannot_be_sent_is_told(tmp_path, options):
    (tmp_path / "run").write_bytes(
        orjson.dumps({"method": "GET", "target": "/", "body": {}, "answer": {}, **options})
    )

    with pytest.raises(TranscriptError, match="run:1 is no exchange"):
        read(tmp_path / "run")
