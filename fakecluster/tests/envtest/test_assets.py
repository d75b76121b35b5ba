"""The executables that stand in for kube-apiserver and etcd,
started as envtest starts them (apiserver.md §2.8).
"""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
import urllib.error
import urllib.request

import pytest

from fakecluster.auth.certificates import Authority
from fakecluster.envtest.install import MARKER_FILE, install


@pytest.fixture(scope="module")
def assets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("assets")
    install(folder)
    return folder


@pytest.fixture(scope="module")
def authority():
    return Authority.fresh()


@pytest.fixture
def cert_dir(tmp_path, authority):
    """What controller-runtime puts beside an API server before it starts it."""
    pair = authority.server()
    (tmp_path / "apiserver.crt").write_bytes(pair.certificate)
    (tmp_path / "apiserver.key").write_bytes(pair.key)
    (tmp_path / "client-cert-auth-ca.crt").write_bytes(authority.pem)
    return tmp_path


@pytest.fixture
def start():
    running = []

    def started(*command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(process)
        return process

    yield started
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def unused_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def apiserver(start, assets, cert_dir):
    """A server started with the flags of envtest; its address."""
    process = start(
        assets / "kube-apiserver",
        f"--cert-dir={cert_dir}",
        "--secure-port=0",
        "--bind-address=127.0.0.1",
        f"--client-ca-file={cert_dir}/client-cert-auth-ca.crt",
        "--authorization-mode=RBAC",
        "--etcd-servers=http://127.0.0.1:1",
        f"--service-account-signing-key-file={cert_dir}/sa-signer.key",
        "--allow-privileged=true",
    )
    return process.stdout.readline().split()[1]


def asked(url, authority, folder, user=None):
    """Return what the server answers, with the client certificate of a user or without one."""
    context = ssl.create_default_context(cadata=authority.pem.decode())
    if user:
        pair = authority.client(*user)
        file = folder / "client.pem"
        file.write_bytes(pair.certificate + pair.key)
        context.load_cert_chain(file)
    with urllib.request.urlopen(url, context=context, timeout=30) as answer:
        return answer.read()


@pytest.mark.parametrize("program", ["kube-apiserver", "etcd"])
def test_help_ends_well(assets, program):
    done = subprocess.run(
        [assets / program, "--help"], capture_output=True, text=True, timeout=60, check=True
    )

    assert "--insecure-port" not in done.stdout
    assert ("--unsafe-no-fsync" in done.stdout) == (program == "etcd")


def test_strangers_may_ask_for_health_and_nothing_else(apiserver, authority, tmp_path):
    assert asked(f"{apiserver}/healthz", authority, tmp_path) == b"ok"
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        asked(f"{apiserver}/api/v1/namespaces", authority, tmp_path)
    refused.value.close()


def test_a_certificate_of_the_given_authority_is_believed(apiserver, authority, tmp_path):
    answer = asked(
        f"{apiserver}/api/v1/namespaces/default", authority, tmp_path, ("admin", ["system:masters"])
    )

    assert json.loads(answer)["metadata"]["name"] == "default"


@pytest.mark.parametrize(
    ("flags", "name", "code"),
    [
        pytest.param(["--requestheader-allowed-names=edge,other"], "edge", 201, id="allowed name"),
        pytest.param(["--requestheader-allowed-names=edge"], "other", 401, id="another name"),
        pytest.param([], "other", 201, id="any name"),
        pytest.param(None, "edge", 0, id="no front proxy"),
    ],
)
def test_a_front_proxy_is_believed_as_the_flags_say_fk_390(
    start, assets, cert_dir, authority, flags, name, code
):
    proxies = Authority.fresh("proxies")
    (cert_dir / "proxy-ca.crt").write_bytes(proxies.pem)
    further_flags = (
        [] if flags is None else [f"--requestheader-client-ca-file={cert_dir}/proxy-ca.crt", *flags]
    )
    process = start(
        assets / "kube-apiserver",
        f"--cert-dir={cert_dir}",
        "--secure-port=0",
        "--authorization-mode=RBAC",
        f"--client-ca-file={cert_dir}/client-cert-auth-ca.crt",
        *further_flags,
    )
    url = f"{process.stdout.readline().split()[1]}/apis/authentication.k8s.io/v1/selfsubjectreviews"

    assert review(url, authority, proxies.client(name, []), cert_dir) == code


def review(url, authority, pair, folder):
    """Send a request as a foreign front proxy; return the code, 0 when the handshake fails."""
    context = ssl.create_default_context(cadata=authority.pem.decode())
    (folder / "proxy.pem").write_bytes(pair.certificate + pair.key)
    context.load_cert_chain(folder / "proxy.pem")
    headers = {
        "X-Remote-User": "carol",
        "X-Remote-Group": "system:authenticated",
        "Content-Type": "application/json",
    }
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, b"{}", headers), context=context, timeout=30
        ) as answer:
            return answer.status if json.load(answer)["status"]["userInfo"]["username"] == "carol" else -1
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except (ssl.SSLError, urllib.error.URLError):
        return 0


