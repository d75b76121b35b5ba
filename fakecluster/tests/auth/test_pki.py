"""The folder of authorities and keys, and what may be done with them (FK-390, FK-406)."""

from __future__ import annotations

import base64
import json
import ssl
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from fakecluster import FakeCluster
from fakecluster.auth.certificates import Authority
from fakecluster.auth.static_certificates import StaticCertificates
from fakecluster.cli.failures import USAGE
from fakecluster.cli.serve import serve
from fakecluster.cluster.pki import PkiError

PAIRS = ["ca", "apiserver", "front-proxy-ca", "front-proxy-client"]
KEYS = [f"{name}.key" for name in (*PAIRS, "sa")]
NAMES = sorted([*KEYS, *(f"{name}.crt" for name in PAIRS), "sa.pub"])


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none") as cluster:
        yield cluster


@pytest.fixture
def folder(cluster, tmp_path):
    cluster.write_pki(tmp_path / "a" / "pki")
    return tmp_path / "a" / "pki"


def mode(path):
    return path.stat().st_mode & 0o777


def test_it_has_what_kubeadm_writes_and_others_read_nothing(folder):
    assert sorted(path.name for path in folder.iterdir()) == NAMES
    assert mode(folder) == 0o700
    assert {mode(folder / name) for name in KEYS} == {0o600}


@pytest.mark.parametrize("name", PAIRS)
def test_each_certificate_has_its_key(folder, name):
    certificate = x509.load_pem_x509_certificate((folder / f"{name}.crt").read_bytes())
    key = load_pem_private_key((folder / f"{name}.key").read_bytes(), None)

    assert certificate.public_key() == key.public_key()


@pytest.mark.parametrize(("name", "issuer"), [("apiserver", "ca"), ("front-proxy-client", "front-proxy-ca")])
def test_each_certificate_is_of_its_authority(folder, name, issuer):
    certificate, authority = (
        x509.load_pem_x509_certificate((folder / f"{owner}.crt").read_bytes()) for owner in (name, issuer)
    )

    certificate.verify_directly_issued_by(authority)


def test_the_key_of_accounts_verifies_their_tokens(cluster, folder):
    created = cluster.request(
        "POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "robot"}}
    )
    path = f"/api/v1/namespaces/default/serviceaccounts/{created['metadata']['name']}/token"
    token = cluster.request("POST", path, {"spec": {}})["status"]["token"]
    public = load_pem_public_key((folder / "sa.pub").read_bytes())
    signed, _, signature = token.rpartition(".")

    # Raises InvalidSignature.
    public.verify(
        base64.urlsafe_b64decode(signature + "=="), signed.encode(), padding.PKCS1v15(), hashes.SHA256()
    )
    assert load_pem_private_key((folder / "sa.key").read_bytes(), None).public_key() == public


def test_the_folder_of_an_earlier_cluster_is_written_anew(cluster, folder):
    before = (folder / "ca.crt").read_bytes()
    with FakeCluster(controllers="none") as other:
        other.write_pki(folder)

    assert (folder / "ca.crt").read_bytes() != before


def test_files_of_others_stay(cluster, tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "sa.key").write_text("precious")

    with pytest.raises(PkiError, match=r"holds sa\.key of another cluster"):
        cluster.write_pki(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["sa.key"]
    assert (tmp_path / "sa.key").read_text() == "precious"


def test_a_link_is_not_written_through(cluster, folder, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (folder / "ca.key").unlink()
    (folder / "ca.key").symlink_to(precious)
    cluster.write_pki(folder)

    assert (precious.read_text(), (folder / "ca.key").is_symlink()) == ("precious", False)


def test_a_folder_that_is_open_to_others_gets_no_key(cluster, tmp_path):
    tmp_path.chmod(0o755)

    with pytest.raises(PkiError, match=r"open to other users \(mode 0755\).*chmod 700"):
        cluster.write_pki(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_without_a_key_writes_none(tmp_path):
    pair, authority = Authority.fresh().server_pair, Authority.fresh()
    for name, content in {"s.crt": pair.certificate, "s.key": pair.key, "ca.crt": authority.pem}.items():
        (tmp_path / name).write_bytes(content)
    certificates = StaticCertificates.read(
        certificate=tmp_path / "s.crt", key=tmp_path / "s.key", client_ca=tmp_path / "ca.crt"
    )

    for settings in ({"certificates": certificates}, {"tls": False}):
        with pytest.raises(PkiError, match="no authority of its own"):
            FakeCluster(controllers="none", **settings).write_pki(tmp_path / "pki")


def test_the_help_says_what_the_folder_is_for():
    help_text = " ".join(CliRunner().invoke(serve, ["--help"]).output.split())

    assert "to test an extension API server" in help_text
    assert "A reader of the folder is administrator of this cluster." in help_text


def test_serve_writes_the_folder_before_it_is_ready(tmp_path):
    folder = tmp_path / "pki"
    command = [sys.executable, "-m", "fakecluster", "serve", "--controllers", "none", "--pki", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        url = process.stdout.readline().split()[1]
        context = ssl.create_default_context(cafile=folder / "ca.crt")
        context.load_cert_chain(folder / "front-proxy-client.crt", folder / "front-proxy-client.key")
        request = urllib.request.Request(
            f"{url}/apis/authentication.k8s.io/v1/selfsubjectreviews",
            b"{}",
            {"X-Remote-User": "carol", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, context=context, timeout=10) as answer:
            certificate = json.load(answer)["status"]["userInfo"]["username"]
        process.terminate()

    assert certificate == "carol"


def test_serve_refuses_a_folder_of_another_cluster(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "ca.key").write_text("precious")
    command = [sys.executable, "-m", "fakecluster", "serve", "--controllers", "none", "--pki", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stdout) == (USAGE, "")
    assert "--pki:" in done.stderr
    assert "Traceback" not in done.stderr
