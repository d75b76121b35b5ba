"""The safety rules as Markdown: `python -m kueue_conformance.catalogue.safety_rules > docs/safety-rules.md`;
a test fails when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..rules import AUTOSCALER, CHECK_CONTROLLER, CONTROL_PLANE, JOB_INTEGRATION, SafetyRule
from .inventory import inventory

_HEAD = """\
# Safety rules

A safety rule names something that a program must never do. The harness checks every rule over the history of every case, whatever the scenario asserts.
A rule is a row of the fact pages with a level, and a violation is reported under its id: `must` fails the case, `should` fails it with `--strict`,
`may` is only reported. `kueue-conformance explain AC-273` shows one rule.

A control plane is judged on every backend, in the profiles in which Kueue runs without a check controller (ADMISSION, QUEUEING, VISIBILITY). The history
comes from the API server's journal, or from watches. With watches the author of a change is derived from field managers; where that is not
possible, only rules that need no author are checked, such as those about reservations and admissions. Requests that the server refused are seen on
backend `fake` alone, where invalid objects that were never stored are reported under their rule as well.

A program sees a write later than it happens. A writer must know the state of the last moment at which the cluster was quiet, and every state that is older than two
seconds. Each later state of an object is one that it may have seen, and a rule is violated when the write is wrong by all of them. A check
that is added to a ClusterQueue at the moment of an admission may therefore be missing there; one that existed before may not (AC-384).

A job integration is judged in JOB-INTEGRATION by what it wrote to jobs and Workloads. A write is a violation when it is wrong by every state of the
job, its Workload and its flavors that the integration may have seen.
A control plane integrates batch/v1 Jobs itself: AC-332, AC-335, AC-363 and AC-367 judge it in every profile as JI-010, JI-020 to JI-022, JI-031 and JI-032
judge an integration, and KUEUE-RECORDED judges it by the other rows of integrations as well.

An autoscaler is judged where no other program is (PROVISIONING-REQUEST): by what it wrote to ProvisioningRequests and, with the cloud of this project, by
what it requested from the cloud.

The parts of the harness that stand for a job integration (`stage/workloads/release.py`, `stage/workloads/endings.py`) act as Kueue, and are judged with it.

This file is made by `python -m kueue_conformance.catalogue.safety_rules > docs/safety-rules.md`.
"""


def lines() -> Iterator[str]:
    """Yield the page: a table for each kind of program that is judged."""
    yield from _HEAD.splitlines()
    permitted = (f"{rule} in {scenario.id}" for scenario in inventory().values() for rule in scenario.permits)
    yield from (
        "",
        f"Not checked, because the scenario accepts that a release violates the rule: {', '.join(permitted)}.",
    )
    for title, rules in (
        ("A control plane …", CONTROL_PLANE),
        ("A check controller …", CHECK_CONTROLLER),
        ("A job integration …", JOB_INTEGRATION),
        ("An autoscaler …", AUTOSCALER),
    ):
        yield from ("", f"## {title}", "", "| rule | … | level | dialects |", "|---|---|---|---|")
        yield from map(_row, rules)


def _row(rule: SafetyRule) -> str:
    bounds = f"{rule.since or 'oldest'} to {rule.until or 'newest'}" if rule.since or rule.until else "all"
    where = ", ".join(rule.only or (bounds, *rule.also))
    return f"| {rule.id} | {rule.text} | {rule.level} | {where} |"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
