"""`--schema`: a command prints the JSON Schema of the format that it reads or writes (harness/H-29)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..base.resources import PACKAGE, schema

Command = TypeVar("Command", bound=Callable[..., Any])


def schema_option(name: str) -> Callable[[Command], Command]:
    """Return the option that prints a schema and does nothing else."""

    def show(context: click.Context, _: click.Parameter, is_set: bool) -> None:
        if is_set and not context.resilient_parsing:
            click.echo(json.dumps(schema(name), indent=2))
            context.exit(0)

    return click.option(
        "--schema",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="print the JSON Schema of the format and do nothing else",
    )


def any_schema(command: Command) -> Command:
    """Give the program an option that prints the schema of any format."""

    def show(context: click.Context, _: click.Parameter, name: str | None) -> None:
        if name and not context.resilient_parsing:
            click.echo(json.dumps(schema(name), indent=2))
            context.exit(0)

    names = sorted(file.stem for file in (PACKAGE / "schemas").glob("*.json"))
    return click.option(
        "--schema",
        type=click.Choice(names),
        is_eager=True,
        expose_value=False,
        callback=show,
        help="print the JSON Schema of a machine format and do nothing else",
    )(command)
