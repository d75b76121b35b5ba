"""The commands that docs/reports.md shows exist with their options; its file of expectations can be read."""

import re
import shlex

import click
import pytest
import yaml

from kueue_conformance.base.resources import PACKAGE
from kueue_conformance.cli import cli
from kueue_conformance.expectations import read
from kueue_conformance.scenarios.outcome import Outcome

from ..checkout import ROOT

TEXT = (ROOT / "docs/reports.md").read_text("utf-8")
SHOWN = re.findall(r"^\$ (?:\S+/)?kueue-conformance (.*)$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("line", SHOWN, ids=str)
def test_a_shown_command_can_be_called(line):
    command, words = cli, shlex.split(line)
    while isinstance(command, click.Group):
        command, words = command.commands[words[0]], words[1:]

    assert command.make_context(command.name, words)


def test_the_shown_expectations_can_be_read(tmp_path):
    (shown,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    file = tmp_path / "e.yaml"
    file.write_text(shown)
    (tmp_path / "shared.yaml").write_text("apiVersion: kueue-conformance.dev/v1\nkind: Expectations\n")

    (entry,) = read([file]).entries

    assert (entry.id, str(entry.expires)) == (
        "CHK-012",
        str(yaml.safe_load(shown)["expectations"][0]["expires"]),
    )


def test_every_outcome_is_told():
    outcomes = re.findall(r"^\| `(\w+)` \|", TEXT[TEXT.index("## Outcomes") :], re.MULTILINE)

    assert set(outcomes) == set(map(str, Outcome)) - {"disabled", "provisional"}


@pytest.mark.parametrize("name", sorted(path.stem for path in (PACKAGE / "schemas").glob("*.json")))
def test_every_schema_is_named(name):
    assert f"`{name}`" in TEXT
