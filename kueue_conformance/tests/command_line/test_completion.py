"""`completion`: what bash offers after it has sourced the script; zsh and fish read theirs where they are."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.scenarios import dialect
from kueue_conformance.scenarios.capability import PROFILES, Capability

from .processes import environment, run

PATH = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
SHELLS = ["bash", "zsh", "fish"]
# As readline does it: the words so far, the function that the script has registered, its answers.
ASK = """
source <(kueue-conformance completion bash)
function=$(complete -p kueue-conformance | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
$function kueue-conformance
printf '%s\\n' "${COMPREPLY[@]}"
"""


def shell_or_skip(name):
    """Return the path of a shell."""
    path = shutil.which(name, path=PATH)
    if path is None:
        pytest.skip(f"unsupported: no {name} on PATH")
    return path


@pytest.fixture
def offered(tmp_path):
    """What bash offers for the last word of a line."""
    bash = shell_or_skip("bash")

    def offered(*words):
        done = subprocess.run(
            [bash, "-c", ASK, "bash", "kueue-conformance", *words],
            env={**environment(), "PATH": PATH},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stderr == ""
        return done.stdout.split()

    return offered


def test_commands(offered):
    assert offered("re") == ["record", "replay", "report"]


def test_options(offered):
    assert {"--shard", "--shard-costs"} <= set(offered("run", "--sh"))


def test_scenarios(offered):
    assert offered("run", "ADM-20") == [name for name in inventory() if name.startswith("ADM-20")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(("run", "--dialect", "v0."), [name for name in dialect.every() if name.startswith("v0.")], id="dialects"),
        pytest.param(("run", "--dialect", "v0.19,v0.2"), ["v0.19,v0.20"], id="the next of a list"),
        pytest.param(("run", "--profile", "PROV"), sorted(name for name in PROFILES if name.startswith("PROV")), id="profiles"),
        pytest.param(("list", "--capability", "Re"), [name for name in map(str, Capability) if name.startswith("Re")], id="capabilities"),
        pytest.param(("explain", "CHK-01"), [name for name in inventory() if name.startswith("CHK-01")], id="explain"),
    ],
)  # fmt: skip
def test_values(offered, words, expected):
    assert sorted(offered(*words)) == sorted(expected)


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_registers_the_program(tmp_path, shell):
    done = run("completion", shell, cwd=tmp_path)

    assert done.code == 0
    assert f"_KUEUE_CONFORMANCE_COMPLETE={shell}_complete" in done.out
    assert "kueue-conformance" in done.out


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_is_one_of_its_shell(tmp_path, shell):
    program = shell_or_skip(shell)
    (tmp_path / "script").write_text(run("completion", shell, cwd=tmp_path).out)

    done = subprocess.run(
        [program, "-n", "script"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_is_answered(tmp_path, shell):
    words = {"COMP_WORDS": "kueue-conformance run --profile V", "COMP_CWORD": "V" if shell == "fish" else "3"}

    done = subprocess.run(
        [Path(sys.executable).parent / "kueue-conformance"],
        env={**environment(), **words, "_KUEUE_CONFORMANCE_COMPLETE": f"{shell}_complete"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "VISIBILITY" in done.stdout
    assert "ADMISSION" not in done.stdout


def test_an_unknown_shell_is_told(tmp_path):
    done = run("completion", "csh", cwd=tmp_path)

    assert done.code == 4
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in done.err
