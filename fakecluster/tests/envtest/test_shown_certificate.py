"""What an API server with given certificates shows to extension servers (FK-437)."""

from pathlib import Path

import pytest

from fakecluster.auth.certificates import Authority, KeyPair
from fakecluster.auth.static_certificates import StaticCertificates


@pytest.fixture
def pair(tmp_path: Path) -> KeyPair:
    made = Authority.fresh().front_proxy
    (tmp_path / "proxy.crt").write_bytes(made.certificate)
    (tmp_path / "proxy.key").write_bytes(made.key)
    return made


@pytest.mark.parametrize("given", [True, False])
def test_it_shows_what_it_was_given_fk_437(tmp_path: Path, pair: KeyPair, given: bool) -> None:
    files = tmp_path / "proxy.crt", tmp_path / "proxy.key"

    found = StaticCertificates.read(
        certificate=files[0], key=files[1], client_ca=None, front_proxy=files if given else None
    )

    assert found.front_proxy == (pair if given else None)
