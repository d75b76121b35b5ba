"""A cluster from its creation to its deletion; it leaves nothing behind unless it is to be kept."""

import json

import pytest

from kueue_conformance.backends import connect
from kueue_conformance.backends.features import WEBHOOKS
from kueue_conformance.backends.kind import state_file
from kueue_conformance.base.cluster_options import ClusterOptions
from kueue_conformance.base.errors import EnvironmentProblem, UsageError
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.wire.client import Client

from .programs import IMAGE, fails

V019 = select("v0.19")[0]
KUBEADM = "ERROR: failed to create cluster: failed to init node with kubeadm: command exited with 1"


@pytest.fixture
def backend(programs_with_a_cluster):
    """Make a backend; each is closed in the end."""
    backends = []

    def backend(joined="", tell=lambda _: None, **cluster_options):
        backends.append(
            connect("kind", joined=joined, cluster_options=ClusterOptions(**cluster_options), tell=tell)
        )
        return backends[-1]

    yield backend
    for kind_backend in backends:
        kind_backend.close()


def name_of(command_line):
    return command_line.split("--name ")[1].split()[0]


def test_a_cluster_is_made_on_its_own_and_deleted(backend, programs_with_a_cluster, shelf_of, tmp_path):
    ours = backend()
    cluster = ours.lend(V019)
    standing = shelf_of()
    ours.close()
    creation, deleted = (
        line for line in programs_with_a_cluster.calls_of("kind") if "cluster --name" in line
    )

    assert standing == [name_of(creation)] == [name_of(deleted)]
    assert cluster.kubeconfig == str(
        tmp_path / "state/kueue-conformance/clusters" / standing[0] / "kubeconfig"
    )
    assert f"--image {IMAGE} --kubeconfig {cluster.kubeconfig}" in creation
    assert shelf_of() == []


def test_our_image_gets_the_configuration_it_needs(backend, programs_with_a_cluster):
    backend().lend(V019)

    assert any("fixtures/kind/cluster.yaml" in line for line in programs_with_a_cluster.calls_of("kind"))


def test_a_published_image_gets_none(backend, programs_with_a_cluster):
    programs_with_a_cluster.tell("docker", "image inspect *", 'echo \'[{"Config": {"Labels": null}}]\'')
    backend(image="kindest/node:v1.36.1").lend(V019)
    creation = next(line for line in programs_with_a_cluster.calls_of("kind") if line.startswith("create"))

    assert ("--image kindest/node:v1.36.1" in creation, "--config" in creation) == (True, False)


def test_images_are_loaded(backend, programs_with_a_cluster, tmp_path):
    (tmp_path / "controller.tar").touch()
    backend(load=("app:1", str(tmp_path / "controller.tar"))).lend(V019)
    loads = [
        line.partition(" --name")[0]
        for line in programs_with_a_cluster.calls_of("kind")
        if line.startswith("load")
    ]

    assert loads == ["load docker-image app:1", f"load image-archive {tmp_path}/controller.tar"]


def test_a_worker_joins_the_cluster_and_deletes_nothing(backend, programs_with_a_cluster):
    leading = backend()
    leading.lend(V019)
    before = programs_with_a_cluster.calls_of("kind")
    worker = backend(joined=leading.handle)
    version = Client(worker.lend(V019).transport, agent="test").call("GET", "/version")
    worker.close()

    assert version["major"] == "1"
    assert worker.features == leading.features
    assert programs_with_a_cluster.calls_of("kind") == before


def test_there_are_no_webhooks_where_nodes_do_not_reach_this_machine(backend, programs_with_a_cluster):
    programs_with_a_cluster.tell("docker", "network inspect *", fails("no such network"))
    far = backend()
    far.lend(V019)

    assert WEBHOOKS not in far.features


@pytest.mark.parametrize(
    ("keep", "failing", "stays"),
    [
        pytest.param("never", True, False, id="never"),
        pytest.param("failed", True, True, id="failed"),
        pytest.param("failed", False, False, id="failed, and all went well"),
        pytest.param("always", False, True, id="always"),
    ],
)
def test_a_cluster_stays_when_that_is_wished(backend, shelf_of, keep, failing, stays):
    ours = backend(keep=keep)
    ours.lend(V019)
    ours.save_failure_logs() if failing else None
    ours.close()

    assert bool(shelf_of()) == stays


def test_logs_and_events_are_kept_when_something_fails(backend, tmp_path):
    ours = backend(logs=tmp_path / "report")
    client = Client(ours.lend(V019).transport, agent="test")
    client.create(
        {
            "kind": "Event",
            "metadata": {"name": "e", "namespace": "default"},
            "reason": "Failed",
            "message": "no image",
            "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p"},
        }
    )
    ours.save_failure_logs()
    client.clean_up()
    folder = tmp_path / "report/kind-logs"

    assert (folder / "node/kubelet.log").exists()
    assert "Failed               Pod/default/p: no image" in (folder / "events.txt").read_text()


