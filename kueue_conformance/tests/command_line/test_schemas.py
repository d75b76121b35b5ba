"""Every machine format has a schema that a command prints (harness/H-29)."""

import json

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import PACKAGE, schema
from kueue_conformance.cli import cli

SHIPPED = sorted(path.stem for path in (PACKAGE / "schemas").glob("*.json"))
COMMANDS = {
    "badge": ["report", "badge"],
    "bundle": ["replay"],
    "difference": ["report", "diff"],
    "evidence": ["report", "rejudge"],
    "expectations": ["expectations", "check"],
    "inventory": ["list"],
    "matrix": ["report", "matrix"],
    "observation": ["observe"],
    "report": ["verify"],
}


@pytest.mark.parametrize(
    ("name", "words"),
    [(name, ["--schema", name]) for name in SHIPPED]
    + [(name, [*words, "--schema"]) for name, words in COMMANDS.items()],
    ids=[*(f"any {name}" for name in SHIPPED), *COMMANDS],
)
def test_a_schema_is_printed(name, words):
    done = CliRunner().invoke(cli, words)

    assert done.exit_code == 0, done.output
    printed = json.loads(done.output)
    assert printed["$id"] == f"https://kueue-conformance.dev/{name}-v1.json"
    Draft202012Validator.check_schema(printed)


def test_the_list_keeps_to_its_schema():
    done = CliRunner().invoke(cli, ["list", "--format", "json"])

    assert list(Draft202012Validator(schema("inventory")).iter_errors(json.loads(done.output))) == []
