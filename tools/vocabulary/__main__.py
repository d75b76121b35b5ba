"""`python -m tools.vocabulary`: measure the names of each package; fail where a figure is above its limit.

  python -m tools.vocabulary                     the table; above a limit: file, line and what to write
  python -m tools.vocabulary --worst 20          and the files with the most findings
  python -m tools.vocabulary --show fakecluster  everything that counts below a path
  python -m tools.vocabulary --change main       only what a branch has added: read it before you commit
  python -m tools.vocabulary --lower             write better figures into limits.toml
  python -m tools.vocabulary --strict            fail as well where a limit is wider than its figure

Limits stand in tools/vocabulary/limits.toml and only shrink: after renames, lower them. Vague words and what
to write in their place stand in words.toml. CONTRIBUTING.md ("Names") has the rules.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from . import limits
from .checkout import find_added_lines, list_paths, read_sources
from .limits import Breach, Package, Table
from .sources import Finding, Measure

ROOT = Path(__file__).parents[2]
LIMITS = Path(__file__).with_name("limits.toml")
SHOWN_FINDINGS = 20
"""So many findings of a figure above its limit are printed; `--show` prints all."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for; returns 1 where a figure is above its limit."""
    options = _read_options(arguments)
    table = Table.parse(LIMITS.read_text("utf-8"))
    packages = {name: Package(name) for name in table.limits} | limits.measure_packages(
        read_sources(ROOT, table.limits), list_paths(ROOT)
    )
    findings = [
        finding for package in packages.values() for rows in package.findings.values() for finding in rows
    ]
    if options.change:
        return _show_change(findings, find_added_lines(ROOT, options.change), options.change)
    if options.show:
        return _show(finding for finding in findings if finding.path.startswith(options.show))
    if options.lower:
        text = LIMITS.read_text("utf-8")
        LIMITS.write_text(limits.lower(text, packages, table), "utf-8")
        table = Table.parse(LIMITS.read_text("utf-8"))
    _print_table(packages, table)
    _print_worst(findings, options.worst)
    return _judge(packages, table, strict=options.strict)


def _read_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; what it does is said by the module."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.vocabulary",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--worst", type=int, default=0, metavar="N", help="name the N files with the most findings"
    )
    parser.add_argument(
        "--change", metavar="REV", help="show only findings in lines added since a revision of Git"
    )
    parser.add_argument(
        "--show", metavar="PATH", help="show every finding below a path, such as fakecluster/store.py"
    )
    parser.add_argument("--lower", action="store_true", help="lower the limits to today's figures")
    parser.add_argument(
        "--strict", action="store_true", help="fail where a limit could be lowered; else it is a note"
    )
    return parser.parse_args(arguments)


def _judge(packages: Mapping[str, Package], table: Table, *, strict: bool) -> int:
    """Print figures above their limits, and limits that can be lowered; return the exit code."""
    breaches = list(limits.find_breaches(packages, table))
    for breach in breaches:
        _print_breach(breach)
    slack = list(limits.find_slack(packages, table))
    if slack:
        print(f"{len(slack)} limits are wider than their figures: run python -m tools.vocabulary --lower")
    if strict:
        for breach in slack:
            print(f"  {breach}: lower it")
    return int(bool(breaches) or (strict and bool(slack)))


def _print_breach(breach: Breach) -> None:
    findings = breach.package.findings[breach.measure]
    print(f"\n{breach}")
    for finding in findings[:SHOWN_FINDINGS]:
        print(f"  {finding}")
    if breach.measure is Measure.COMMENT_LINES:
        print("  say why where Go, HTTP, Kubernetes or Kueue does what a reader would not expect")
    if len(findings) > SHOWN_FINDINGS:
        print(
            f"  and {len(findings) - SHOWN_FINDINGS} more; what you added: python -m tools.vocabulary --change main"
        )


def _print_table(packages: Mapping[str, Package], table: Table) -> None:
    names = list(table.limits)
    widths = [max(len(name), 10) for name in names]
    print(
        f"{'':22}{'goal':>8}  "
        + "  ".join(name.rjust(width) for name, width in zip(names, widths, strict=True))
    )
    for measure in Measure:
        cells = [
            f"{packages[name].figure(measure):g}{limits.unit(measure)}"
            if measure in table.limits[name]
            else "–"
            for name in names
        ]
        goal = f"{table.goals[measure]:g}{limits.unit(measure)}"
        row = "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        print(f"{measure:22}{goal:>8}  {row}")


def _print_worst(findings: Iterable[Finding], count: int) -> None:
    files = Counter(finding.path for finding in findings)
    for path, number in files.most_common(count):
        print(f"{number:5} {path}")


def _show_change(findings: Iterable[Finding], added: Mapping[str, set[int]], revision: str) -> int:
    code = _show(finding for finding in findings if finding.line in added.get(finding.path, ()))
    print(f"in what was added since {revision}")
    return code


def _show(findings: Iterable[Finding]) -> int:
    """Print findings and their number; the exit code is 0, since nothing is judged."""
    rows = sorted(findings, key=lambda finding: (finding.path, finding.line))
    for finding in rows:
        print(finding)
    print(f"{len(rows)} findings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
