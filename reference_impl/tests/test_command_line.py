"""`kueue-reference`: one clear line and the right exit code for everything that can be wrong."""

import socket

import pytest
import yaml

from reference_impl.kueue import cli


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command line; return its exit code and both outputs."""

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["kueue-reference", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.fixture
def nowhere(tmp_path):
    """A kubeconfig that names a closed port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = f"http://127.0.0.1:{free.getsockname()[1]}"
    path = tmp_path / "kubeconfig"
    config = {
        "clusters": [{"name": "c", "cluster": {"server": server}}],
        "contexts": [{"name": "x", "context": {"cluster": "c"}}],
        "current-context": "x",
    }
    path.write_text(yaml.safe_dump(config))
    return path, server


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(
            ["--kubeconfig", "/nonexistent"],
            "kueue-reference: cannot read kubeconfig /nonexistent: No such file or directory; "
            "make one with: kubectl config view --raw --minify > FILE",
            id="no file",
        ),
        pytest.param(
            ["--dialect", "0.19.99"],
            "kueue-reference: Invalid value for '--dialect': unknown dialect '0.19.99'; "
            "the newest known release of its line is 0.19.14",
            id="dialect",
        ),
        pytest.param(
            ["--instal"], "kueue-reference: No such option '--instal'. Did you mean '--install'?", id="option"
        ),
        pytest.param(
            ["--parts", "provisioning"],
            "kueue-reference: Invalid value for '--parts': unknown part 'provisioning'; "
            "known: admission, jobs, provisioning-check",
            id="part",
        ),
        pytest.param(
            ["--parts", ","],
            "kueue-reference: Invalid value for '--parts': no part is named; "
            "known: admission, jobs, provisioning-check",
            id="no part",
        ),
        pytest.param(
            ["--install", "--webhook-port", "0", "--parts", "jobs"],
            "kueue-reference: --webhook-port needs the part admission: the webhooks are Kueue's own",
            id="webhooks without admission",
        ),
        pytest.param(
            ["--webhook-port", "0"],
            "kueue-reference: --webhook-port needs --install: the certificate is new in each run",
            id="webhooks without --install",
        ),
        pytest.param(
            ["--visibility-apf"],
            "kueue-reference: --visibility-apf needs --install: it is one of the objects that are made",
            id="a FlowSchema without --install",
        ),
        pytest.param(
            ["--book-capacity"],
            "kueue-reference: --book-capacity needs --dialect kep993: no release reserves before it preempts",
            id="a release that reserves first",
        ),
        pytest.param(
            ["--reject-mode", "finished"],
            "kueue-reference: --reject-mode needs --dialect kep993: each release has its own",
            id="a release that rejects in its own way",
        ),
        pytest.param(
            ["manifests", "--namespace", "No"],
            "kueue-reference: namespace 'No': expected lower case letters, digits and '-', for example kueue-system",
            id="namespace",
        ),
        pytest.param(
            ["manifests", "--feature-gates", "TopologyAwareScheduling=true"],
            "kueue-reference: feature gate TopologyAwareScheduling is always false here",
            id="a gate that is not implemented",
        ),
        pytest.param(
            ["manifests", "--replicas", "0"],
            "kueue-reference: Invalid value for '--replicas': 0 is not in the range x>=1.",
            id="replicas",
        ),
        pytest.param(
            ["manifest"],
            "kueue-reference: No such command 'manifest'. Did you mean 'manifests'?",
            id="command",
        ),
        pytest.param(
            ["--feature-gates", "X=1"],
            "kueue-reference: feature gate 'X=1': expected NAME=true or NAME=false",
            id="gate",
        ),
        pytest.param(
            ["--health-bind-address", "8081"],
            "kueue-reference: Invalid value for '--health-bind-address': '8081' is no address; "
            "expected HOST:PORT or :PORT, for example 127.0.0.1:8081",
            id="address",
        ),
        pytest.param(
            ["--config", "/nonexistent"],
            "kueue-reference: cannot read configuration /nonexistent: No such file or directory",
            id="configuration",
        ),
    ],
)
def test_bad_usage_is_one_line_and_4(run, arguments, line):
    assert run(*arguments) == (4, "", line + "\n")


def test_without_kubeconfig_outside_of_a_pod(run, monkeypatch):
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)

    code, _, error = run()

    assert code == 4
    assert error == (
        "kueue-reference: no API server: give --kubeconfig FILE, or run in a pod with a service account\n"
    )


def test_a_server_that_does_not_answer_is_3(run, nowhere):
    path, server = nowhere

    assert run("--kubeconfig", path) == (
        3,
        "",
        f"kueue-reference: no answer from {server}: Connection refused; is the API server running?\n",
    )


@pytest.mark.parametrize(
    ("arguments", "example"),
    [
        pytest.param([], "kueue-reference --kubeconfig cluster.yaml --install", id="run"),
        pytest.param(["manifests"], "kubectl apply -f kueue.yaml", id="manifests"),
    ],
)
def test_help_teaches_with_an_example(run, arguments, example):
    code, help_text, _ = run(*arguments, "--help")

    assert code == 0
    assert example in help_text


SHARED = {
    "apiVersion": "config.kueue.x-k8s.io/v1beta2",
    "kind": "Configuration",
    "webhook": {"port": 9443},
    "internalCertManagement": {"enable": True},
}


@pytest.mark.parametrize(
    ("options", "port", "secret"),
    [
        pytest.param([], 9443, "kueue-webhook-server-cert", id="as the file says"),
        pytest.param(["--install"], None, "", id="installed without webhooks"),
        pytest.param(
            ["--install", "--webhook-port", "0"], 0, "", id="installed with a certificate of this run"
        ),
    ],
)
def test_whose_certificate_webhooks_have(run, nowhere, tmp_path, monkeypatch, options, port, secret):
    started = []
    monkeypatch.setattr("reference_impl.kueue.process.run", lambda config, **_: started.append(config))
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(SHARED))

    run("--kubeconfig", nowhere[0], "--config", tmp_path / "config.yaml", *options)

    assert (started[0].webhook_port, started[0].webhook_secret) == (port, secret)
