"""`fakecluster record` and `fakecluster replay`:
what a real cluster answers, and whether another one answers alike (F-08).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base import files
from ..base.stop_signals import on_signal
from .failures import ENVIRONMENT, USAGE, Failure, unusable

if TYPE_CHECKING:
    from ..recording.replay import ReplayOutcome
    from ..recording.transcript import Exchange
    from ..recording.upstream import Upstream

RECORD_EXAMPLE = """
\b
Example:
  fakecluster record --kubeconfig ~/.kube/config --proxy-kubeconfig proxy.kubeconfig --transcript run.jsonl &
  kubectl --kubeconfig proxy.kubeconfig get nodes
"""
REPLAY_EXAMPLE = """
\b
Example:
  fakecluster serve --kubeconfig fake.kubeconfig &
  fakecluster replay run.jsonl --kubeconfig fake.kubeconfig
"""
FILE_PATH = click.Path(path_type=Path, dir_okay=False)


@click.command(epilog=RECORD_EXAMPLE)
@click.option("--kubeconfig", type=FILE_PATH, required=True, help="The cluster to record.")
@click.option(
    "--transcript", type=FILE_PATH, required=True, help="Where the exchanges are written, one a line."
)
@click.option(
    "--proxy-kubeconfig", type=FILE_PATH, required=True, help="Written for the clients to be recorded."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; 0 takes a free one."
)
def record(kubeconfig: Path, transcript: Path, proxy_kubeconfig: Path, port: int) -> None:
    """Stand between clients and a cluster, and write down what they say.

    Prints `ready https://127.0.0.1:PORT` when it answers; ends with SIGTERM or SIGINT. Tokens, certificates
    and the values of Secrets are not written down.
    """
    try:
        from ..recording.recorder import Recorder
    except ModuleNotFoundError as error:
        raise Failure(
            f"cannot record: it needs aiohttp: pip install 'fakecluster[recording]' ({error})",
            ENVIRONMENT,
        ) from None

    upstream = upstream_of(kubeconfig)
    try:
        with files.stream(transcript, private=True) as file, Recorder(upstream, file, port) as recorder:
            files.write(proxy_kubeconfig, recorder.kubeconfig.encode(), private=True)
            click.echo(f"ready {recorder.url}")
            on_signal().wait()
    except OSError as error:
        code = USAGE if error.filename else ENVIRONMENT
        raise Failure(
            f"cannot record: {error.filename or ''} {error.strerror or error}".replace("  ", " "), code
        ) from error


@click.command(epilog=REPLAY_EXAMPLE)
@click.argument("transcript", type=FILE_PATH)
@click.option("--kubeconfig", type=FILE_PATH, required=True, help="The cluster to ask.")
@click.option(
    "--remote",
    is_flag=True,
    help="Ask a cluster on another machine as well: what the transcript writes is written there.",
)
def replay(transcript: Path, kubeconfig: Path, *, remote: bool) -> int:
    """Ask a cluster what the clients of a TRANSCRIPT asked, and print the answers that differ.

    Values that a server makes up (uid, resourceVersion, times) may differ; those that clients send back are
    translated. Exits 1 when anything else differs.
    """
    from ..recording.replay import Replay

    server = upstream_of(kubeconfig)
    # A replay repeats the writes of a transcript; on a real cluster that is rarely meant.
    if not (remote or server.is_here):
        raise Failure(
            f"{server.url} is not on this machine, and what {transcript} writes would be written there: add --remote to do so",
            USAGE,
        )
    exchanges, different, compared = _read(transcript), 0, 0
    try:
        for outcome in Replay(server).play(exchanges):
            compared += not outcome.skipped
            different += bool(outcome.difference)
            _print_difference(outcome)
    except OSError as error:
        raise Failure(f"cannot reach the cluster of {kubeconfig}: {error}", ENVIRONMENT) from error
    click.echo(
        f"{compared - different} of {compared} exchanges equal, {len(exchanges) - compared} not played"
    )
    return int(different > 0)


def _print_difference(outcome: ReplayOutcome) -> None:
    exchange = outcome.exchange
    if outcome.difference:
        text = f"{exchange.method} {exchange.target}: {outcome.difference}"
        # Neither a file nor a server gives orders to a terminal.
        click.echo("".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text))


def upstream_of(kubeconfig: Path, context: str = "") -> Upstream:
    """Return the cluster that a kubeconfig names. Raises Failure."""
    from ..recording.upstream import Upstream, UpstreamError

    try:
        return Upstream.of_kubeconfig(kubeconfig, context)
    except OSError as error:
        raise unusable("read the kubeconfig", kubeconfig, error) from error
    except UpstreamError as error:
        raise Failure(str(error), USAGE) from error


def _read(path: Path) -> tuple[Exchange, ...]:
    from ..recording.transcript import TranscriptError, read

    try:
        return read(path)
    except OSError as error:
        raise unusable("read the transcript", path, error) from error
    except TranscriptError as error:
        raise Failure(str(error), USAGE) from error
