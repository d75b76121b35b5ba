"""What is wrong in a subject file is an error before anything is judged: with file, line, value, what was
expected, and the next step (harness/H-06, H-07).
"""

import json
import subprocess
import sys

import pytest

from kueue_conformance.base.errors import SubjectFileError, UsageError
from kueue_conformance.options import Settings, read
from kueue_conformance.run import Run
from kueue_conformance.subject.declaration import declare

HEAD = """\
apiVersion: kueue-conformance.dev/v1
kind: Subject
connect: "process:true"
controllerName: acme.io/budget
"""
BUDGET = "apiVersion: acme.io/v1\nkind: Budget\nmetadata: {name: '${name}'}\n"
DENY = "apiVersion: acme.io/v1\nkind: Deny\nmetadata: {name: deny}\n"
WRONG = {
    "broken YAML": (
        "drivers:\n  ready: {run: [x\n",
        "subject file 'subject.yaml' is not YAML: line 7, column 1: did not find expected ',' or ']'",
    ),
    "a tab": (
        "start:\n\tenv: {A: b}\n",
        "subject file 'subject.yaml' is not YAML: line 6, column 1: found character that cannot start any token",
    ),
    "a key twice": (
        "rbac: a.yaml\nrules: []\nrules: []\n",
        "rules is in subject.yaml twice, in lines 6 and 7",
    ),
    "field": (
        "startt: {}\n",
        "subject.yaml:5: unknown field of a subject file 'startt'\n     hint: did you mean 'start'?",
    ),
    "shape": ("capabilities: Ready\n", "subject.yaml:5: capabilities is 'Ready', expected a list"),
    "capability": (
        "capabilities:\n- Ready\n- Rety\n",
        "subject.yaml:7: unknown capability 'Rety'\n     hint: did you mean 'Retry'?",
    ),
    "inner field": ("start:\n  ready:\n    lok: x\n", "subject.yaml:7: unknown field of start.ready 'lok'"),
    "inner value": (
        "start:\n  env: {A: b}\n  stop: {grace: soon}\n",
        "subject.yaml:7: start.stop.grace is 'soon', expected seconds",
    ),
    "rule": ("rules:\n- {verbs: [get]}\n", "subject.yaml:6: rules[0] lacks apiGroups or resources"),
    "a kind that no manifest has": (
        "parameters:\n  apiGroup: acme.io\n  kind: Budgett\n  manifest: budget.yaml\n",
        "subject.yaml:7: parameters.kind is 'Budgett' of apiGroup 'acme.io', and budget.yaml has Budget of acme.io",
    ),
    "a group that no manifest has": (
        "parameters: {apiGroup: acme.com, kind: Budget, manifest: budget.yaml}\n",
        "subject.yaml:5: parameters.kind is 'Budget' of apiGroup 'acme.com', and budget.yaml has Budget of acme.io",
    ),
    "a manifest that is not there": (
        "parameters: {apiGroup: acme.io, kind: Budget, manifest: none.yaml}\n",
        "none.yaml' cannot be read: No such file or directory",
    ),
    "a manifest that is no YAML": (
        "drivers:\n  ready:\n    apply: broken.yaml\n",
        "broken.yaml' is not YAML: line 3, column 1: ",
    ),
    "a command that is not there": (
        "drivers:\n  ready: {run: [./decide, ready]}\n",
        "subject.yaml:6: drivers.ready.run cannot be run: './decide': No such file or directory",
    ),
    "a program that is not there": (
        "drivers:\n  ready: {run: [decide-no-such-program]}\n",
        "drivers.ready.run cannot be run: 'decide-no-such-program': No such file or directory",
    ),
    "a file that is no program": (
        "drivers:\n  ready: {run: [./budget.yaml]}\n",
        "drivers.ready.run cannot be run: './budget.yaml': Permission denied",
    ),
    "an undo that is not there": (
        "drivers:\n  ready:\n    workloadLabels: {a: b}\n    undo: {run: [./forget]}\n",
        "subject.yaml:8: drivers.ready.undo.run cannot be run: './forget'",
    ),
    "a function that is not there": (
        "drivers:\n  ready: {python: 'json:lods'}\n",
        "subject.yaml:6: drivers.ready.python is 'json:lods', which cannot be called: module 'json' has no attribute 'lods'",
    ),
    "a label that Kubernetes refuses": (
        "drivers:\n  ready: {workloadLabels: {a b: 'yes'}}\n",
        "subject.yaml:6: drivers.ready.workloadLabels is {'a b': 'yes'}, expected a label that Kubernetes accepts",
    ),
}
"""What follows the head of a subject file, and what is said of it."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with manifests, the working directory."""
    (tmp_path / "budget.yaml").write_text(BUDGET)
    (tmp_path / "deny.yaml").write_text(DENY)
    (tmp_path / "broken.yaml").write_text("apiVersion: v1\nkind: [\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("text", "error"), WRONG.values(), ids=WRONG)
def test_a_wrong_field_is_told_with_its_line(folder, text, error):
    (folder / "subject.yaml").write_text(HEAD + text)

    with pytest.raises(UsageError) as raised:
        declare("", "subject.yaml", "")

    assert error in str(raised.value).replace("\n  hint", "\n     hint")
    assert "hint: " in str(raised.value)


@pytest.mark.parametrize("name", ["acme budget", "acme.io/budget\t", "", "a" * 254, "acme\u00a0io"], ids=repr)
@pytest.mark.parametrize("where", ["file", "option"])
def test_a_controller_name_that_no_check_can_have_is_refused(folder, name, where):
    in_file = "acme.io/budget" if where == "option" else name
    (folder / "subject.yaml").write_text(HEAD.replace("acme.io/budget", json.dumps(in_file)))

    if where == "option" and not name:
        assert declare("", "subject.yaml", name).controller_name == in_file
        return
    with pytest.raises(UsageError, match=r"controllerName|--controller-name"):
        declare("", "subject.yaml", name if where == "option" else "")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        pytest.param(
            ("--subject", "./controller", "--controller-name", "a"),
            "unknown connector './controller': it looks like a program\n  hint: write process:./controller",
            id="a program without process:",
        ),
        pytest.param(
            ("--subject", "python controller.py", "--controller-name", "a"),
            "unknown connector 'python controller.py': it looks like a program\n  hint: write process:python controller.py",
            id="a command without process:",
        ),
        pytest.param(
            ("--backend", "kubeconfig", "--control-plane", "upstream"),
            "backend 'kubeconfig' names no kubeconfig\n  hint: write kubeconfig:PATH[@context], such as kubeconfig:cluster.yaml",
            id="no kubeconfig",
        ),
    ],
)
def test_an_incomplete_option_is_told_with_what_to_write(folder, words, error):
    ended = subprocess.run(
        [sys.executable, "-m", "kueue_conformance", "run", *words],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (4, f"error: {error}\n")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param(
            "drivers:\n  ready: {workloadLabels: {a: b}}\n  retry: {apply: deny.yaml}\n",
            r"subject\.yaml:7: drivers\.retry\.apply names a kind that cannot be used: .* does not serve Deny of acme\.io/v1",
            id="apply",
        ),
        pytest.param(
            "effects:\n  apiVersion: v1\n  kind: ConfigMapp\n",
            r"subject\.yaml:7: effects\.kind names a kind that cannot be used: .* does not serve ConfigMapp of v1",
            id="effects",
        ),
        pytest.param(
            "parameters: {apiGroup: acme.io, kind: Budget, manifest: budget.yaml}\n",
            r"subject\.yaml:5: parameters\.manifest names a kind that cannot be used: .* does not serve Budget of acme\.io/v1",
            id="parameters",
        ),
    ],
)
def test_a_kind_that_the_cluster_does_not_serve_is_told_at_the_start(folder, text, error):
    (folder / "subject.yaml").write_text(HEAD + text)
    settings = read({"subject-file": "subject.yaml"}, seed=1)

    with pytest.raises(SubjectFileError, match=error):
        _begin(settings)


def _begin(settings: Settings) -> None:
    run = Run(settings)
    try:
        with run.case_context(settings.dialects[0], "CHK-001"):
            pass
    finally:
        run.close()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_ends_with_such_an_error_and_judges_nothing(folder, workers):
    text = 'start: {argv: [sleep, "100"], ready: {log: never printed}}\n'
    (folder / "subject.yaml").write_text(HEAD.replace("process:true", "process:") + text)
    command = ("run", "CHK-00*", "--subject-file", "subject.yaml", "--timeout-scale", "0.01", "-n", workers)

    ended = subprocess.run(
        [sys.executable, "-m", "kueue_conformance", *command], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 4
    assert "error: subject.yaml:5: the subject was not ready: a line like 'never printed'" in ended.stderr
    assert "CHK-" not in ended.stdout.partition("]\n")[2]
    assert not (folder / "conformance-report/report.yaml").exists()
