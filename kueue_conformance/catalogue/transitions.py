"""Which transition of a ProvisioningRequest is shown by which scenario: `python -m
kueue_conformance.catalogue.transitions` writes docs/autoscaler-coverage.md (provisioning.md A9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..scenarios.scenario import Scenario
from . import bad_input
from .inventory import inventory

FAMILY = "PRQ"
NEW, WAITING, BOOKED, OVER, FAILED, GONE, UNKNOWN = (
    "new",
    "waiting",
    "booked",
    "over",
    "failed",
    "gone",
    "unknown",
)


@dataclass(frozen=True, slots=True)
class Transition:
    """A row of the matrix in our words: from a state to a state,
    or something that holds in several of them.
    """

    words: str
    start: str = ""
    end: str = ""
    unseen: str = ""
    """Why no scenario shows it."""


TRANSITIONS = {
    "CV-01": Transition("new → booked, by a check", NEW, BOOKED),
    "CV-02": Transition("new → waiting, by a check", NEW, WAITING),
    "CV-03": Transition("waiting → waiting, at the times of the doubling delay", WAITING, WAITING),
    "CV-04": Transition("waiting → booked", WAITING, BOOKED),
    "CV-05": Transition("new → failed, by a check with noRetry", NEW, FAILED),
    "CV-06": Transition("other values of noRetry", NEW, WAITING),
    "CV-07": Transition("new → failed, without its template", NEW, FAILED),
    "CV-08": Transition("booked → failed, when its template is deleted", BOOKED, FAILED),
    "CV-09": Transition("new → booked, atomic, without a new node", NEW, BOOKED),
    "CV-10": Transition("new → booked, atomic, with new nodes", NEW, BOOKED),
    "CV-11": Transition("new → waiting, atomic, by each gate", NEW, WAITING),
    "CV-12": Transition(
        "waiting, since the check itself failed",
        NEW,
        WAITING,
        unseen="nothing that a scenario can do makes the check itself go wrong: cluster-autoscaler says so when its own simulation fails",
    ),
    "CV-13": Transition("booked → over, after ten minutes", BOOKED, OVER),
    "CV-14": Transition("booked → over, when its pods are scheduled", BOOKED, OVER),
    "CV-15": Transition("any state without capacity → failed, after seven days", WAITING, FAILED),
    "CV-16": Transition("twenty ends in a loop"),
    "CV-17": Transition("deleted, seven days after its outcome", OVER, GONE),
    "CV-18": Transition("Provisioned=Unknown: not tried", UNKNOWN, UNKNOWN),
    "CV-19": Transition("accepted in a loop that serves ordinary pods", NEW, NEW),
    "CV-20": Transition("writes that are refused, fail or are lost"),
    "CV-21": Transition("restart while it waits", WAITING, WAITING),
    "CV-22": Transition("deleted in every state"),
    "CV-23": Transition("booked → booked, although machines fail", BOOKED, BOOKED),
    "CV-24": Transition("one of several groups is refused"),
    "CV-25": Transition("instances"),
    "CV-26": Transition("batches"),
    "CV-27": Transition("pods that use a request"),
    "CV-28": Transition("the proposal: a check-capacity request is answered once"),
    "CV-29": Transition("the proposal: provisioned with the last node"),
    "CV-30": Transition("the proposal: roll-back"),
    "CV-31": Transition("the proposal: delays after a roll-back"),
    "CV-32": Transition("the proposal: ValidUntilSeconds"),
    "CV-33": Transition("the proposal: nodes of an attempt stay"),
    "CV-34": Transition("capacity that is revoked"),
    "CV-35": Transition("the five stories of the proposal"),
    "CV-36": Transition("the limits of the API"),
}
"""The rows of the matrix."""
_STORIES = ("PR-230", "PR-231", "PR-232", "PR-233", "PR-234")
_HEAD = """\
# What is shown of an autoscaler

Each transition of a ProvisioningRequest with the scenarios of PROVISIONING-REQUEST that show it. A row without one says why.

![The states of a ProvisioningRequest, and on each arrow the rows of the table with a scenario of each](drawings/transitions-of-a-request.svg)

This file is made by `python -m kueue_conformance.catalogue.transitions > docs/autoscaler-coverage.md`.

| row | transition | scenarios |
|---|---|---|"""


def lines() -> Iterator[str]:
    """Yield the page."""
    yield from _HEAD.splitlines()
    for row, ids in scenarios_by_row().items():
        transition = TRANSITIONS[row]
        yield f"| {row} | {transition.words} | {', '.join(ids) or f'none: {transition.unseen}'} |"
    yield from bad_input.lines()


def scenarios_by_row() -> Mapping[str, Sequence[str]]:
    """Return the ids of the scenarios that show each row."""
    scenarios = [scenario for scenario in inventory().values() if scenario.id.startswith(FAMILY)]
    return {row: [scenario.id for scenario in scenarios if _shows(scenario, row)] for row in TRANSITIONS}


def _shows(scenario: Scenario, row: str) -> bool:
    """Tell whether a scenario shows a row; the stories of the proposal have rows of their own."""
    if row == "CV-35":
        return any(shown_row.startswith(_STORIES) for shown_row in scenario.shows)
    return row in scenario.shows


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
