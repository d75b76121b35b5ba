"""`fakecluster serve`: what it prints, and how it fails:
one line and an exit code (issue rows on bad input).
"""

from __future__ import annotations

import http.client
import signal
import socket
import ssl
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
import yaml
from kubernetes import client, config, watch

COMMAND = [sys.executable, "-m", "fakecluster"]
TOKENS = 'admin-token,admin,admin-uid,"system:masters"\nbob-token,bob,bob\n'
JOB = """
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: default}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
"""
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"


def fails(*args):
    """Run a command that must fail, and return its exit code and what it printed on stderr."""
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr.strip()


@pytest.fixture
def serve(tmp_path):
    running = []

    def start(*args):
        process = subprocess.Popen([*COMMAND, "serve", *args], stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process, process.stdout.readline().strip()

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize(
    "sent", [pytest.param(signal.SIGTERM, id="SIGTERM"), pytest.param(signal.SIGINT, id="SIGINT")]
)
def test_serve_says_where_it_is_and_ends_in_peace(serve, tmp_path, sent):
    process, line = serve("--kubeconfig", str(tmp_path / "config"))

    server = yaml.safe_load((tmp_path / "config").read_text())["clusters"][0]["cluster"]["server"]
    assert line == f"ready {server}"
    process.send_signal(sent)
    assert process.wait(timeout=30) == 0


def test_the_kubeconfig_is_for_its_owner_only(serve, tmp_path):
    serve("--kubeconfig", str(tmp_path / "config"))

    assert (tmp_path / "config").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "args", [pytest.param(["--help"], id="program"), pytest.param(["serve", "--help"], id="serve")]
)
def test_help_teaches_with_an_example(args):
    done = subprocess.run([*COMMAND, *args], capture_output=True, text=True, timeout=60, check=True)

    assert "Example:\n" in done.stdout
    assert "kubectl --kubeconfig fake.kubeconfig get namespaces" in done.stdout


def test_a_port_that_is_taken_is_the_environment_s_fault():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        code, error = fails("serve", "--port", str(port))

    assert code == 3
    assert error.startswith(f"fakecluster: cannot listen on 127.0.0.1:{port}: ")
    assert error.endswith("; try --port 0")


BAD = [
    pytest.param(["serv"], "No such command 'serv'", id="unknown command"),
    pytest.param(["serve", "--porr", "1"], "No such option '--porr'", id="unknown option"),
    pytest.param(["serve", "--port", "x"], "'x' is not a valid integer", id="port that is no number"),
    pytest.param(["serve", "--clock", "sun"], "'sun' is not one of 'wall', 'virtual'", id="unknown clock"),
    pytest.param(["serve", "--pod-script", "soon"], "step 'soon' of pod script 'soon'", id="no script"),
    pytest.param(["serve", "--controllers", "jabs"], "no controller 'jabs'", id="unknown controller"),
    pytest.param(["serve", "--controllers", "job"], "did you mean 'jobs'?", id="nearly a controller"),
    pytest.param(
        ["serve", "--authorization", "RBAC"],
        "'RBAC' is not one of 'always-allow', 'rbac'",
        id="authorization",
    ),
    pytest.param(["serve", "--speed", "nan"], "speed is nan: expected a number above 0", id="speed"),
    pytest.param(["serve", "--seed", "-1"], "-1 is not in the range", id="seed"),
    pytest.param(["serve", "--max-requests-inflight", "-1"], "-1 is not in the range", id="seats"),
    pytest.param(["serve", "--service", "hook=127.0.0.1:1"], "expected namespace/name", id="no Service"),
    pytest.param(
        ["serve", "--token-file", "none"],
        "cannot read the token file none: No such file or directory",
        id="no token file",
    ),
    pytest.param(["serve", "--service", "n/s=x"], "services: n/s: 'x' is no address", id="no address"),
    pytest.param(
        ["serve", "--apply", "none"],
        "cannot read the manifests none: No such file or directory",
        id="no manifests",
    ),
    pytest.param(
        ["serve", "--kubeconfig", "no/such/place"],
        "cannot write the kubeconfig no/such/place: No such file or directory",
        id="kubeconfig nowhere",
    ),
]


