"""The index of the scenarios as Markdown: `python -m kueue_conformance.catalogue.index > suites/README.md`; a
test fails when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..scenarios.capability import FAMILIES
from ..scenarios.scenario import Scenario
from .inventory import inventory

_HEAD = """\
# Scenarios

One folder a profile, one file a behaviour. A file reads like the document that it checks:

- The record above a test is what `kueue-conformance explain ID` prints: permanent id, title, the requirement it shows, the
  rows of the fact pages, its clauses, and the dialects in which the rule holds.
- A test is given, when, then, with an empty line between them. `within("evict", …)` waits for what must happen, no longer than
  the named budget; `always` and `never` wait until nothing more happens. There are no seconds and no sleeps.
- Predicates such as `workload.is_prechecked` use the words of KEP-993. Suspended: no quota is reserved. Prechecked: quota is
  reserved, and checks are undecided. Admitted: the work may run. Rejected: given up until a human acts.
- A scenario with `cases` runs once for each combination, in every selected dialect in which its rule holds.
- `feature gate` names what must be on in Kueue, or off: elsewhere the scenario is unsupported.
- `unsupported` names a feature that no backend has yet: such a scenario is listed and never counts as passed.

Run one with `kueue-conformance run ADM-204`, all of a kind with `kueue-conformance run 'ADM-20*'`, what shows a rule with
`kueue-conformance run kep-993#hold`.

This file is made by `python -m kueue_conformance.catalogue.index > suites/README.md`.
"""


def lines() -> Iterator[str]:
    """Yield the index: a table for each family that has scenarios."""
    yield from _HEAD.splitlines()
    for family, profile in FAMILIES.items():
        scenarios = [scenario for scenario in inventory().values() if scenario.id.startswith(family)]
        if scenarios:
            yield from (
                "",
                f"## {family}: {profile.name}",
                "",
                "| id | title | level | requirement |",
                "|---|---|---|---|",
            )
            yield from map(_row, scenarios)


def _row(scenario: Scenario) -> str:
    note = f" *(unsupported: {scenario.unsupported})*" if scenario.unsupported else ""
    gates = [*sorted(scenario.gates), *(f"{gate} off" for gate in sorted(scenario.without_gates))]
    gated = f" *(feature gate {', '.join(gates)})*" if gates else ""
    return f"| {scenario.id} | {scenario.title}{gated}{note} | {scenario.level} | {', '.join(scenario.requirement)} |"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
