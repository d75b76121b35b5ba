"""`fakecluster front`: what it prints and writes, and how it fails (F-01, F-03)."""

from __future__ import annotations

import json
import signal
import stat
import subprocess
import sys
from contextlib import contextmanager

import pytest
from kubernetes import client, config
from kubernetes.client import ApiException

from fakecluster import FakeCluster

COMMAND = [sys.executable, "-m", "fakecluster", "front"]
RULES = [{"match": {"verb": "create", "times": 1}, "effect": {"kind": "answer", "code": 409}}]


@pytest.fixture
def files(tmp_path):
    """A cluster's kubeconfig and the options that name the other files."""
    with FakeCluster(clock="wall", controllers="none") as cluster:
        cluster.kubeconfig(tmp_path / "cluster")
        names = {
            "kubeconfig": "cluster",
            "front-kubeconfig": "front",
            "faults": "rules",
            "journal": "journal",
        }
        (tmp_path / "rules").write_text(json.dumps(RULES))
        yield tmp_path, [f"--{name}={tmp_path / file}" for name, file in names.items()]


@contextmanager
def standing(folder, options):
    """Yield a client that comes through a front with these options;
    the front is ended politely afterwards.
    """
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("ready https://127.0.0.1:")
        with config.new_client_from_config(str(folder / "front")) as api:
            yield api
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_it_passes_on_disturbs_and_tells(files):
    folder, options = files
    with standing(folder, [*options, "--user=me"]) as api:
        core = client.CoreV1Api(api)
        with pytest.raises(ApiException, match="409"):
            core.create_namespaced_config_map("default", {"metadata": {"name": "a"}})
        core.create_namespaced_config_map("default", {"metadata": {"name": "a"}})

    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in ("journal", "front")} == {0o600}
    entries = [json.loads(line) for line in (folder / "journal").read_text().splitlines()]
    assert [(entry["user"], entry["code"], len(entry["changes"])) for entry in entries] == [
        ("me", 409, 0),
        ("me", 201, 1),
    ]


def test_it_asks_in_the_name_of_somebody_else(files):
    folder, options = files
    undisturbed = [option for option in options if not option.startswith("--faults")]
    with standing(folder, [*undisturbed, "--as=alice"]) as api:
        review = client.AuthenticationV1Api(api).create_self_subject_review({})

    assert review.status.user_info.username == "alice"


@pytest.mark.parametrize(
    ("option", "content", "expected"),
    [
        pytest.param("faults", "{}", "expected a list of rules", id="no list"),
        pytest.param("faults", "[", "has no rules that can be used", id="no json"),
        pytest.param("faults", '[{"effect": {"kind": "melt"}}]', "is no effect", id="no effect"),
        pytest.param("kubeconfig", "a: b", "is no usable kubeconfig", id="no kubeconfig"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(files, option, content, expected):
    folder, options = files
    (folder / "wrong").write_text(content)
    others = [text for text in options if not text.startswith(f"--{option}=")]
    done = subprocess.run(
        [*COMMAND, *others, f"--{option}={folder / 'wrong'}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout, len(done.stderr.strip().splitlines())) == (4, "", 1)
    assert expected in done.stderr
