"""Rules that hold for every file of the project."""

import ast
import json
import re

import pytest
import yaml

from .checkout import ROOT, files, modules, path_as_id

# Written in two halves, so that this file does not name them either.
REGISTRIES = [
    f"{name}.{end}"
    for name, end in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("proxy.golang", "org"),
        ("sum.golang", "org"),
        ("crates", "io"),
        ("maven", "org"),
        ("anaconda", "org"),
        ("rubygems", "org"),
    )
]
FACTS = ROOT / "docs/facts"
"""Pages of rows, which name what others have as well."""
ROWS = set((ROOT / "fixtures/rows.txt").read_text("utf-8").split())
DOCSTRING_WIDTH = 113
"""Columns of a line: 110, and the quotes that the formatter leaves behind the first one."""
ID = re.compile(rf"\b(?:{'|'.join(sorted({row.partition('-')[0] for row in ROWS}))})-\d+[a-z]?\b")


def having(text):
    return [path_as_id(path) for path in files() if text.encode() in path.read_bytes()]


@pytest.mark.parametrize("host", REGISTRIES)
def test_no_file_names_a_package_registry(host):
    assert having(host) == []


def test_lock_has_hashes_and_no_url():
    lock = (ROOT / "requirements.lock").read_text("utf-8")

    assert ("--hash=sha256:" in lock, "://" in lock) == (True, False)


def test_api_server_knows_nothing_of_kueue():
    word = "kueue" + ".x-k8s.io"

    assert [name for name in having(word) if name.startswith("fakecluster/")] == []


def unknown_rows(path):
    return sorted(set(ID.findall(path.read_text("utf-8"))) - {"KEP-993"} - ROWS)


def test_every_module_says_what_it_is():
    assert [
        path_as_id(path) for path in modules() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ] == []


def docstrings(path):
    """Yield the indentation and the lines of each docstring of a file."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        for statement in node.body if isinstance(getattr(node, "body", None), list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                yield statement.col_offset, lines[statement.lineno - 1 : statement.end_lineno]


def test_docstrings_fit_on_the_screen():
    long = [
        f"{path_as_id(path)}: {line.strip()}"
        for path in modules()
        for indentation, lines in docstrings(path)
        for line in lines
        if len(line) > DOCSTRING_WIDTH and not line[indentation:].startswith(" ")  # a table is indented
    ]

    assert long == []


@pytest.mark.parametrize("kind", [".py", ".md"])
def test_rows_that_are_named_exist(kind):
    documents = (path for path in files() if path.suffix == kind and FACTS not in path.parents)
    where = modules() if kind == ".py" else documents

    assert {path_as_id(path): rows for path in where if (rows := unknown_rows(path))} == {}


def test_pre_commit_runs_what_make_check_runs():
    checked = re.findall(r"call checked,\$\(BIN\)/([^,]+),", (ROOT / "Makefile").read_text("utf-8"))
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    hooks = [
        hook["entry"].removeprefix(".venv/bin/").replace(" --force-exclude", "")
        for hook in local["hooks"]
        if "stages" not in hook
    ]

    assert [command.removesuffix(" .") for command in checked] == hooks


def test_container_runs_targets_that_exist():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    targets = re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    run = re.findall(
        r"make ([a-z-]+)",
        " ".join(str(value) for name, value in container.items() if name.endswith("Command")),
    )

    assert (run, set(run) - set(targets)) == (["install", "conformance", "test"], set())
