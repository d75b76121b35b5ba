"""Prints both servers' figures and their ratios as a Markdown table. Nothing is asserted."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from fakecluster.envtest.install import install
from kueue_conformance.backends.assets import find
from kueue_conformance.base.errors import EnvironmentProblem

from ..figure import Figure
from . import definitions, latency, lists, serving, throughput, watching
from .client import Client, connect
from .servers import Server, running

QUESTIONS: tuple[Callable[[Client], AsyncIterator[Figure]], ...] = (
    definitions.figures,
    latency.figures,
    lists.figures,
    throughput.figures,
    watching.figures,
)
"""Memory is measured with the lists, after questions whose number is fixed: those of `throughput` are bounded
by time, and what a server keeps of them grows with its rate.
"""
STARTS = 5
LIMIT = 230.0
"""Seconds for all questions to one server: what does not come in time is left out, for both."""


async def measure(server: Server) -> list[Figure]:
    """Return what a server answers to every question."""
    ready = [Figure("memory when ready", (server.memory(),), "MB")]
    async with connect(server) as client:
        figures = ready
        try:
            async with asyncio.timeout(LIMIT):
                for question in QUESTIONS:
                    async for figure in question(client):
                        figures.append(print_figure(figure))
        except TimeoutError:
            print(f"  the rest would take more than {LIMIT:g} s", file=sys.stderr)
        return figures


def print_figure(figure: Figure) -> Figure:
    """Print a figure and return it."""
    print(f"  {figure.name}: {figure.middle:.4g} {figure.unit}", file=sys.stderr, flush=True)
    return figure


def of(assets: Path) -> list[Figure]:
    """Return the figures of the server of an assets folder."""
    starts = []
    for _ in range(STARTS - 1):
        with running(assets) as server:
            starts.append(server.started * 1000)
    with running(assets) as server:
        starts.append(server.started * 1000)
        return [
            Figure("start of the programs until /readyz", tuple(starts), "ms"),
            *asyncio.run(measure(server)),
        ]


def main() -> int:
    """Measure both and print the table."""
    # As on a user's machine: with it programs compile their modules at each start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if len(os.sched_getaffinity(0)) < 2:
        print("bench-oracle: needs two cores, one for the server and one for the client", file=sys.stderr)
        return 3
    try:
        real_assets = find().api_server.parent
    except EnvironmentProblem as problem:
        print(f"bench-oracle: {problem}", file=sys.stderr)
        return 3
    print(
        f"{time.strftime('%Y-%m-%d')}, {platform.machine()}, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f}\n"
    )
    with TemporaryDirectory() as folder:
        install(Path(folder))
        serve = serving.figure()
        fake = of(Path(folder))
    real = of(real_assets)
    print("| | fake | real | unit | times better |\n|---|---:|---:|---|---:|")
    # What a slow machine kept either from telling is at the end.
    for figure, other in [(serve, real[0]), *zip(fake, real, strict=False)]:
        ratio = figure.middle / other.middle if figure.unit.endswith("/s") else other.middle / figure.middle
        print(f"| {figure.name} | {figure.middle:.4g} | {other.middle:.4g} | {figure.unit} | {ratio:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
