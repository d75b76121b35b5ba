"""`differential`: sends the same requests to the fake API
server and a real one, and prints where the answers differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from .. import backends
from ..backends.backend import Backend
from ..base.errors import unknown
from ..vectors.differential import ComparedExchange, Summary, compare, servers
from ..vectors.document import Topic, topics
from ..vectors.index import folder
from ..vectors.known_differences import known_differences


@click.command(short_help="compare the fake API server with a real one, live")
@click.option(
    "--backend", default="envtest", show_default=True, help="the real server: envtest or kubeconfig:PATH"
)
@click.option("--only", multiple=True, help="a topic's name; may be repeated")
@click.option(
    "--allow-fake-assets", is_flag=True, help="allow programs for backend envtest that are not the real ones"
)
def differential(backend: str, only: tuple[str, ...], allow_fake_assets: bool) -> int:
    """Ask every recorded exchange of both servers and print
    the first difference of each, and how many are equal.

    Exit code: 0 equal but for known differences, 1 unexpected or stale differences, 3 no server, 4 usage.
    """
    chosen = _chosen(only)
    differences = known_differences()
    backends.look(backend, allow_imitation=allow_fake_assets)
    # Both at once: each exchange is sent to the two servers one after the other.
    lender, ours = backends.connect(backend, allow_imitation=allow_fake_assets), backends.connect("fake")
    try:
        compared = [exchange for topic in chosen for exchange in _compare(topic, lender, ours)]
    finally:
        ours.close()
        lender.close()
    summary = Summary(compared=compared, known_differences=differences)
    for line in summary.lines():
        click.echo(line)
    return 1 if summary.unexpected_differences or summary.stale else 0


def _chosen(only: Sequence[str]) -> list[Topic]:
    every = {topic.name: topic for topic in topics(folder())}
    for name in only:
        if name not in every:
            raise unknown("topic", name, every)
    return [topic for topic in every.values() if not only or topic.name in only]


def _compare(topic: Topic, real: Backend, fake: Backend) -> Sequence[ComparedExchange]:
    """Compare a topic over its own connections: a server closes a connection that is idle while the other
    server is busy.
    """
    controllers = topic.controllers
    with servers(real.api_server(controllers=controllers), fake.api_server(controllers=controllers)) as pair:
        return compare(topic, *pair)
