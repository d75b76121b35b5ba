"""`smoke`: a wrongly wired subject is told where it stands
and what to look at, before any scenario fails (H-03).
"""

import os
import shlex
import signal
import subprocess
import sys

import pytest

from kueue_conformance import cli
from kueue_conformance.base import resources
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.transport import connect

NAME = "example.com/budget"
CONTROLLER = f"process:python {resources.example() / 'controller.py'}"
DEAF = f"process:python -c \"import signal, sys; sys.path.insert(0, '{resources.example()}'); import controller; signal.signal(15, signal.SIG_IGN); signal.signal = lambda *_: 0; controller.main()\""
UNSERVED = f"process:python -c \"import sys; sys.path.insert(0, '{resources.example()}'); exec(open('{resources.example() / 'controller.py'}').read().replace('v1beta2', 'v1alpha1'))\""
STEPS = [
    "the API server answers",
    "Kueue's kinds are served",
    f"the subject starts, and an AdmissionCheck of {NAME} becomes Active",
    "a Workload with quota gets its verdict",
    "the subject ends when it is asked to",
]


@pytest.fixture
def smoke(capsys, monkeypatch, tmp_path):
    """Run the smoke test in this process; return its exit code,
    how far it came, and what it said at the end.
    """
    monkeypatch.chdir(tmp_path)

    def smoke(*words):
        monkeypatch.setattr("sys.argv", ["kueue-conformance", "smoke", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return ended.value.code, [line for line in out.splitlines() if line], err

    return smoke


def good(steps):
    return [f"ok     {number}/5  {text}" for number, text in enumerate(steps, 1)]


@pytest.mark.slow
def test_a_well_wired_subject_passes_and_is_told_how_to_go_on(smoke):
    assert smoke("--subject", "reference") == (
        0,
        [*good(STEPS), 'all checks passed; judge it with: kueue-conformance run --subject "reference"'],
        "",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "passed", "problem", "hint"),
    [
        pytest.param(
            "process:./nothing",
            2,
            "the subject cannot be started: './nothing': No such file",
            "check the command",
            id="not there",
        ),
        pytest.param(
            "process:false", 2, "the subject died: false ended with exit code 1", "run it by hand", id="dies"
        ),
        pytest.param(
            "process:sleep 1000",
            2,
            "the subject was not ready",
            "it sent no request to the API server: does it use the file that KUBECONFIG names?",
            id="asks nothing",
        ),
        pytest.param(
            f"{CONTROLLER} --controller-name other.io/name",
            2,
            "the subject was not ready",
            "it reads AdmissionChecks and sets no Active condition: does it act for 'example.com/budget'",
            id="another name",
        ),
        pytest.param(
            f"{CONTROLLER} --verdict-url http://127.0.0.1:9/",
            3,
            "and got no Ready within",
            "the subject asked KUEUE_CONFORMANCE_VERDICT_URL nothing about it",
            id="asks elsewhere",
        ),
        pytest.param(
            UNSERVED,
            2,
            "the subject was not ready",
            "it speaks kueue.x-k8s.io/v1alpha1, which is not served: there is v1beta2",
            id="unserved version",
        ),
        pytest.param(DEAF, 4, "the subject did not end within", "end on SIGTERM", id="deaf"),
    ],
)
def test_a_wrongly_wired_subject_is_told_what_to_look_at(smoke, subject, passed, problem, hint):
    code, lines, error = smoke("--subject", subject, "--controller-name", NAME, "--timeout-scale", "0.2")

    assert (code, lines) == (
        7,
        [*good(STEPS[:passed]), f"FAILED {passed + 1}/5  {STEPS[passed]}"],
    )
    assert problem in error
    assert f"hint: {hint}" in error


def test_without_a_subject_it_is_a_usage_error(smoke):
    code, lines, error = smoke()

    assert (code, lines) == (4, [])
    assert "profile CHECK-CONTROLLER judges a check controller, and no subject is given" in error


def test_without_a_server_it_ends_with_3(smoke, tmp_path):
    config = (
        "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:9'}}]\n"
        "contexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\ncurrent-context: x\n"
    )
    (tmp_path / "config").write_text(config)

    code, _, error = smoke("--subject", "reference", "--backend", "kubeconfig:config")

    assert code == 3
    assert "the API server at http://127.0.0.1:9 does not answer" in error


def test_a_subject_that_dies_can_be_run_by_hand(tmp_path):
    """The command has the subject's environment, and the cluster has a check for it."""
    dies = "process:sh -c 'echo no licence for $KUEUE_CONFORMANCE_CONTROLLER_NAME; exit 3'"
    words = ("smoke", "--keep", "--subject", dies, "--controller-name", NAME)
    command = [sys.executable, "-m", "kueue_conformance", *words]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as smoke_test:
        by_hand = next(line for line in smoke_test.stdout if line.startswith("cd "))
        next(line for line in smoke_test.stdout if line.startswith("kubectl"))
        ended = subprocess.run(["sh", "-c", by_hand], capture_output=True, text=True, check=False)
        variables = dict(word.split("=", 1) for word in shlex.split(by_hand) if "=" in word)
        check = Client(connect(variables["KUBECONFIG"]), agent="test").get("AdmissionCheck", "smoke")
        smoke_test.send_signal(signal.SIGINT)
        smoke_test.stdout.read()

    assert (ended.returncode, ended.stdout) == (3, f"no licence for {NAME}\n")
    assert check["spec"] == {"controllerName": NAME}
    assert smoke_test.returncode == 7
