"""Which transition of a ProvisioningRequest is shown by which scenario: `python -m
kueue_conformance.catalogue.transitions` writes docs/autoscaler-coverage.md (provisioning.md A9).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..scenario import Scenario
from .inventory import inventory

FAMILY = "PRQ"
TRANSITIONS = {
    "CV-01": "new → booked, by a check",
    "CV-02": "new → waiting, by a check",
    "CV-03": "waiting → waiting, at the times of the doubling delay",
    "CV-04": "waiting → booked",
    "CV-05": "new → failed, by a check that asks for no retry",
    "CV-06": "other words for noRetry",
    "CV-07": "new → failed, without its template",
    "CV-08": "booked → failed, when its template goes",
    "CV-09": "new → booked, atomic, without a new node",
    "CV-10": "new → booked, atomic, with new nodes",
    "CV-11": "new → waiting, atomic, by each gate",
    "CV-12": "waiting, since the check itself went wrong",
    "CV-13": "booked → over, after ten minutes",
    "CV-14": "booked → over, when its pods have their places",
    "CV-15": "any state without capacity → failed, after seven days",
    "CV-16": "twenty ends in a loop",
    "CV-17": "deleted, seven days after the answer",
    "CV-18": "neither True nor False: not tried",
    "CV-19": "accepted in a loop that serves ordinary pods",
    "CV-20": "writes that are refused, fail or are lost",
    "CV-21": "restart while it waits",
    "CV-22": "deleted in every state",
    "CV-23": "booked → booked, although machines fail",
    "CV-24": "one of several groups is refused",
    "CV-25": "instances",
    "CV-26": "batches",
    "CV-27": "pods that use a request",
    "CV-28": "the proposal: a check is answered once",
    "CV-29": "the proposal: provisioned with the last node",
    "CV-30": "the proposal: roll-back",
    "CV-31": "the proposal: delays after a roll-back",
    "CV-32": "the proposal: ValidUntilSeconds",
    "CV-33": "the proposal: nodes of an attempt stay",
    "CV-34": "capacity that is revoked",
    "CV-35": "the five stories of the proposal",
    "CV-36": "what the API takes",
}
"""The rows of the matrix, in our words."""
_STORIES = ("PR-230", "PR-231", "PR-232", "PR-233", "PR-234")
_HEAD = """\
# What is shown of an autoscaler

Each transition of a ProvisioningRequest with the scenarios of PROVISIONING-REQUEST that show it. A row without one says so.

This file is made by `python -m kueue_conformance.catalogue.transitions > docs/autoscaler-coverage.md`.

| row | transition | scenarios |
|---|---|---|"""


def lines() -> Iterator[str]:
    """Yield the page."""
    yield from _HEAD.splitlines()
    scenarios = [one for one in inventory().values() if one.id.startswith(FAMILY)]
    for row, transition in TRANSITIONS.items():
        shown = [one.id for one in scenarios if _shows(one, row)]
        yield f"| {row} | {transition} | {', '.join(shown) or 'none'} |"


def _shows(one: Scenario, row: str) -> bool:
    """Tell whether a scenario shows a row; the stories of the proposal have rows of their own."""
    if row == "CV-35":
        return any(shown.startswith(_STORIES) for shown in one.shows)
    return row in one.shows


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
