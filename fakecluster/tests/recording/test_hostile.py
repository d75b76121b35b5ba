"""Transcripts and clusters that want more than to be compared; what a transcript does not keep."""

from __future__ import annotations

import base64
import gzip
import json
import os
import socket
import threading
import time

import pytest
from click.testing import CliRunner
from kubernetes import client, config

from fakecluster import FakeCluster
from fakecluster.cli.recording import replay as replay_command
from fakecluster.codec.protobuf.writer import encode
from fakecluster.recording import replay, transcript
from fakecluster.recording.recorder import Recorder
from fakecluster.recording.redaction import redact
from fakecluster.recording.replay import Replay
from fakecluster.recording.transcript import Body, Exchange, TranscriptError, read
from fakecluster.recording.upstream import Upstream

SECRETS = "/api/v1/namespaces/default/secrets"
MAPS = "/api/v1/namespaces/default/configmaps"
WORD = "pässword"
VALUE = base64.b64encode(WORD.encode()).decode()
NOT_AN_EXCHANGE = "is no exchange: .*; expected a line that `fakecluster record` wrote"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"method": "GET\r\nX: y"}, id="method-of-two-lines"),
        pytest.param({"method": 1}, id="method-no-text"),
        pytest.param({"target": "http://elsewhere/"}, id="target-of-another-server"),
        pytest.param({"target": "/a b"}, id="target-with-a-space"),
        pytest.param({"target": "/\r\nX: y"}, id="target-of-two-lines"),
        pytest.param({"headers": {"impersonate-user": "admin"}}, id="impersonation"),
        pytest.param({"headers": {"Authorization": "Bearer x"}}, id="credentials"),
        pytest.param({"headers": {"accept": "a\nX: y"}}, id="header-of-two-lines"),
        pytest.param({"headers": []}, id="headers-no-map"),
        pytest.param({"body": {"base64": "?"}}, id="body-no-base64"),
        pytest.param({"body": None}, id="body-no-object"),
        pytest.param({"more": 1}, id="unknown-member"),
        pytest.param({"code": 10**30}, id="code-of-many-digits"),
    ],
)
def test_what_the_proxy_does_not_write_is_not_read(tmp_path, line):
    (tmp_path / "run").write_text(json.dumps({"method": "GET", "target": "/", **line}) + "\n")
    with pytest.raises(TranscriptError, match=NOT_AN_EXCHANGE):
        read(tmp_path / "run")


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b"1", b"null"], ids=repr)
def test_a_line_that_is_no_object_is_told(tmp_path, data):
    (tmp_path / "run").write_bytes(data)
    with pytest.raises(TranscriptError, match=NOT_AN_EXCHANGE):
        read(tmp_path / "run")


@pytest.mark.parametrize("bound", ["LINE", "MAX_FILE_BYTES"])
def test_a_file_that_unpacks_to_too_much_is_not_read(tmp_path, monkeypatch, bound):
    monkeypatch.setattr(transcript, bound, 1000)
    lines = Exchange(method="GET", target="/" + "x" * 300).line() * 5
    (tmp_path / "run.gz").write_bytes(gzip.compress(lines if bound == "WHOLE" else b"x" * 2000))
    with pytest.raises(TranscriptError, match=r"run\.gz is too large"):
        read(tmp_path / "run.gz")


def test_a_device_is_no_transcript():
    with pytest.raises(TranscriptError, match="/dev/zero is no file"):
        read(transcript.Path(os.devnull).with_name("zero"))


@pytest.mark.parametrize(
    ("exchange", "why"),
    [
        (Exchange(method="GET", target=f"{MAPS}?watch=True"), "a watch has no end to compare"),
        (Exchange(method="GET", target="/api/v1/watch/configmaps"), "a watch has no end to compare"),
        (
            Exchange(method="GET", target="/api/v1/namespaces/n/pods/p/log?follow=1"),
            "a stream has no end to compare",
        ),
        (
            Exchange(method="POST", target="/api/v1/namespaces/n/pods/p/exec"),
            "a stream has no end to compare",
        ),
        (Exchange(method="DELETE", target="/_fakecluster/faults"), "the laboratory is no part of the API"),
        (Exchange(method="POST", target=MAPS, complete=False), "it was not recorded whole"),
    ],
    ids=["watch", "older-watch", "log", "exec", "laboratory", "in-part"],
)
def test_what_is_not_played(exchange, why):
    (outcome,) = Replay(Upstream(url="http://127.0.0.1:1")).play([exchange])

    assert outcome.skipped == why


def test_a_cluster_on_another_machine_is_asked_for_with_a_word(tmp_path):
    with FakeCluster(controllers="none") as cluster:
        text = cluster.kubeconfig().replace("https://127.0.0.1", "https://192.0.2.7")
    (tmp_path / "config").write_text(text)
    outcome = CliRunner().invoke(
        replay_command, [str(tmp_path / "run"), "--kubeconfig", str(tmp_path / "config")]
    )

    assert "is not on this machine" in outcome.output


