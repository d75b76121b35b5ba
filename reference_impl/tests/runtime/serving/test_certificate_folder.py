"""A certificate in a folder is used, created where there is none, and refused in words (VIS-803)."""

import pytest

from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.serving.certificate_folder import CertificateFolder
from reference_impl.runtime.serving.certificates import Identity

from .certified import identity


def fill(folder, **files):
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_bytes(content)


def test_a_certificate_of_a_folder_is_used(tmp_path):
    shown = identity("one.example")
    fill(tmp_path, tls_crt=shown.certificate, tls_key=shown.key, ca_crt=shown.authority)

    assert CertificateFolder(tmp_path).open(["ignored"]) == shown


def test_without_an_authority_clients_trust_the_certificate_itself(tmp_path):
    shown = identity("one.example")
    fill(tmp_path, tls_crt=shown.certificate, tls_key=shown.key)

    assert CertificateFolder(tmp_path).open([]) == Identity(shown.certificate, shown.key, shown.certificate)


def test_an_empty_folder_gets_one_with_its_authority(tmp_path):
    folder = tmp_path / "new"
    created = CertificateFolder(folder).open(["one.example"])

    assert (folder / "ca.crt").read_bytes() == created.authority != created.certificate
    assert (folder / "tls.key").stat().st_mode & 0o777 == 0o600
    assert CertificateFolder(folder).open(["one.example"]) == created, "a restart keeps it"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"tls_crt": identity("one.example").certificate}, id="no key"),
        pytest.param({"tls_crt": b"?", "tls_key": b"?"}, id="no PEM"),
        pytest.param(
            {"tls_crt": identity("one.example").certificate, "tls_key": identity("other.example").key},
            id="a key of another certificate",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_in_words(tmp_path, files):
    fill(tmp_path, **files)

    with pytest.raises(OutsideError, match=f"cannot use the certificates in {tmp_path}: "):
        CertificateFolder(tmp_path).open([])
