"""Kubeconfig files: where the server is, who we are, and what is refused."""

import base64

import pytest
import yaml

from reference_impl.runtime.errors import KubeconfigError
from reference_impl.runtime.kubeconfig import in_cluster, load

CLUSTER = {"server": "https://127.0.0.1:6443/"}


def write(tmp_path, *, cluster=CLUSTER, user=None, **rest):
    config = {
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": user or {}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    path = tmp_path / "kubeconfig"
    path.write_text(yaml.safe_dump(config | rest))
    return path


@pytest.mark.parametrize(
    ("user", "token"),
    [
        pytest.param({"token": "secret"}, "secret", id="token"),
        pytest.param({"tokenFile": "token.txt"}, "from file", id="token file beside it"),
        pytest.param({}, "", id="none"),
    ],
)
def test_tokens(tmp_path, user, token):
    (tmp_path / "token.txt").write_text("from file\n")

    assert load(write(tmp_path, user=user)).token == token


def test_certificates_inline_and_in_files(tmp_path):
    (tmp_path / "ca.crt").write_bytes(b"CA")
    inline = base64.b64encode(b"KEY").decode()

    connection = load(
        write(
            tmp_path, cluster=CLUSTER | {"certificate-authority": "ca.crt"}, user={"client-key-data": inline}
        )
    )

    assert (connection.server, connection.ca, connection.key) == ("https://127.0.0.1:6443", b"CA", b"KEY")


def test_plain_http_needs_no_tls(tmp_path):
    assert load(write(tmp_path, cluster={"server": "http://127.0.0.1:1"})).ssl_context() is None


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        pytest.param({"current-context": "y"}, r"no context named 'y' \(there: 'x'\)", id="context"),
        pytest.param({"clusters": []}, r"no cluster named 'c' \(there: none\)", id="cluster"),
        pytest.param(
            {"cluster": {"server": "127.0.0.1"}}, "server is '127.0.0.1', expected http", id="server"
        ),
        pytest.param(
            {"user": {"exec": {}}}, "user has 'exec'; only tokens and client certificates", id="plugin"
        ),
        pytest.param(
            {"user": {"client-certificate-data": "§"}}, "client-certificate-data is not base64", id="base64"
        ),
        pytest.param(
            {"user": {"client-key": "gone"}}, "cannot read client-key gone: No such file", id="file"
        ),
    ],
)
def test_what_cannot_be_used(tmp_path, fields, complaint):
    with pytest.raises(KubeconfigError, match=complaint):
        load(write(tmp_path, **fields))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param("a: [", "is not YAML", id="broken"),
        pytest.param("just words", "expected a mapping with clusters", id="no mapping"),
    ],
)
def test_what_is_no_kubeconfig(tmp_path, content, complaint):
    path = tmp_path / "file"
    path.write_text(content)

    with pytest.raises(KubeconfigError, match=complaint):
        load(path)


@pytest.fixture
def pod(tmp_path, monkeypatch):
    """A pod whose service account is in a folder of ours."""
    monkeypatch.setattr("reference_impl.runtime.kubeconfig.SERVICE_ACCOUNT", tmp_path)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.96.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    (tmp_path / "token").write_text("secret\n")
    (tmp_path / "ca.crt").write_text("CA")
    return tmp_path


def test_a_pod_has_a_connection(pod):
    connection = in_cluster()

    assert (connection.server, connection.ca) == ("https://10.96.0.1:443", b"CA")
    assert (connection.token, connection.token_file) == ("secret", pod / "token")


def test_a_host_of_the_sixth_version_has_brackets(pod, monkeypatch):
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")

    assert in_cluster().server == "https://[fd00::1]:443"


@pytest.mark.parametrize("name", [pytest.param("token", id="token"), pytest.param("ca.crt", id="authority")])
def test_a_pod_without_account_is_told_what_is_missing(pod, name):
    (pod / name).unlink()

    with pytest.raises(
        KubeconfigError, match=f"no usable service account: cannot read .*/{name}: No such file"
    ):
        in_cluster()
