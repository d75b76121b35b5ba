"""An option that is given twice adds up or is refused, in every command of every program."""

import subprocess
import sys

import click
import pytest

from fakecluster.base import repeated_options as of_fakecluster
from fakecluster.cli import cli as fakecluster
from kueue_conformance.cli import cli as kueue_conformance
from reference_impl.cloud.cli import command as kueue_cloud
from reference_impl.kueue.cli import command as kueue_reference
from reference_impl.runtime import repeated_options as of_reference

PROGRAMS = {
    "fakecluster": (fakecluster, of_fakecluster),
    "kueue-conformance": (kueue_conformance, of_fakecluster),
    "kueue-reference": (kueue_reference, of_reference),
    "kueue-cloud": (kueue_cloud, of_reference),
}


def options_of(command, path=()):
    """Yield every option of a command and of those below it, with the words that lead to it."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield path, parameter
    for name in getattr(command, "commands", {}):
        yield from options_of(command.commands[name], (*path, name))


OPTIONS = [
    pytest.param(program, path, option, id=" ".join((program, *path, option.opts[-1])))
    for program, (command, _) in PROGRAMS.items()
    for path, option in options_of(command)
]


@pytest.mark.parametrize(("program", "path", "option"), OPTIONS)
def test_a_repeated_option_adds_up_or_is_refused(program, path, option):
    command, module = PROGRAMS[program]
    words = [option.opts[-1]] if option.is_flag or option.count else [option.opts[-1], "x"]
    arguments = [*path, *words, *words]

    if module.adds_up(option):
        module.refuse_repeated_options(command, arguments)
    else:
        with pytest.raises(click.UsageError, match=f"{option.opts[-1]} is given 2 times"):
            module.refuse_repeated_options(command, arguments)


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("fakecluster", ["serve", "--clock", "wall", "--clock", "virtual"]),
        ("kueue_conformance", ["run", "--backend", "fake", "--backend", "kind"]),
        ("reference_impl.cloud", ["--groups", "a", "--groups", "b"]),
    ],
)
def test_a_program_refuses_before_it_begins(module, arguments):
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.returncode, f"{arguments[-2]} is given 2 times: it takes one value" in done.stderr) == (
        4,
        True,
    )


def test_lists_of_a_run_add_up():
    (option,) = [
        option
        for path, option in options_of(kueue_conformance)
        if path == ("run",) and option.name == "profile"
    ]

    with click.Context(kueue_conformance.commands["run"]) as context:
        assert (
            option.process_value(context, ("ADMISSION,QUEUEING", "VISIBILITY"))
            == "ADMISSION,QUEUEING,VISIBILITY"
        )
        assert option.process_value(context, ()) is None
