"""`make attack`: attack the three programs of this project on loopback;
exit code 1 when one does not hold.
"""

import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import SystemRandom
from tempfile import TemporaryDirectory

import click

from .bystander import LONGEST_WAIT_SECONDS, Bystander
from .campaign import MEMORY_BYTES, Campaign
from .shapes import shapes
from .targets import Targets, politely


@click.command()
@click.option("--seconds", default=480, show_default=True, type=click.IntRange(1, 3600), help="for how long")
@click.option("--seed", type=int, default=None, help="default random and printed")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice([shape.name for shape in shapes()]),
    help="only these shapes; may be repeated",
)
@click.option("--number", type=int, default=None, help="hold the one conversation of this number")
def main(seconds, seed, only, number):
    """Send hostile requests to `fakecluster serve`, `fakecluster front` and `kueue-reference` with its
    visibility server, beside a client that behaves.

    The budget: 1.5 GB of memory for each program,
    no wait over 0.5 s of CPU for the client that behaves, no finding.
    """
    seed = SystemRandom().randrange(10**6) if seed is None else seed
    started = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # so that the programs end as well
    with TemporaryDirectory(prefix="attack-") as folder, Targets(Path(folder)) as targets:
        campaign = Campaign(seed, targets, tell=click.echo, only=frozenset(only))
        click.echo(
            f"seed {seed}, {len(campaign.plan())} shapes and sites, ready after {time.monotonic() - started:.0f} s"
        )
        processes = tuple(program.process.pid for program in targets.programs)
        with Bystander(targets.admin, targets.bystanders, processes) as bystander:
            politely()
            if number is None:
                campaign.run(seconds)
            else:
                campaign.act(number)
        peaks = {program.name: program.peak_bytes for program in targets.programs}
    summarize(campaign, bystander, peaks)
    sys.exit(bool(campaign.findings or bystander.findings or bystander.too_long()))


def summarize(campaign, bystander, peaks):
    """Say what was done and what came of it."""
    is_held = Counter(act.shape for act in campaign.acts)
    click.echo(
        f"{len(campaign.acts)} conversations of {len(is_held)} shapes; answers: {', '.join(f'{code}: {n}' for code, n in sorted(campaign.codes.items()))}"
    )
    click.echo(
        f"peak memory: {', '.join(f'{name} {size >> 20} MB' for name, size in peaks.items())} (budget {MEMORY_BYTES >> 20} MB)"
    )
    longest = max((wait.seconds_charged for wait in bystander.waits), default=0.0)
    click.echo(
        f"bystander: {bystander.requests} requests, longest wait {longest:.2f} s of CPU (budget {LONGEST_WAIT_SECONDS} s)"
    )
    for wait in sorted(bystander.waits, key=lambda wait: -wait.seconds_charged)[:1]:
        click.echo(f"longest: a {wait.what} beside {', '.join(campaign.beside(wait))}")
    for wait in bystander.too_long()[:20]:
        click.echo(
            f"FOUND a {wait.what} waited {wait.seconds_charged:.2f} s ({wait.seconds:.2f} s by the clock) beside {', '.join(campaign.beside(wait))}"
        )
    for wait in bystander.findings[:20]:
        click.echo(f"FOUND {wait}")
    click.echo(
        f"{len(campaign.findings)} findings, {len(bystander.too_long())} waits too long, {len(bystander.findings)} findings of the bystander"
    )


if __name__ == "__main__":
    main()
