"""What wrong check controllers fail, case by case, for the order of causes: recorded from runs of them.

`python -m kueue_conformance.tests.killing.failures REPORT…` takes the reports of `run`, each in a folder
named after its wrong controller, and keeps of a text only what groups cases.
"""

import re
import sys
from pathlib import Path

import yaml

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.report.formats.annotations import cases_of
from kueue_conformance.report.results.case import CaseResult
from kueue_conformance.report.results.causes import TOLD
from kueue_conformance.rules import RULES
from kueue_conformance.scenarios.outcome import Level, Outcome

from .matrix import Matrix
from .zoo import CHECK_CONTROLLERS

FILE = Path(__file__).with_name("failures.yaml")
_LINES = re.compile(r"^(?:\S|  (?:expected|observed|way) | {13}check )")
_BINDING = {rule.id for rule in RULES if rule.level is not Level.MAY}
_FIELDS = ("id", "test", "outcome", "code", "text", "violations")


def main(reports):
    """Write down the failed cases of reports, beside those that are known."""
    known = yaml.safe_load(FILE.read_text("utf-8")) if FILE.exists() else {}
    known |= {report.parent.name: [*_failures(report)] for report in map(Path, reports)}
    FILE.write_text(
        f"# Made by `python -m {__spec__.name}`: cases that wrong check controllers failed.\n"
        + yaml.safe_dump(known, width=10_000, sort_keys=True, allow_unicode=True),
        "utf-8",
    )


def _failures(report):
    for case in cases_of(yaml.safe_load(report.read_text("utf-8"))):
        if case.outcome in TOLD:
            text = "\n".join(line for line in case.text.splitlines() if _LINES.match(line))
            # A rule that is only reported is no cause, and one breach of a rule says as much as many.
            breaches = {breach["rule"]: dict(breach) for breach in reversed(case.violations)}
            binding = [breach for rule, breach in breaches.items() if rule in _BINDING]
            fields = {"outcome": str(case.outcome), "text": text, "violations": binding}
            values = {name: fields.get(name, getattr(case, name)) for name in _FIELDS}
            yield {name: value for name, value in values.items() if value}


def failures():
    """Return by wrong controller the results of a run: its recorded failures, and that all else passed."""
    # The recorded runs judged that profile alone; wrong controllers of an upgrade are in the matrix too.
    scenarios = [
        name
        for name in Matrix(CHECK_CONTROLLERS).scenarios
        if name in inventory() and inventory()[name].profile.name == "CHECK-CONTROLLER"
    ]
    recorded = yaml.safe_load(FILE.read_text("utf-8"))
    return {name: [*_results(cases, scenarios)] for name, cases in recorded.items()}


def _results(cases, scenarios):
    failed = {case["id"] for case in cases}
    for case in cases:
        known = {**case, "outcome": Outcome(case["outcome"]), "violations": case.get("violations", ())}
        yield CaseResult(dialect="v0.19", parameters={}, **known)
    for name in scenarios:
        if name not in failed:
            yield CaseResult(id=name, test=name, dialect="v0.19", parameters={}, outcome=Outcome.PASSED)


if __name__ == "__main__":
    main(sys.argv[1:])
