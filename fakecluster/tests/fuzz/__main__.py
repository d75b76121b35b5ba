"""`python -m fakecluster.tests.fuzz`: ask a cluster a million random requests;
exit code 1 when something went wrong.
"""

from __future__ import annotations

import logging
import resource
import sys
import time
from random import SystemRandom

import click

from .campaign import Campaign
from .requests import request


@click.command()
@click.option("--requests", "amount", default=1_000_000, show_default=True, help="how many")
@click.option("--seed", type=int, default=None, help="default random and printed")
@click.option("--from", "first", default=0, help="the number of the first: asks a part of a run again")
@click.option("--show", type=int, default=None, help="print the request of this number and ask nothing")
def main(amount: int, seed: int | None, first: int, show: int | None) -> None:
    """Send random and malformed requests and tell what must not come of them."""
    seed = SystemRandom().randrange(10**6) if seed is None else seed
    if show is not None:
        click.echo(request(seed, show).sent)
        return
    logging.disable(logging.CRITICAL)
    click.echo(f"seed {seed}, {amount} requests from {first}")
    started, campaign = time.monotonic(), Campaign(seed, tell=lambda finding: click.echo(f"FOUND {finding}"))

    def progress(campaign: Campaign) -> None:
        count, seconds = campaign.codes.total(), time.monotonic() - started
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        click.echo(
            f"{count:>9} asked, {count / seconds:.0f}/s, {memory} MB, {len(campaign.findings)} findings"
        )

    campaign.run(amount, progress, every=max(1, min(20_000, amount // 10)), first=first)
    summary = ", ".join(f"{code}: {times}" for code, times in sorted(campaign.codes.items()))
    click.echo(f"answers {summary}; {len(campaign.findings)} findings; seed {seed}")
    sys.exit(1 if campaign.findings else 0)


if __name__ == "__main__":
    main()
