"""`fakecluster front`: stands before a real API server, writes down who asks for what, and disturbs it by
rules (F-01, F-03).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click
import orjson

from ..base import files
from ..base.stop_signals import on_signal
from .failures import ENVIRONMENT, USAGE, Failure, unusable
from .recording import FILE_PATH, upstream_of

if TYPE_CHECKING:
    from ..front import Front
    from ..journal import Entry

FRONT_EXAMPLE = """
\b
Example:
  fakecluster front --kubeconfig ~/.kube/config --front-kubeconfig front.kubeconfig --faults rules.json --journal run.jsonl &
  KUBECONFIG=front.kubeconfig ./my-controller
"""


@click.command(epilog=FRONT_EXAMPLE)
@click.option("--kubeconfig", type=FILE_PATH, required=True, help="The cluster behind.")
@click.option("--context", default="", help="A context of it; the current one when none is named.")
@click.option("--front-kubeconfig", type=FILE_PATH, required=True, help="Written for clients of the front.")
@click.option("--user", default="admin", show_default=True, help="Who that is, for rules and journal.")
@click.option(
    "--as", "other", default="", help="In whose name the user asks; default that of the kubeconfig."
)
@click.option(
    "--host", "hosts", multiple=True, help="A further name by which the front may be asked. May be repeated."
)
@click.option("--faults", type=FILE_PATH, help="Rules, a JSON list of what POST /_fakecluster/faults takes.")
@click.option("--journal", type=FILE_PATH, help="Where entries are written, one a line.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Decides what rules with a probability hit.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; 0 takes a free one."
)
def front(
    kubeconfig: Path,
    context: str,
    front_kubeconfig: Path,
    user: str,
    other: str,
    faults: Path | None,
    journal: Path | None,
    seed: int,
    port: int,
    hosts: tuple[str, ...],
) -> None:
    """Stand between a client and a cluster, tell what the client asks for, and disturb it on purpose.

    Prints `ready https://127.0.0.1:PORT` when it answers; ends with SIGTERM or SIGINT.
    """
    from ..front import Front

    running_front = Front(upstream_of(kubeconfig, context), port=port, seed=seed, hosts=hosts)
    if other:
        running_front.impersonate(user, other)
    if faults is not None:
        _disturb(running_front, faults)
    try:
        with files.stream(journal or Path(os.devnull), private=True) as file:
            running_front.journal.subscribe(lambda entry: _write(file, entry))
            with running_front:
                running_front.kubeconfig(front_kubeconfig, user)
                click.echo(f"ready {running_front.url}")
                on_signal().wait()
    except OSError as error:
        # An error of a file is the user's, one without a file that of the port.
        code = USAGE if error.filename else ENVIRONMENT
        raise Failure(
            f"cannot stand there: {error.filename or port}: {error.strerror or error}", code
        ) from error


def _disturb(front_to_disturb: Front, path: Path) -> None:
    """Take the rules of a file. Raises Failure."""
    from ..faults import RuleError

    try:
        rules = orjson.loads(path.read_bytes())
        if not isinstance(rules, list):
            raise RuleError(f"{type(rules).__name__}: expected a list of rules")
        for rule in rules:
            front_to_disturb.faults.add_json(rule)
    except OSError as error:
        raise unusable("read the rules", path, error) from error
    except (orjson.JSONDecodeError, RuleError) as error:
        raise Failure(f"{path} has no rules that can be used: {error}", USAGE) from error


def _write(file: IO[bytes], entry: Entry) -> None:
    from ..journal.exports import render

    file.write(render([entry], "jsonl").encode())
    file.flush()
