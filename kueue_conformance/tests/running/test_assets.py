"""The programs of backend envtest: where they are looked for,
and imitations that are not taken unnoticed (§2.8).
"""

import pytest

from kueue_conformance.backends import assets
from kueue_conformance.base.errors import EnvironmentProblem, UsageError

MARK = '{"program": "fakecluster", "version": "9.9"}'


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    """No variable of the machine says where programs are, and the present folder has none."""
    for name in ("KUBEBUILDER_ASSETS", "TEST_ASSET_ETCD", "TEST_ASSET_KUBE_APISERVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def programs(folder, *names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or ("etcd", "kube-apiserver"):
        (folder / name).touch(mode=0o755)
    return folder


def test_the_folder_of_make_oracle_is_the_default(tmp_path):
    built = programs(tmp_path / ".oracle/bin")

    assert assets.find() == assets.Assets(etcd=built / "etcd", api_server=built / "kube-apiserver")


def test_the_variable_of_envtest_stands_over_the_default(tmp_path, monkeypatch):
    programs(tmp_path / ".oracle/bin")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(programs(tmp_path / "mine")))

    assert assets.find().etcd == tmp_path / "mine/etcd"


def test_a_single_program_stands_over_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(programs(tmp_path / "mine")))
    monkeypatch.setenv("TEST_ASSET_ETCD", str(programs(tmp_path / "other") / "etcd"))

    programs_found = assets.find()

    assert (programs_found.etcd.parent.name, programs_found.api_server.parent.name) == ("other", "mine")


def test_a_missing_program_is_told_with_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(programs(tmp_path / "mine", "etcd")))

    with pytest.raises(EnvironmentProblem) as caught:
        assets.find()

    assert str(caught.value).startswith(
        f"backend envtest needs the program kube-apiserver, and '{tmp_path}/mine/kube-apiserver' (KUBEBUILDER_ASSETS) is not one\n"
        "  hint: run `make oracle`"
    )


def test_an_imitation_is_refused(tmp_path, monkeypatch):
    (programs(tmp_path / "mine") / assets.MARK).write_text(MARK)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "mine"))

    with pytest.raises(UsageError, match=r"are no real API server: fakecluster 9\.9\n.*--allow-fake-assets"):
        assets.find()


@pytest.mark.parametrize(
    ("mark", "imitation"),
    [
        pytest.param(MARK, "fakecluster 9.9", id="mark"),
        pytest.param("{", "fakecluster of unknown version", id="broken mark"),
        pytest.param("[]", "fakecluster of unknown version", id="no map"),
    ],
)
def test_an_imitation_that_is_asked_for_is_named(tmp_path, monkeypatch, mark, imitation):
    (programs(tmp_path / "mine") / assets.MARK).write_text(mark)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "mine"))

    assert assets.find(allow_imitation=True).imitation == imitation
