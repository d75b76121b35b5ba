"""What a user is told where there can be no cluster: golden texts,
each with what to do, and the exit code (harness §10.6).
"""

import pytest

from .programs import fails, says

NO_DAEMON = """\
error: no Docker daemon answers
  hint: start Docker and wait until `docker info` answers; as root on a machine without an init system: fixtures/kind/engine/start.sh .kind/engine
  `docker version --format` printed:
    Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?
"""
NOT_ALLOWED = """\
error: this user may not talk to Docker's daemon
  hint: add the user to the group `docker` and log in again, or run this as root
  `docker version --format` printed:
    permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock
"""
NO_DOCKER = """\
error: backend kind needs the program `docker`, and it is not on PATH
  hint: install Docker (on Debian: apt-get install docker.io) and run this again
"""
NO_KIND = """\
error: backend kind needs the program `kind`, and it is not on PATH
  hint: `make kind-image` builds it with Go, or: go install sigs.k8s.io/kind@v0.33.0
"""
NO_IMAGE = """\
error: there is no node image 'kueue-conformance/kind-node' here
  hint: `make kind-image` builds it from Go modules and Debian packages without a registry; where images can be pulled, name a published one: --kind-image kindest/node:v1.36.1
"""
NOT_PULLED = """\
error: the node image cannot be had
  hint: `make kind-image` builds one without a registry; a published one is named with --kind-image
  `docker pull kindest/node:v9` printed:
    Error response from daemon: manifest for kindest/node:v9 not found
"""
NO_ROOM = """\
error: 1.5 GB are free at '/', and a node needs 2 GB
  hint: make room: `docker system df` shows what takes it, `docker system prune` deletes what is unused
"""
OLD_DOCKER = """\
error: Docker's daemon has version 19.3.1, and kind needs 20 or newer
  hint: update Docker
"""
OLD_KIND = """\
error: kind has version 'v0.17.0', and v0.20 or newer is needed
  hint: go install sigs.k8s.io/kind@v0.33.0
"""
NOT_THERE = """\
error: unknown kind cluster 'othr'
  hint: did you mean 'other'?
"""
BROKEN = """\
error: `docker version --format` failed
  hint: it printed:
    segmentation fault
"""


@pytest.fixture
def run(run_command, monkeypatch):
    """Run `run --backend kind` up to where a cluster would be made; return its exit code and what it says."""
    monkeypatch.setattr("kueue_conformance.cli.run_command.run_pytest", lambda _: 0)

    def run(*words):
        backend = () if "--backend" in words else ("--backend", "kind")
        code, _, error_output = run_command("run", *backend, *words)
        return code, error_output

    return run


def test_a_machine_in_good_health_passes(run):
    assert run() == (0, "")


@pytest.mark.parametrize(
    ("program", "error"),
    [pytest.param("docker", NO_DOCKER, id="docker"), pytest.param("kind", NO_KIND, id="kind")],
)
def test_a_missing_program_is_named(run, programs, program, error):
    programs.remove(program)

    assert run() == (3, error)


@pytest.mark.parametrize(
    ("program", "words", "answer", "error"),
    [
        pytest.param(
            "docker",
            "version *",
            fails(
                "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
            ),
            NO_DAEMON,
            id="no daemon",
        ),
        pytest.param(
            "docker",
            "version *",
            fails(
                "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"
            ),
            NOT_ALLOWED,
            id="not allowed",
        ),
        pytest.param("docker", "version *", fails("segmentation fault", 139), BROKEN, id="broken docker"),
        pytest.param("docker", "version *", says("19.3.1"), OLD_DOCKER, id="old docker"),
        pytest.param("kind", "version *", says("v0.17.0"), OLD_KIND, id="old kind"),
        pytest.param("docker", "image ls *", ":", NO_IMAGE, id="no image"),
    ],
)
def test_what_is_wrong_with_a_program_is_told(run, programs, program, words, answer, error):
    programs.tell(program, words, answer)

    assert run() == (3, error)


def test_an_image_that_cannot_be_pulled_is_told(run, programs):
    programs.tell("docker", "image inspect *", fails("Error: No such image"))
    programs.tell(
        "docker", "pull *", fails("Error response from daemon: manifest for kindest/node:v9 not found")
    )

    assert run("--kind-image", "kindest/node:v9") == (3, NOT_PULLED)


def test_a_full_disk_is_told(run, monkeypatch):
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(10**10, 0, 15 * 10**8))

    assert run() == (3, NO_ROOM)


def test_a_cluster_to_reuse_that_is_not_there_is_told(run):
    assert run("--kind-reuse", "othr") == (4, NOT_THERE)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        pytest.param(
            ["--keep", "fail"],
            "error: unknown value of --keep 'fail'\n  hint: did you mean 'failed'?\n",
            id="keep",
        ),
        pytest.param(
            ["--kind-reuse", "other", "--keep", "always"],
            "error: --keep is about a cluster that is made, and --kind-reuse other names an existing one\n"
            "  hint: leave one of them out; an existing cluster is never deleted\n",
            id="keep and reuse",
        ),
        pytest.param(
            ["--kind-config", "none.yaml"],
            "error: --kind-config 'none.yaml' is no file\n  hint: name a file with `kind: Cluster` of kind.x-k8s.io/v1alpha4\n",
            id="config",
        ),
        pytest.param(
            ["--backend", "fake", "--kind-load", "a:1"],
            "error: --kind-load is about a kind cluster, and --backend is 'fake'\n  hint: add --backend kind, or leave --kind-load out\n",
            id="another backend",
        ),
    ],
)
def test_a_wrong_word_is_a_usage_error(run, words, error):
    assert run(*words) == (4, error)
