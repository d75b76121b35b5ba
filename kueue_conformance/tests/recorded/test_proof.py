"""A recording bears the name of a real program only with a proof:
the fake server and the reference never get it.
"""

import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from fakecluster.cluster.fake_cluster import FakeCluster
from kueue_conformance.backends.assets import MARK
from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.backends.kubeconfig import KubeconfigBackend
from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli
from kueue_conformance.control_planes import choose
from kueue_conformance.programs import go_program, proof
from kueue_conformance.programs.proof import CLUSTER_AUTOSCALER, KUBE_APISERVER, KUEUE, Unproven

from ..checkout import ROOT

HASH = "h1:mPNzr37u0nwI7ikST5QQl5gg6EgtYOAvC9ZbTgywdN8="
BUILT = f"path\tsigs.k8s.io/kueue/cmd/kueue\nmod\texample.com/build\t(devel)\t\ndep\tsigs.k8s.io/kueue\tv0.19.2\t{HASH}\n"
SENTINEL = b"0123456789abcdef"
REAL_API_SERVER = ROOT / ".oracle/bin/kube-apiserver"


def varint(number):
    return bytes([number & 0x7F | 0x80, number >> 7]) if number > 0x7F else bytes([number])


def string(data):
    return varint(len(data)) + data


def go_file(folder, modules, flags=2, before=b"\x7fELF" + bytes(12)):
    """Write a file with the build information of a Go program in it."""
    file = folder / "program"
    header = b"\xff Go buildinf:\x08" + bytes([flags]) + bytes(16)
    framed_modules = SENTINEL + modules.encode() + SENTINEL
    file.write_bytes(before + header + string(b"go1.26.8") + string(framed_modules) + bytes(64))
    return file


def test_a_go_program_says_what_it_was_built_from(tmp_path):
    build_info = go_program.read(go_file(tmp_path, BUILT))

    assert build_info.package == "sigs.k8s.io/kueue/cmd/kueue"
    assert build_info.modules["sigs.k8s.io/kueue"] == f"v0.19.2 {HASH}"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"#!/bin/sh\nexec kueue\n",
        b"\xff Go buildinf:\x08\x02",
        b"\xff Go buildinf:\x08\x02" + b"\xff" * 40,
    ],
    ids=["empty", "script", "cut off", "no end"],
)
def test_other_files_say_nothing(content, tmp_path):
    (tmp_path / "file").write_bytes(content)

    assert go_program.read(tmp_path / "file") is None


def test_the_magic_among_constants_is_passed_over(tmp_path):
    build_info = go_program.read(
        go_file(tmp_path, BUILT, before=b"-\xff Go buildinf:" + bytes(1) + b"\xff Go buildinf:" + bytes(18))
    )

    assert build_info.package == "sigs.k8s.io/kueue/cmd/kueue"


def test_a_kueue_is_proven_by_what_it_was_built_from(tmp_path):
    proven = proof.of_file(KUEUE, go_file(tmp_path, BUILT), "v0.19.2")

    assert (proven.program, proven.version) == ("kueue", "v0.19.2")
    assert f"sigs.k8s.io/kueue v0.19.2 {HASH}, sha256:" in proven.by


def test_a_cluster_autoscaler_is_proven_by_what_it_was_built_from(tmp_path):
    built = (
        "path\tk8s.io/autoscaler/cluster-autoscaler\nmod\tk8s.io/autoscaler/cluster-autoscaler\t(devel)\t\n"
    )

    proven = proof.of_file(CLUSTER_AUTOSCALER, go_file(tmp_path, built), "v1.36.1")

    assert (proven.program, proven.version) == ("cluster-autoscaler", "v1.36.1")


REFUSED = [
    pytest.param(
        BUILT, "v0.19.1", "says that it is kueue v0.19.1, and it was built from v0.19.2", id="another version"
    ),
    pytest.param(BUILT, "", "says that it is kueue of no version", id="no version"),
    pytest.param(
        BUILT.replace("cmd/kueue\n", "cmd/kueuectl\n"),
        "v0.19.2",
        "was built from 'sigs.k8s.io/kueue/cmd/kueuectl', expected",
        id="another program",
    ),
]


@pytest.mark.parametrize(("modules", "claimed_version", "message"), REFUSED)
def test_another_program_is_not_stamped_as_kueue(modules, claimed_version, message, tmp_path):
    with pytest.raises(Unproven, match=message) as refused:
        proof.of_file(KUEUE, go_file(tmp_path, modules), claimed_version)

    assert refused.value.hint


def test_the_reference_as_a_process_is_not_stamped_as_kueue():
    script = Path(sys.executable).parent / "kueue-reference"

    with pytest.raises(
        Unproven, match=r"was built from 'no Go program', expected 'sigs.k8s.io/kueue/cmd/kueue'"
    ):
        proof.of_file(KUEUE, script if script.exists() else Path(sys.executable), "v0.19.2")


