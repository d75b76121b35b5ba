"""Every wrong word gets one clear error, its exit code, and never a traceback (harness §10.6)."""

import sys

import pytest

from kueue_conformance import cli
from kueue_conformance.cli import preflight
from kueue_conformance.scenarios import capability
from kueue_conformance.scenarios.capability import Profile

from .processes import run as run_process

REPORT = "kind: ConformanceReport\n"
UNREADABLE = "the kubeconfig 'x' cannot be read: No such file or directory\n     hint: check the path and the current-context"
EVERYTHING = """\
5 problems
  1. {file}:4: unknown field of a subject file 'controlerName'
     hint: did you mean 'controllerName'?
  2. the controller name of the subject is missing
     hint: add --controller-name acme.io/budget, or controllerName in the subject file
  3. --timeout-scale is 'slow', expected a number from 0.01 to 100
     hint: for example --timeout-scale 2 for a slow machine
  4. unknown scenario 'CHK010'
     hint: did you mean 'CHK-010'?
  5. reports cannot be written to '/proc/nowhere': No such file or directory
     hint: name another folder with --report-dir"""


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run the command line in this process; return its exit code and both outputs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words):
        monkeypatch.setattr("sys.argv", ["kueue-conformance", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("words", "error"),
    [
        pytest.param(
            ["run", "--profile", "ADMISION"],
            "unknown profile 'ADMISION'\n  hint: did you mean 'ADMISSION'?",
            id="profile",
        ),
        pytest.param(
            ["run", "--dialect", "v0.91"],
            "unknown dialect 'v0.91'\n  hint: did you mean 'v0.20'? known: v0.6, docs-2024, v0.19, v0.20, kep993, ca-1.30, ca-1.31, ca-1.32, ca-1.33, ca-1.34, ca-1.35, ca-1.36, ca-1.37, aep, all, or a release such as 0.19.14",
            id="dialect",
        ),
        pytest.param(
            ["run", "ADM204"], "unknown scenario 'ADM204'\n  hint: did you mean 'ADM-204'?", id="scenario"
        ),
        pytest.param(
            ["explain", "ADM204"], "unknown scenario 'ADM204'\n  hint: did you mean 'ADM-204'?", id="explain"
        ),
        pytest.param(
            ["run", "--backend", "fak"], "unknown backend 'fak'\n  hint: did you mean 'fake'?", id="backend"
        ),
        pytest.param(
            ["run", "--control-plane", "referense"],
            "unknown control plane 'referense'\n  hint: did you mean 'reference'?",
            id="control plane",
        ),
        pytest.param(
            ["run", "--backend", "kubeconfig:x"],
            "2 problems\n  1. backend 'kubeconfig:x' is an existing cluster, and no control plane is named for it\n"
            "     hint: add --control-plane upstream for the Kueue in the cluster, or --control-plane reference to start ours\n"
            f"  2. {UNREADABLE}",
            id="no control plane is named",
        ),
        pytest.param(
            ["run", "--backend", "kubeconfig:x", "--control-plane", "reference"],
            "the kubeconfig 'x' cannot be read: No such file or directory\n  hint: check the path and the current-context",
            id="no kubeconfig",
        ),
        pytest.param(
            ["run", "--backend", "kubeconfig:x", "--control-plane", "reference", "--dialect", "all"],
            "2 problems\n  1. --dialect 'all' names several dialects, but backend 'kubeconfig:x' is one cluster with one of them\n"
            f"     hint: name one dialect, such as --dialect v0.19\n  2. {UNREADABLE}",
            id="several dialects of one cluster",
        ),
        pytest.param(
            ["run", "--report-dir", "/proc/nowhere"],
            "reports cannot be written to '/proc/nowhere': No such file or directory\n"
            "  hint: name another folder with --report-dir",
            id="report folder",
        ),
        pytest.param(
            ["list", "--profile", "ADMISION"],
            "unknown profile 'ADMISION'\n  hint: did you mean 'ADMISSION'?",
            id="list",
        ),
        pytest.param(
            ["verify", "none.yaml"],
            "report 'none.yaml' cannot be read: No such file or directory\n"
            "  hint: give the path of a report.yaml",
            id="no report",
        ),
    ],
)
def test_a_wrong_word_ends_with_4(run, words, error):
    assert run(*words) == (4, "", f"error: {error}\n")


def test_a_profile_without_scenarios_ends_with_4(run, monkeypatch):
    empty = Profile("EMPTY", "EMP", "empty", "control plane")
    monkeypatch.setattr(capability, "PROFILES", {**capability.PROFILES, "EMPTY": empty})
    monkeypatch.setattr(preflight, "PROFILES", capability.PROFILES)

    error = "error: profile EMPTY has no scenarios yet\n  hint: see `kueue-conformance list` for those that have\n"
    assert run("run", "--profile", "EMPTY") == (4, "", error)


def test_allure_without_its_package_ends_with_4(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "allure_pytest", None)  # as where it is not installed

    code, out, error_output = run("run", "ADM-206", "--allure")

    assert (code, out) == (4, "")
    assert error_output.startswith(
        "error: --allure needs the package allure-pytest, which is not installed here\n  hint: "
    )


@pytest.mark.parametrize(
    ("words", "error"),
    [
        pytest.param(["rum"], "No such command 'rum'", id="command"),
        pytest.param(["run", "--bakend", "fake"], "No such option '--bakend'", id="option"),
        pytest.param(["list", "--format", "xml"], "'xml' is not one of 'text', 'json'", id="format"),
        pytest.param(["explain"], "Missing argument 'WHAT'", id="argument"),
    ],
)
def test_a_wrong_command_line_ends_with_4(run, words, error):
    code, out, error_output = run(*words)

    assert (code, out) == (4, "")
    assert error in error_output


@pytest.mark.parametrize("command", [["run", "CHK010", "--report-dir", "/proc/nowhere"]], ids=["run"])
def test_all_problems_are_told_at_once(run, tmp_path, command):
    file = tmp_path / "subject.yaml"
    file.write_text(
        "apiVersion: kueue-conformance.dev/v1\nkind: Subject\nconnect: 'external:'\ncontrolerName: x\n"
    )

    result = run(*command, "--subject-file", file, "--timeout-scale", "slow")

    assert result == (4, "", f"error: {EVERYTHING.format(file=file)}\n")


@pytest.mark.parametrize("content", ["", "a: [", "clusters: 3\n", "\x00", "apiVersion: v1\nkind: Config\n"])
def test_a_broken_kubeconfig_ends_with_4(run, tmp_path, content):
    (tmp_path / "config").write_text(content)

    code, out, error = run("run", "--backend", "kubeconfig:config", "--control-plane", "reference")

    assert (code, out) == (4, "")
    assert error.startswith("error: the kubeconfig 'config' cannot be used: ")


def test_a_foreign_file_is_no_report(run, tmp_path):
    (tmp_path / "pod.yaml").write_text("kind: Pod\n")

    assert run("verify", "pod.yaml") == (
        4,
        "",
        "error: 'pod.yaml' is not a conformance report\n  hint: give the report.yaml of a run\n",
    )


def test_a_report_with_holes_ends_with_1(run, tmp_path):
    (tmp_path / "report.yaml").write_text(REPORT)

    code, out, error = run("verify", "report.yaml")

    assert (code, out.splitlines()[-1]) == (1, f"report.yaml: {len(error.splitlines())} problem(s)")
    assert "wrong: report: 'scenarios' is a required property" in error


def test_a_server_that_does_not_answer_ends_with_3(tmp_path):
    config = (
        "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'http://127.0.0.1:9'}}]\n"
        "contexts: [{name: x, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {}}]\ncurrent-context: x\n"
    )
    (tmp_path / "config").write_text(config)

    done = run_process(
        "run",
        "ADM-206",
        "--backend",
        "kubeconfig:config",
        "--control-plane",
        "reference",
        "-n0",
        cwd=tmp_path,
    )

    assert done.code == 3
    assert "error: the API server at http://127.0.0.1:9 does not answer: " in done.err


def test_nothing_selected_ends_with_5(tmp_path):
    done = run_process("run", "ADM-206", "--exclude", "ADM-206", "-n0", cwd=tmp_path)

    assert done.code == 5
