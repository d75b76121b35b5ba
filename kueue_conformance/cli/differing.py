"""`differential`: ask the fake API server and a real one the same, and tell where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from .. import backends
from ..differential import Compared, Summary, compare, known_differences, servers
from ..errors import unknown
from ..vectors.document import Topic, topics
from ..vectors.index import folder
from ..vectors.server import Server

Pair = tuple[Server, Server]
Known = Mapping[str, Mapping[str, str]]


@click.command(short_help="compare the fake API server with a real one, live")
@click.option(
    "--backend", default="envtest", show_default=True, help="the real server: envtest or kubeconfig:PATH"
)
@click.option("--only", multiple=True, help="a topic's name; may be repeated")
@click.option(
    "--allow-fake-assets", is_flag=True, help="let backend envtest take programs that are not the real ones"
)
def differential(backend: str, only: tuple[str, ...], allow_fake_assets: bool) -> int:
    """Ask every recorded exchange of both servers and print the first difference of each, and how many are equal.

    Exit code: 0 equal but for known differences, 1 unexpected or stale differences, 3 no server, 4 usage.
    """
    chosen = _chosen(only)
    known = known_differences(folder().parent / "known-differences.yaml")
    backends.look(backend, allow_imitation=allow_fake_assets)
    lender, ours = backends.connect(backend, allow_imitation=allow_fake_assets), backends.connect("fake")
    try:
        with servers(lender.api_server(), ours.api_server()) as pair:
            compared = [one for topic in chosen for one in _compared(topic, pair, known)]
    finally:
        ours.close()
        lender.close()
    summary = Summary(compared=compared, known=known)
    for line in summary.lines():
        click.echo(line)
    return 1 if summary.unexpected or summary.stale else 0


def _chosen(only: Sequence[str]) -> list[Topic]:
    every = {one.name: one for one in topics(folder())}
    for name in only:
        if name not in every:
            raise unknown("topic", name, every)
    return [topic for topic in every.values() if not only or topic.name in only]


def _compared(topic: Topic, pair: Pair, known: Known) -> Sequence[Compared]:
    """Compare a topic, once more where there is news: a real server follows its own objects with some delay."""
    found = compare(topic, *pair)
    news = Summary(compared=found, known=known).unexpected
    if not news:
        return found
    click.echo(f"{topic.name} is asked again, for {news[0].exchange}: {news[0].unlike}")
    return compare(topic, *pair)
