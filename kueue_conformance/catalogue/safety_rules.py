"""The safety rules as Markdown: `python -m kueue_conformance.catalogue.safety_rules > docs/safety-rules.md`; a test fails when it is stale."""

from __future__ import annotations

from collections.abc import Iterator

from ..rules import AUTOSCALER, CHECK_CONTROLLER, CONTROL_PLANE, Rule
from .inventory import inventory

_HEAD = """\
# Safety rules

What a program must never do is looked for in the story of every case, whatever the case is about: each rule is a row of the fact pages with
its level, and a breach is reported under its id. `must` fails the case, `should` with `--strict` as well, `may` is told only.
`kueue-conformance explain AC-273` tells one of them.

A control plane is judged where Kueue is at work and no check controller is (ADMISSION, QUEUEING, VISIBILITY), on every backend. The story is that of the
API server's journal, or of watches: who wrote a change is guessed there by field managers, and where that cannot be told only rules judge it
that ask for no author, such as those about reservations and admissions. What the server refused is seen on backend `fake` alone; there nonsense that is never stored is told under its rule as well.

A watch is later than a write. A writer must know what was there when all was at rest before, and what is older than two seconds; each state of an
object since then is one that it may have seen, and a rule is broken when the write is wrong by all of them. So a check that is added to a
ClusterQueue at the very moment of an admission may be missed, and one that was there before may not (AC-384).

An autoscaler is judged where it alone is at work (PROVISIONING-REQUEST), over what it wrote to ProvisioningRequests and what it asked the cloud
behind it for, where that is ours.

What stands in for a job integration (`stage/release.py`, `stage/endings.py`) plays Kueue's part, and is judged with it.

This file is made by `python -m kueue_conformance.catalogue.safety_rules > docs/safety-rules.md`.
"""


def lines() -> Iterator[str]:
    """Yield the page: a table for each kind of program that is judged."""
    yield from _HEAD.splitlines()
    permitted = (f"{rule} in {one.id}" for one in inventory().values() for rule in one.permits)
    yield from (
        "",
        f"Not judged, where a scenario takes what a release does against the rule: {', '.join(permitted)}.",
    )
    for title, rules in (
        ("A control plane …", CONTROL_PLANE), ("A check controller …", CHECK_CONTROLLER), ("An autoscaler …", AUTOSCALER),
    ):  # fmt: skip
        yield from ("", f"## {title}", "", "| rule | … | level | dialects |", "|---|---|---|---|")
        yield from map(_row, rules)


def _row(rule: Rule) -> str:
    bounds = f"{rule.since or 'oldest'} to {rule.until or 'newest'}" if rule.since or rule.until else "all"
    where = ", ".join(rule.only or (bounds, *rule.also))
    return f"| {rule.id} | {rule.text} | {rule.level} | {where} |"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