def test_half_a_cluster_is_taken_away(backend, programs_with_a_cluster, shelf_of, tmp_path):
    programs_with_a_cluster.tell("kind", "create cluster *", fails(KUBEADM))
    ours = backend(logs=tmp_path / "report")
    with pytest.raises(EnvironmentProblem) as caught:
        ours.lend(V019)
    command_lines = [line for line in programs_with_a_cluster.calls_of("kind") if "--name" in line]

    assert str(caught.value) == (
        f"`kind create cluster` failed\n  hint: it printed:\n    {KUBEADM}\n  logs of what there was of the cluster: {tmp_path}/report/kind-logs"
    )
    assert [line.split()[0] for line in command_lines] == ["create", "export", "delete"]
    assert shelf_of() == []


def test_half_a_cluster_that_cannot_be_taken_away_is_told_and_remembered(
    backend, programs_with_a_cluster, shelf_of
):
    programs_with_a_cluster.tell(
        "kind", "create cluster *", fails("write /var/lib/docker/x: no space left on device")
    )
    programs_with_a_cluster.tell("kind", "delete cluster *", fails("input/output error"))
    with pytest.raises(EnvironmentProblem, match="the disk that Docker writes to is full") as caught:
        backend().lend(V019)

    (name,) = shelf_of()
    assert f"half a cluster is left; remove it with: kueue-conformance cleanup {name}" in caught.value.hint


def test_a_whole_cluster_that_cannot_be_taken_away_is_told_and_remembered(
    backend, programs_with_a_cluster, shelf_of
):
    lines = []
    programs_with_a_cluster.tell("kind", "delete cluster *", fails("tried to kill container"))
    ours = backend(tell=lines.append)
    ours.lend(V019)

    ours.close()

    (name,) = shelf_of()
    assert lines[-1].startswith(f"kind: cluster {name} is left: `kind delete cluster` failed")
    assert "tried to kill container" in lines[-1]
    assert lines[-1].endswith(f"delete it:      kueue-conformance cleanup {name}")


def test_a_cluster_of_a_killed_run_goes_before_another_is_made(backend, programs_with_a_cluster, shelf_of):
    state_file.write_record(
        state_file.ClusterRecord(
            name="kueue-conformance-dead00", owner=state_file.Owner(2**22 + 1, "1"), image=IMAGE
        )
    )
    backend().lend(V019)
    deleted = [
        name_of(line) for line in programs_with_a_cluster.calls_of("kind") if line.startswith("delete")
    ]

    assert deleted == ["kueue-conformance-dead00"]
    assert "kueue-conformance-dead00" not in shelf_of()


def test_a_cluster_is_used_again_and_stays(backend, programs_with_a_cluster):
    second_backend = backend(reuse="other")
    version = Client(second_backend.lend(V019).transport, agent="test").call("GET", "/version")
    second_backend.close()
    verbs = {line.split()[0] for line in programs_with_a_cluster.calls_of("kind")}

    assert version["major"] == "1"
    assert verbs == {"version", "get"}


@pytest.mark.parametrize(
    ("program", "words", "answer", "error", "text"),
    [
        pytest.param(
            "docker",
            "inspect *Running*",
            "echo false",
            EnvironmentProblem,
            "node other-control-plane of cluster 'other' does not run",
            id="stopped",
        ),
        pytest.param(
            "docker",
            "inspect *Image*",
            "echo another:1",
            UsageError,
            "made from 'another:1', and --kind-image is",
            id="another image",
        ),
    ],
)
def test_a_cluster_that_is_not_what_was_asked_for_is_refused(
    backend, programs_with_a_cluster, program, words, answer, error, text
):
    programs_with_a_cluster.tell(program, words, answer)

    with pytest.raises(error, match=text):
        backend(reuse="other", image=IMAGE).lend(V019)


def test_leftovers_of_other_runs_are_told_and_can_be_removed(backend, run_command, stand_in):
    from kueue_conformance.wire.transport import connect as reach

    client = Client(reach(str(stand_in)), agent="test", run="abcde")
    client.create({"kind": "Namespace", "metadata": {"name": "left"}})
    with pytest.raises(
        EnvironmentProblem, match=r"still holds 1 objects of other runs \(abcde\), such as Namespace left"
    ):
        backend(reuse="other").lend(V019)

    assert run_command("cleanup", "--kind-reuse", "other") == (
        0,
        "deleted Namespace left, of run abcde\n1 objects deleted\n",
        "",
    )


def test_what_is_on_disk_tells_whose_it_is(backend, tmp_path, shelf_of):
    backend().lend(V019)
    (name,) = shelf_of()
    record = json.loads((tmp_path / "state/kueue-conformance/clusters" / name / "record.json").read_text())

    assert (record["name"], record["owner"]["pid"], record["image"]) == (
        name,
        state_file.Owner.here().pid,
        IMAGE,
    )
