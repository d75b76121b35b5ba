"""Backend envtest from start to stop, with programs that
play the real ones: no Go is needed for that (§2.8).
"""

import pytest

from kueue_conformance.backends import connect
from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.vectors.server import Server

STAMP = "#!/bin/sh\necho this program is broken >&2\nexit 3\n"


@pytest.fixture
def assets(tmp_path, monkeypatch):
    from fakecluster.envtest.install import install

    install(tmp_path / "assets")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "assets"))
    return tmp_path / "assets"


def whoami(backend):
    """Who each of the users is, as the server tells it."""
    review = b'{"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}'
    server = Server(backend.api_server())
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    path = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
    reviews = [
        server.ask("POST", path, user=user, headers=headers, body=review).body
        for user in ("admin", "alice", "bob")
    ]
    server.close()
    return [review_answer["status"]["userInfo"]["username"] for review_answer in reviews]


def test_the_server_is_started_and_knows_its_users(assets):
    backend = connect("envtest", allow_imitation=True)
    try:
        assert whoami(backend) == ["admin", "alice", "bob"]
        assert backend.program.startswith("fakecluster ")
        joined = connect("envtest", joined=backend.handle)
        assert whoami(joined) == ["admin", "alice", "bob"]
        joined.close()
    finally:
        backend.close()


def test_everything_is_gone_after_it(assets):
    backend = connect("envtest", allow_imitation=True)
    folder = backend.running()
    processes = list(backend._without_controllers._programs._running)
    backend.close()

    assert not folder.exists()
    assert [process.poll() is not None for process in processes] == [True, True]


@pytest.mark.parametrize("name", ["etcd", "kube-apiserver"])
def test_a_program_that_ends_is_told_with_its_log(assets, name):
    (assets / name).write_text(STAMP)

    with pytest.raises(EnvironmentProblem) as caught:
        connect("envtest", allow_imitation=True).api_server()

    assert str(caught.value).startswith(
        f"{name} ended with code 3\n  hint: the end of its log:\nthis program is broken"
    )


def test_a_program_for_another_machine_is_told(assets):
    (assets / "etcd").write_bytes(b"\x7fELF nonsense")

    with pytest.raises(EnvironmentProblem) as caught:
        connect("envtest", allow_imitation=True).api_server()

    assert "etcd" in str(caught.value)
