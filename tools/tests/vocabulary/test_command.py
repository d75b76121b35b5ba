"""The command, asked about a small checkout, and the limits of this one."""

import subprocess

import pytest

from tools.vocabulary import __main__ as command
from tools.vocabulary.checkout import find_added_lines, parse_diff

LIMITS = """\
[goals]
vague_names = 0
participle_functions = 0
acting_predicates = 0
circling_docstrings = 0
comment_lines = 0
small_modules = 0
json_aliases = 0
formatter_skips = 0
long_lines = 0
loose_files = 9

[limits.pkg]
vague_names = 50
"""


def git(folder, *arguments):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    root = tmp_path / "checkout"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg/module.py").write_text("one = 1\nworkload = 2\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "begin")
    (tmp_path / "limits.toml").write_text(LIMITS)
    monkeypatch.setattr(command, "ROOT", root)
    monkeypatch.setattr(command, "LIMITS", tmp_path / "limits.toml")
    return root


def test_figures_within_their_limits_pass(checkout, capsys):
    assert command.main([]) == 0
    assert "50 %" in capsys.readouterr().out


def test_figure_above_its_limit_fails_with_what_to_write(checkout, capsys):
    (checkout / "pkg/module.py").write_text("one = 1\n")

    assert command.main([]) == 1
    assert "pkg/module.py:1: 'one' names nothing: say the noun" in capsys.readouterr().out


@pytest.mark.parametrize(("options", "code"), [([], 0), (["--strict"], 1)])
def test_wide_limit_fails_only_where_it_is_asked_for(checkout, capsys, options, code):
    (checkout / "pkg/module.py").write_text("workload = 1\n")

    assert command.main(options) == code
    assert "python -m tools.vocabulary --lower" in capsys.readouterr().out


def test_limits_are_lowered(checkout):
    (checkout / "pkg/module.py").write_text("workload = 1\n")

    assert command.main(["--lower", "--strict"]) == 0
    assert command.LIMITS.read_text() == LIMITS.replace("50", "0")


@pytest.mark.parametrize("revision", ["HEAD"])
def test_change_shows_what_was_added(checkout, capsys, revision):
    (checkout / "pkg/module.py").write_text("one = 1\nworkload = 2\neach = 3\n")
    (checkout / "pkg/new.py").write_text("told = 4\n")

    assert command.main(["--change", revision]) == 0
    assert [line.partition(" names")[0] for line in capsys.readouterr().out.splitlines()[:2]] == [
        "pkg/module.py:3: 'each'",
        "pkg/new.py:1: 'told'",
    ]


def test_worst_files_come_first(checkout, capsys):
    (checkout / "pkg/worse.py").write_text("one = 1\neach = 2\n")

    command.main(["--worst", "1"])

    assert "    3 pkg/worse.py" in capsys.readouterr().out.splitlines()


def test_added_lines_of_a_diff():
    diff = "+++ b/a.py\n@@ -1,0 +2,2 @@\n+x\n+y\n@@ -9 +12 @@\n-z\n+w\n"

    assert parse_diff(diff) == {"a.py": {2, 3, 12}}


def test_what_the_other_branch_added_is_not_ours(checkout):
    git(checkout, "branch", "ours")
    (checkout / "pkg/module.py").write_text("one = 1\nworkload = 2\nfound = 3\n")
    git(checkout, "commit", "-q", "-a", "-m", "theirs")
    git(checkout, "branch", "theirs")
    git(checkout, "checkout", "-q", "ours")

    assert find_added_lines(checkout, "theirs") == {}