def played(answer, exchange=None, hold=False):
    """Play an exchange to a server that gives this answer."""
    exchange = exchange or Exchange(method="GET", target="/version", code=200)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ended = threading.Event()

        def serve():
            with listening.accept()[0] as link:
                link.recv(65536)
                link.sendall(answer)
                ended.wait(10 if hold else 0)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            return list(
                Replay(Upstream(url=f"http://127.0.0.1:{listening.getsockname()[1]}")).play([exchange])
            )
        finally:
            ended.set()
            thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        b"hello\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["no-http", "many-headers", "cut-short"],
)
def test_a_cluster_that_does_not_speak_http_is_an_error(answer):
    with pytest.raises(OSError, match="it does not answer in HTTP"):
        played(answer)


def test_an_answer_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(replay, "MAX_ANSWER_BYTES", 1000)
    (outcome,) = played(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000, hold=True)

    assert outcome.difference == "more than 1000 bytes came"


def test_an_answer_that_takes_too_long_is_given_up(monkeypatch):
    times = iter([0.0, 61.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(times, 61.0))
    with pytest.raises(TimeoutError, match="longer than 60 seconds"):
        played(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", hold=True)


@pytest.mark.parametrize(
    "body",
    [b'{"a":' * 600 + b"1" + b"}" * 600, b'{"managedFields":[1,[]]}', b'{"serverRelativeURL":1,"uid":2}'],
    ids=["deep", "managers", "types"],
)
def test_whatever_json_comes_is_compared(body):
    recorded = Exchange(method="GET", target="/version", code=200, answer=Body.of(body))

    assert len(played(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body), recorded)) == 1


def tells(body):
    """Tell whether a body, in whatever form, has the value."""
    return VALUE.encode() in body.bytes() or WORD.encode() in body.bytes()


SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"k": VALUE}}
APPLIED = {"metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": VALUE}}}
REVIEW = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": VALUE}}


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", SECRETS, json.dumps(SECRET).encode()),
        ("PUT", f"{SECRETS}/s", encode("v1", "Secret", SECRET)),
        ("PATCH", f"{SECRETS}/s", json.dumps([{"op": "add", "path": "/data/k", "value": VALUE}]).encode()),
        ("PATCH", f"{SECRETS}/s", f"apiVersion: v1\nkind: Secret\ndata:\n  k: {VALUE}\n".encode()),
        ("PATCH", f"{SECRETS}/s", f"{{ data: {VALUE}".encode()),
        ("PATCH", f"{SECRETS}/s", json.dumps(APPLIED).encode()),
        ("GET", SECRETS, json.dumps({"kind": "SecretList", "items": [SECRET]}, indent=1).encode()),
        (
            "GET",
            f"{SECRETS}?watch=1",
            b"\n".join([json.dumps({"type": "ADDED", "object": SECRET}).encode()] * 2) + b"\n",
        ),
        ("GET", SECRETS, json.dumps({"kind": "Table", "rows": [{"object": SECRET}]}).encode()),
        ("GET", f"{SECRETS}/s", json.dumps(SECRET).encode()[:-1]),
        ("POST", "/apis/authentication.k8s.io/v1/tokenreviews", json.dumps(REVIEW).encode()),
        (
            "POST",
            "/api/v1/namespaces/n/serviceaccounts/a/token",
            json.dumps({"status": {"token": VALUE}}).encode(),
        ),
    ],
    ids=[
        "json",
        "protobuf",
        "json-patch",
        "apply",
        "no-yaml",
        "last-applied",
        "list",
        "watch",
        "table",
        "cut",
        "review",
        "token",
    ],
)
def test_no_value_of_a_secret_and_no_token_is_kept(method, target, body):
    exchange = Exchange(method=method, target=target, body=Body.of(body), answer=Body.of(body))
    redacted = redact(exchange)

    assert (tells(exchange.body), tells(redacted.body), tells(redacted.answer)) == (True, False, False)


def test_what_a_merge_patch_removes_stays_removed():
    patch = Exchange(method="PATCH", target=f"{SECRETS}/s", body=Body.of(b'{"data":{"k":null}}'))

    assert redact(patch).body.text == '{"data":{"k":null}}'


def test_other_objects_are_kept_as_they_are():
    exchange = Exchange(method="POST", target=MAPS, body=Body.of(json.dumps({"data": {"k": VALUE}}).encode()))

    assert redact(exchange) is exchange


def test_a_recorded_secret_is_played_without_its_value(tmp_path):
    with FakeCluster(controllers="none") as cluster:
        cluster.kubeconfig(tmp_path / "cluster")
        upstream = Upstream.of_kubeconfig(tmp_path / "cluster")
        with (tmp_path / "run").open("wb") as file, Recorder(upstream, file) as recorder:
            (tmp_path / "proxy").write_text(recorder.kubeconfig)
            with config.new_client_from_config(str(tmp_path / "proxy")) as link:
                client.CoreV1Api(link).create_namespaced_secret("default", SECRET)
    with FakeCluster(controllers="none", tls=False) as other:
        outcomes = list(
            Replay(Upstream(url=other.url, token=lambda: f"Bearer {other.token()}")).play(
                read(tmp_path / "run")
            )
        )

    assert VALUE not in (tmp_path / "run").read_text()
    assert [outcome.difference for outcome in outcomes] == [""]
