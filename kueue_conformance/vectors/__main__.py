"""`python -m kueue_conformance.vectors compare`: check any server by the recorded exchanges;
`kueue-conformance record` refreshes them.

Exit codes: 0 all equal, 1 differences, 4 wrong usage or a file that cannot be used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ..wire.endpoint import Endpoint, tokens
from .difference import difference
from .document import Topic, VectorError, topics
from .player import Player, namespace_for
from .server import Server

FOLDER = Path("fixtures/recordings/kube-apiserver-v1.36.3")
Command = Callable[..., Any]


def _options(command: Command) -> Command:
    for option in reversed(
        (
            click.option("--server", required=True, help="Address, such as https://127.0.0.1:6443."),
            click.option(
                "--token-file",
                type=click.Path(path_type=Path, exists=True),
                required=True,
                help='Bearer tokens of admin, alice and bob: token,user,uid,"group1,group2".',
            ),
            click.option(
                "--ca", type=click.Path(path_type=Path, exists=True), help="The server's authority."
            ),
            click.option("--folder", type=click.Path(path_type=Path), default=FOLDER, show_default=True),
            click.option("--only", multiple=True, help="A topic's name; may be repeated."),
        )
    ):
        command = option(command)
    return command


@click.group()
def cli() -> None:
    """Vectors: recorded exchanges with a real API server."""


@cli.command()
@_options
def compare(server: str, token_file: Path, ca: Path | None, folder: Path, only: tuple[str, ...]) -> None:
    """Ask any server and tell the first difference of each exchange from the recorded answer."""
    with closing(Server(Endpoint.by_token(server, tokens(token_file), ca))) as client:
        lines = [line for topic in _chosen(folder, only) for line in _differences(client, topic)]
    for line in lines:
        click.echo(line, nl=bool(line))
    equal = sum(1 for line in lines if not line)
    click.echo(f"{equal} of {len(lines)} exchanges equal")
    sys.exit(0 if equal == len(lines) else 1)


def _differences(server: Server, topic: Topic) -> Iterable[str]:
    answers = Player(server, topic, namespace_for(topic)).play()
    for vector, answer in zip(topic.vectors, answers, strict=True):
        unlike = difference(vector.answer, answer.json())
        yield f"{topic.name}/{vector.id}: {unlike}" if unlike else ""


def _chosen(folder: Path, only: tuple[str, ...]) -> tuple[Topic, ...]:
    return tuple(topic for topic in topics(folder) if not only or topic.name in only)


def main() -> None:
    """Run the command; errors are one line."""
    try:
        cli()
    except (VectorError, OSError) as error:
        click.echo(f"vectors: {error}", err=True)
        sys.exit(4)


if __name__ == "__main__":
    main()
