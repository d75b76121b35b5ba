"""The way of each Workload and each entry through its states,
step by step, out of the writes of a case (harness/N-12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..history.story import SUBJECT, Change
from .machines import ENTRY, NOT_YET, WORKLOAD, Machine, entries_of, state_of

_Key = tuple[str, str]
_LINES = 4


@dataclass(frozen=True, slots=True)
class Step:
    """One step that was taken: from, to, whether that is permitted, and the write that did it."""

    start: str
    end: str
    permitted: bool
    tip: str


@dataclass(frozen=True, slots=True)
class Walk:
    """All steps of one Workload, or of the entry of one check in it."""

    title: str
    machine: Machine
    steps: Sequence[Step]
    names: tuple[str, ...] = ()
    """The Workload, and the check whose entry it is."""

    @property
    def states(self) -> list[str]:
        """The states in order, from before it was there."""
        return [NOT_YET, *(step.end for step in self.steps)]

    @property
    def wrong(self) -> bool:
        """Whether a step is not permitted."""
        return not all(step.permitted for step in self.steps)

    def line(self) -> str:
        """Return the way in words; a step that is not permitted is said to be so."""
        return "".join(
            [
                f"{self.title}: {NOT_YET}",
                *(f" {'→' if step.permitted else '⇏'} {step.end}" for step in self.steps),
            ]
        )


def walks(writes: Iterable[Mapping[str, Any]]) -> list[Walk]:
    """Return every way, those with a wrong step first; a write says `name`, `actor`, `revision`, `state`,
    `entries` and `broke`.
    """
    taken: dict[_Key, list[Step]] = {}
    current_states: dict[_Key, str] = {}
    for write in writes:
        for key, state in _states(write, current_states).items():
            before, steps = current_states.get(key, NOT_YET), taken.setdefault(key, [])
            if state != before:
                steps.append(_step(ENTRY if key[1] else WORKLOAD, before, state, write))
            current_states[key] = state
    return sorted((_walk(key, steps) for key, steps in taken.items()), key=lambda walk: not walk.wrong)


def ways(changes: Iterable[Change]) -> list[str]:
    """Return the ways of a case in words, not too many: what a terminal shows."""
    all_walks = walks(_writes(changes))
    return [walk.line() for walk in all_walks[:_LINES]]


def _writes(changes: Iterable[Change]) -> Iterator[Mapping[str, Any]]:
    for change in changes:
        if change.kind == "Workload" and change.after:
            yield {
                "name": change.name,
                "actor": change.actor,
                "revision": change.revision,
                "state": state_of(change.after),
                "entries": entries_of(change.after),
            }


def _walk(key: _Key, steps: Sequence[Step]) -> Walk:
    workload, check = key
    return (
        Walk(f"check {check} of {workload}", ENTRY, steps, (workload, check))
        if check
        else Walk(f"Workload {workload}", WORKLOAD, steps, (workload,))
    )


def _states(write: Mapping[str, Any], current_states: Mapping[_Key, str]) -> dict[_Key, str]:
    """Return the states after a write of a Workload; an entry that is no more listed is none again."""
    if "state" not in write:
        return {}
    name, entries = write["name"], write["entries"]
    gone = {key: NOT_YET for key in current_states if key[0] == name and key[1] and key[1] not in entries}
    return {(name, ""): write["state"], **gone, **{(name, check): state for check, state in entries.items()}}


def _step(machine: Machine, before: str, state: str, write: Mapping[str, Any]) -> Step:
    broken = write.get("broke", ())
    tip = f"rv {write['revision']} {write['actor']}: {before} → {state}{', broken: ' + ' '.join(broken) if broken else ''}"
    permitted = machine.permits(before, state, subject=write["actor"] == SUBJECT)
    return Step(before, state, permitted and not broken, tip)
