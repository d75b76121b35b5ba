"""Secrets and ConfigMaps in folders of the machine (FK-483)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakecluster.base.files import write as write_file
from fakecluster.cluster.fake_cluster import FakeCluster
from fakecluster.cluster.mounts import UnknownVolume

SECRETS = "/api/v1/namespaces/default/secrets"
MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with FakeCluster(controllers="none", tls=False) as fake_cluster:
        yield fake_cluster


def secret(**files: str) -> Any:
    data = {name: b64encode(text.encode()).decode() for name, text in files.items()}
    return {"metadata": {"name": "certs"}, "data": data}


def shown(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if not path.name.startswith("..")}


def test_what_is_there_already_is_written_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.request("POST", SECRETS, secret(key="k", crt="c"))
    cluster.mount("secrets/default/certs", tmp_path / "new" / "folder")

    assert shown(tmp_path / "new" / "folder") == {"key": "k", "crt": "c"}


def test_what_comes_later_is_written_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.mount("configmaps/default/m", tmp_path)
    cluster.request(
        "POST", MAPS, {"metadata": {"name": "m"}, "data": {"a": "1"}, "binaryData": {"b": "Mg=="}}
    )

    assert shown(tmp_path) == {"a": "1", "b": "2"}


def test_a_change_turns_all_files_at_once_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.request("POST", SECRETS, secret(key="k", old="o"))
    cluster.mount("secrets/default/certs", tmp_path)
    before = (tmp_path / "..data").readlink()
    cluster.request("PUT", f"{SECRETS}/certs", secret(key="n", crt="c"))

    assert shown(tmp_path) == {"key": "n", "crt": "c"}
    assert (tmp_path / "key").readlink() == Path("..data/key")
    assert {path.name for path in tmp_path.iterdir() if path.is_dir() and not path.is_symlink()} == {
        str((tmp_path / "..data").readlink())
    }
    assert not (tmp_path / before).exists()


def test_a_change_of_labels_turns_nothing_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)
    before = (tmp_path / "..data").readlink()
    cluster.request(
        "PUT", f"{SECRETS}/certs", {**secret(key="k"), "metadata": {"name": "certs", "labels": {"a": "b"}}}
    )

    assert (tmp_path / "..data").readlink() == before


def test_what_is_deleted_stays_as_it_was_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)
    cluster.request("DELETE", f"{SECRETS}/certs")

    assert shown(tmp_path) == {"key": "k"}


def test_a_mount_is_called_off_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    stop = cluster.mount("secrets/default/certs", tmp_path)
    stop()
    cluster.request("POST", SECRETS, secret(key="k"))

    assert shown(tmp_path) == {}


@pytest.mark.parametrize("text", ["pods/a/b", "secrets/a", "secrets//b"], ids=["kind", "name", "namespace"])
def test_what_cannot_be_mounted_is_told_fk_483(cluster: FakeCluster, tmp_path: Path, text: str) -> None:
    with pytest.raises(UnknownVolume, match="expected secrets/NAMESPACE/NAME"):
        cluster.mount(text, tmp_path)


def test_the_files_of_a_secret_are_private_fk_483(cluster: FakeCluster, tmp_path: Path) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)

    assert ((tmp_path / "key").stat().st_mode & 0o777, (tmp_path / "..data/").stat().st_mode & 0o777) == (
        0o600,
        0o700,
    )


def test_a_folder_that_cannot_be_written_does_not_fail_the_write(
    cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fakecluster.cluster.mounts.write_file", fail)
    written = cluster.request("PUT", f"{SECRETS}/certs", secret(key="new"))

    assert written["data"]["key"] == b64encode(b"new").decode()
    assert shown(tmp_path) == {"key": "k"}
    assert f"{tmp_path} cannot be written: No space left on device" in caplog.text


def test_a_state_that_was_missed_is_written_at_the_next_event(
    cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)

    with monkeypatch.context() as broken:
        broken.setattr("fakecluster.cluster.mounts.data", lambda _: 1 / 0)
        cluster.request("PUT", f"{SECRETS}/certs", secret(key="new"))
    cluster.request("POST", MAPS, {"metadata": {"name": "another"}})

    assert shown(tmp_path) == {"key": "new"}


def test_a_state_that_is_written_in_part_is_removed(
    cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.request("POST", SECRETS, secret(key="k"))
    cluster.mount("secrets/default/certs", tmp_path)
    state = (tmp_path / "..data").readlink()

    def fail_at_b(path: Path, content: bytes, *, private: bool) -> None:
        if path.name == "b":
            raise OSError(28, "No space left on device")
        write_file(path, content, private=private)

    monkeypatch.setattr("fakecluster.cluster.mounts.write_file", fail_at_b)
    cluster.request("PUT", f"{SECRETS}/certs", secret(a="1", b="2"))

    assert {path.name for path in tmp_path.iterdir()} == {"..data", str(state), "key"}
