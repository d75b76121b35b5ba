"""What an API server with given certificates shows to extension servers (FK-437)."""

from pathlib import Path

import pytest

from fakecluster.auth.certificates import Authority, KeyPair
from fakecluster.auth.static_certificates import StaticCertificates


@pytest.fixture
def pair(tmp_path: Path) -> KeyPair:
    front_proxy = Authority.fresh().front_proxy
    (tmp_path / "proxy.crt").write_bytes(front_proxy.certificate)
    (tmp_path / "proxy.key").write_bytes(front_proxy.key)
    return front_proxy


@pytest.mark.parametrize("is_given", [True, False])
def test_it_shows_what_it_was_given_fk_437(tmp_path: Path, pair: KeyPair, is_given: bool) -> None:
    files = tmp_path / "proxy.crt", tmp_path / "proxy.key"

    certificates = StaticCertificates.read(
        certificate=files[0], key=files[1], client_ca=None, front_proxy=files if is_given else None
    )

    assert certificates.front_proxy == (pair if is_given else None)
