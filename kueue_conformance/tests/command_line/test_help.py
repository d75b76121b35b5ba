"""Every help teaches with an example that works as it stands (SH-22, SH-27)."""

import shlex

import click
import pytest
from click.testing import CliRunner

from kueue_conformance.cli import cli
from kueue_conformance.cli.examples import EXAMPLES


def commands(command, name=""):
    yield name
    for word, subcommand in command.commands.items() if isinstance(command, click.Group) else ():
        yield from commands(subcommand, f"{name} {word}".strip())


NAMES = list(commands(cli))
LINES = sorted({line for shown in EXAMPLES.values() for line, _ in shown})


def test_every_command_has_an_example_and_no_other_has():
    assert sorted(EXAMPLES) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES, ids=[name or "itself" for name in NAMES])
def test_help_ends_with_its_examples(name):
    help_text = CliRunner().invoke(cli, [*name.split(), "--help"]).output

    assert [
        line
        for line, meaning in EXAMPLES[name]
        if f"kueue-conformance {line}" not in help_text or meaning not in help_text
    ] == []


@pytest.mark.parametrize("line", LINES)
def test_an_example_has_known_options(line):
    command, words = cli, shlex.split(line)
    while isinstance(command, click.Group):
        command = command.commands[words.pop(0)]

    assert command.make_context(line, words)


@pytest.mark.parametrize("name", NAMES, ids=[name or "itself" for name in NAMES])
def test_every_option_says_what_it_does(name):
    command = cli
    for word in name.split():
        command = command.commands[word]

    assert [
        option.name for option in command.params if isinstance(option, click.Option) and not option.help
    ] == []