@pytest.mark.parametrize(("args", "expected"), BAD)
def test_wrong_usage_is_one_line(args, expected):
    code, error = fails(*args)

    assert code == 4
    assert error.startswith("fakecluster: ")
    assert expected in error
    assert len(error.splitlines()) == 1


FILES = [
    pytest.param(
        "--token-file",
        "a,b\n",
        "line 1: '…,b' has no token, user and uid; expected token,user,uid,\"groups\"",
        id="short token line",
    ),
    pytest.param("--apply", "a: [", "not YAML", id="no yaml"),
    pytest.param(
        "--apply",
        "a: b\n",
        "a document has no apiVersion and kind; expected Kubernetes objects",
        id="no object",
    ),
    pytest.param(
        "--apply",
        "apiVersion: v1\nkind: Pod\n",
        "a Pod has no metadata.name, which applying it needs",
        id="no name",
    ),
    pytest.param(
        "--apply",
        CONFIG_MAP.replace("ConfigMap", "Nope"),
        "no resource of this cluster is a v1 Nope",
        id="unknown kind",
    ),
    pytest.param(
        "--apply", CONFIG_MAP.replace("default", "zz"), 'namespaces "zz" not found', id="refused object"
    ),
]


@pytest.mark.parametrize(("option", "content", "expected"), FILES)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path, option, content, expected):
    (tmp_path / "file").write_text(content)

    code, error = fails("serve", option, str(tmp_path / "file"))

    assert code == 4
    assert expected in error
    assert len(error.splitlines()) == 1


def test_pods_run_until_they_are_told_otherwise_fk_481(serve, tmp_path):
    (tmp_path / "job.yaml").write_text(JOB)
    serve("--kubeconfig", str(tmp_path / "config"), "--apply", str(tmp_path / "job.yaml"))

    with config.new_client_from_config(str(tmp_path / "config")) as api:
        pods = client.CoreV1Api(api)
        events = watch.Watch().stream(pods.list_namespaced_pod, "default", timeout_seconds=20)
        pod = next(event["object"] for event in events if event["object"].status.phase == "Running")
        script = {"metadata": {"annotations": {"fakecluster.dev/script": "Succeeded"}}}
        pods.patch_namespaced_pod(pod.metadata.name, "default", script)
        jobs = watch.Watch().stream(client.BatchV1Api(api).list_namespaced_job, "default", timeout_seconds=20)

        assert next((job for job in jobs if job["object"].status.completion_time), None) is not None


def test_controllers_work_while_virtual_time_stands_still_fk_459(serve, tmp_path):
    (tmp_path / "job.yaml").write_text(JOB)
    files = ("--kubeconfig", str(tmp_path / "config"), "--apply", str(tmp_path / "job.yaml"))
    serve("--clock", "virtual", "--pod-script", "instant", *files)

    with config.new_client_from_config(str(tmp_path / "config")) as api:
        jobs = client.BatchV1Api(api)
        events = watch.Watch().stream(jobs.list_namespaced_job, "default", timeout_seconds=20)
        done = next((event for event in events if event["object"].status.completion_time), None)

    assert done is not None
    assert done["object"].status.completion_time.year == 2026


def test_a_name_that_is_given_is_answered_and_another_is_not(serve):
    _, line = serve("--host", "fake.example.com", "--authorization", "rbac")
    context = ssl._create_unverified_context()

    def asked(host):
        link = http.client.HTTPSConnection(
            urlsplit(line.removeprefix("ready ")).netloc, timeout=10, context=context
        )
        link.request("GET", "/healthz", headers={"Host": host})
        status = link.getresponse().status
        link.close()
        return status

    assert (asked("fake.example.com"), asked("evil.example.com")) == (200, 403)


def test_admission_plugins_can_be_left_out(serve, tmp_path):
    (tmp_path / "job.yaml").write_text(JOB)
    serve(
        "--disable-admission-plugins",
        "ServiceAccount, Priority",
        "--kubeconfig",
        str(tmp_path / "config"),
        "--apply",
        str(tmp_path / "job.yaml"),
    )

    with config.new_client_from_config(str(tmp_path / "config")) as api:
        stream = watch.Watch().stream(
            client.CoreV1Api(api).list_namespaced_pod, "default", timeout_seconds=20
        )
        pod = next(event["object"] for event in stream)

    assert (pod.spec.service_account_name, pod.spec.volumes, pod.spec.priority) == (None, None, None)