def test_etcd_is_healthy_and_ends_in_peace(start, assets, unused_port):
    process = start(
        assets / "etcd", f"--listen-client-urls=http://127.0.0.1:{unused_port}", "--unsafe-no-fsync"
    )
    process.stdout.readline()

    with urllib.request.urlopen(f"http://127.0.0.1:{unused_port}/health", timeout=30) as answer:
        assert json.loads(answer.read())["health"] == "true"
    process.terminate()
    assert process.wait(timeout=30) == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        pytest.param(
            ["--cert-dir=/nowhere"], "--secure-port is missing: expected --secure-port=VALUE", id="no-port"
        ),
        pytest.param(
            ["--secure-port=http"], "--secure-port=http: expected a number from 0 to 65535", id="no-number"
        ),
        pytest.param(
            ["--secure-port=0", "--cert-dir=/nowhere"],
            "/nowhere/apiserver.crt: No such file or directory",
            id="no-certificate",
        ),
        pytest.param(
            ["--secure-port=0", "--bind-address=0.0.0.0"],
            "--bind-address=0.0.0.0: a fake API server listens on loopback only: use 127.0.0.1",
            id="not-loopback",
        ),
    ],
)
def test_wrong_flags_are_told_in_one_line(assets, flags, message):
    done = subprocess.run(
        [assets / "kube-apiserver", *flags], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (4, f"kube-apiserver (fakecluster): {message}\n")


def test_unknown_flags_are_accepted_and_named(start, assets, cert_dir):
    process = start(assets / "kube-apiserver", f"--cert-dir={cert_dir}", "--secure-port=0", "--shiny=1")

    assert process.stdout.readline().startswith("ready https://127.0.0.1:")
    process.terminate()
    assert (
        process.communicate(timeout=30)[1]
        == "kube-apiserver (fakecluster): --shiny is not known here and has no effect\n"
    )


def test_executables_of_somebody_else_are_left_alone(tmp_path):
    (tmp_path / "etcd").write_text("a real one")

    with pytest.raises(FileExistsError, match="it holds etcd of another owner"):
        install(tmp_path)
    assert not (tmp_path / MARKER_FILE).exists()


@pytest.mark.parametrize(
    ("program", "flag"),
    [
        pytest.param("kube-apiserver", "--secure-port={}", id="kube-apiserver"),
        pytest.param("etcd", "--listen-client-urls=http://127.0.0.1:{}", id="etcd"),
    ],
)
def test_a_port_that_is_taken_is_told_in_one_line(assets, program, flag):
    with socket.create_server(("127.0.0.1", 0)) as other:
        command = [assets / program, flag.format(other.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1)
    assert "cannot listen: " in done.stderr
