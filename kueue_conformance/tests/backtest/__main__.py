"""`make backtest`: judge a control plane with the fault of each fix by the scenario named for it, and write
docs/backtest.md.
"""

import os
from multiprocessing import get_context
from pathlib import Path

import click
import yaml

from .fixes import in_scope
from .judging import verdict
from .page import PAGE, page

RESULTS = Path(__file__).with_name("results.yaml")


def main():
    """Judge them in parallel, keep what was seen, and write the page."""
    names = sorted({fix.plane for fix in in_scope() if fix.plane})
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        results = {}
        for name, result in pool.imap_unordered(verdict, names):
            results[name] = result
            click.echo(f"{len(results)}/{len(names)} {name}: {result}")
    RESULTS.write_text(yaml.safe_dump(results, width=200))
    PAGE.write_text(page(results))
    click.echo(str(PAGE))


if __name__ == "__main__":
    main()