@pytest.mark.parametrize("name", ["reference", "reference:deployed", "scripted", "none"])
def test_who_plays_kueue_is_not_stamped_as_kueue(name):
    with pytest.raises(Unproven, match=f"control plane {name} is an imitation of kueue"):
        choose(name, "envtest").proof(None)


def test_the_fake_server_is_not_stamped_as_kube_apiserver():
    with (
        closing(FakeBackend()) as backend,
        pytest.raises(Unproven, match="backend fake is an imitation of kube-apiserver"),
    ):
        backend.proof()


def test_the_fake_server_behind_a_kubeconfig_is_not_stamped_as_kube_apiserver(tmp_path):
    with FakeCluster(clock="wall") as cluster:
        file = tmp_path / "kubeconfig"
        file.write_text(cluster.kubeconfig(), "utf-8")
        with pytest.raises(Unproven, match=r"/version says gitCommit '0{40}', expected that of a build"):
            KubeconfigBackend(str(file)).proof()


def test_the_fake_assets_are_not_stamped_as_kube_apiserver(tmp_path):
    file = tmp_path / "kube-apiserver"
    file.write_text("#!/bin/sh\nexec fakecluster serve\n", "utf-8")

    with pytest.raises(Unproven, match="not proven to be kube-apiserver: it was built from 'no Go program'"):
        proof.of_file(KUBE_APISERVER, file, "v1.36.3")


@pytest.mark.skipif(not REAL_API_SERVER.exists(), reason="needs `make oracle`")
def test_the_real_kube_apiserver_is_proven():
    proven = proof.of_file(KUBE_APISERVER, REAL_API_SERVER, "v1.36.3")

    assert proven.by.startswith(
        "built from k8s.io/kubernetes/cmd/kube-apiserver, k8s.io/kubernetes v1.36.3 h1:"
    )


IMAGE = "registry.k8s.io/kueue/kueue:v0.19.2"
DIGEST = "sha256:" + "ab" * 32


def deployment(image):
    return {"spec": {"template": {"spec": {"containers": [{"image": image}]}}}}


def pod(image, image_id=f"registry.k8s.io/kueue/kueue@{DIGEST}", *, ready=True):
    return {"status": {"containerStatuses": [{"image": image, "imageID": image_id, "ready": ready}]}}


def test_a_kueue_in_a_cluster_is_proven_by_the_image_that_its_pods_run():
    proven = proof.of_deployment([deployment(IMAGE)], [pod(IMAGE)])

    assert (proven.version, proven.by) == ("v0.19.2", f"image {IMAGE} {DIGEST}")


NO_KUEUE = [
    pytest.param("localhost/kueue-reference:v0.19.2", pod("localhost/kueue-reference:v0.19.2"), id="the reference"),
    pytest.param("mine/kueue:v0.19.2", pod("mine/kueue:v0.19.2"), id="another repository"),
    pytest.param(IMAGE, pod(IMAGE, ready=False), id="not ready"),
    pytest.param(IMAGE, pod(IMAGE, ""), id="no image yet"),
    pytest.param(IMAGE, pod("mine/kueue:v1"), id="another pod"),
]  # fmt: skip


@pytest.mark.parametrize(("image", "there"), NO_KUEUE)
def test_another_image_is_not_stamped_as_kueue(image, there):
    with pytest.raises(Unproven, match="the Kueue of the cluster is not proven to be real"):
        proof.of_deployment([deployment(image)], [there])


def test_record_refuses_the_reference_on_the_fake_server_and_writes_nothing(tmp_path):
    result = CliRunner().invoke(
        cli,
        ["record", "kueue", "--backend", "fake", "--control-plane", "reference", "--folder", str(tmp_path)],
    )

    assert isinstance(result.exception, UsageError)
    assert "is an imitation of kube-apiserver" in str(result.exception)
    assert list(tmp_path.iterdir()) == []


def test_record_refuses_imitated_programs_and_writes_nothing(tmp_path, monkeypatch):
    topic = "names: {}\nvectors:\n- {id: a, title: a, rows: [FK-030], ask: GET /version}\n"
    (tmp_path / "small.yaml").write_text(topic, "utf-8")
    assets = tmp_path / "assets"
    assets.mkdir()
    (assets / MARK).write_text('{"program": "fakecluster"}', "utf-8")
    for name in ("etcd", "kube-apiserver"):
        (assets / name).write_text("#!/bin/sh\n", "utf-8")
        (assets / name).chmod(0o755)
        monkeypatch.delenv(f"TEST_ASSET_{name.upper().replace('-', '_')}", raising=False)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))

    result = CliRunner().invoke(cli, ["record", "api-server", "--folder", str(tmp_path)])

    assert "are no real API server: fakecluster" in str(result.exception)
    assert (tmp_path / "small.yaml").read_text("utf-8") == topic
