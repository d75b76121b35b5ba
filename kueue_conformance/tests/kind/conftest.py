"""A machine whose docker and kind are scripts, and whose state is a folder of the test."""

import pytest

from .programs import Programs


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Both programs, in good health."""
    installed = Programs(tmp_path / "bin")
    installed.install()
    monkeypatch.setenv("PATH", str(installed.folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("KIND_EXPERIMENTAL_PROVIDER", raising=False)
    monkeypatch.chdir(tmp_path)
    return installed


@pytest.fixture
def shelf_of(tmp_path):
    """Return the files of clusters that are left on disk."""

    def names():
        return sorted(folder.name for folder in (tmp_path / "state/kueue-conformance/clusters").glob("*"))

    return names


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory):
    """A fake cluster in place of one in containers: a node that is ready, and accounts; its kubeconfig."""
    from fakecluster.cluster.fake_cluster import FakeCluster
    from kueue_conformance.wire.client import Client
    from kueue_conformance.wire.resource import Resource
    from kueue_conformance.wire.transport import connect

    cluster = FakeCluster(clock="wall", controllers="namespaces,accounts,garbage").start()
    file = tmp_path_factory.mktemp("stand-in") / "kubeconfig"
    cluster.kubeconfig(file)
    client = Client(connect(str(file)), agent="test")
    client.create(
        {"kind": "Node", "metadata": {"name": "node"}}, Resource("", "v1", "Node", "nodes", namespaced=False)
    )
    ready = {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    client.call("PATCH", "/api/v1/nodes/node/status", ready, media="application/merge-patch+json")
    yield file
    cluster.stop()


@pytest.fixture
def programs_with_a_cluster(programs, stand_in):
    """Both programs, and a cluster that answers once it is made."""
    # kind is called as: create cluster --name NAME --image IMAGE --kubeconfig FILE
    programs.tell("kind", "create cluster *", f'/bin/cp {stand_in} "$8"; echo "$4" > {programs.folder}/made')
    programs.tell("kind", "get kubeconfig *", f"/bin/cat {stand_in}")
    return programs


@pytest.fixture
def run_command(capsys, monkeypatch, programs):
    """Run the command line in this process; return its exit code and both outputs."""
    from kueue_conformance import cli

    def run(*words):
        monkeypatch.setattr("sys.argv", ["kueue-conformance", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return run
