"""Feature gates of Kueue: which of them a release has, and whether each is on (Q-483, KV-25).

The table is that of the reference, `feature_gates.json`: the points at which a gate changed, each with a
release, a stage, a default and whether it is locked; a release alone is the removal of the gate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple

from ..base.errors import UsageError, unknown
from .versions import LINE_PARTS, Order, order_of, text_of

_GROUPS: Final = MappingProxyType({"AllAlpha": "Alpha", "AllBeta": "Beta"})
"""Gates that stand for all of a stage which are not set themselves."""
_VALUES: Final = MappingProxyType({"true": True, "false": False})
NO_GATES: Final[Mapping[str, bool]] = MappingProxyType({})


class Gate(NamedTuple):
    """A feature gate in a release."""

    stage: str
    default: bool
    is_locked: bool = False


@cache
def _changes() -> Mapping[str, list[tuple[Order, tuple[str, bool, bool] | None]]]:
    """Return the points of each gate, oldest first; None is its removal."""
    # Read as a file: a run that judges a real Kueue does not load the reference.
    text = files("reference_impl").joinpath("kueue", "feature_gates.json").read_text("utf-8")
    return {
        name: [(order_of(release), tuple(value) or None) for release, *value in points]
        for name, points in json.loads(text)["changes"].items()
    }


def gate_names() -> Iterable[str]:
    """Return the names of the gates that any release has."""
    return _changes().keys()


@cache
def gates_of(order: Order) -> Mapping[str, Gate]:
    """Return the gates of a release; a point of a patch holds in its own line alone, as a backport does."""
    # `0.9` names a line and means its first release.
    release = order if len(order) > LINE_PARTS else (*order, 0)
    gates = {name: _newest(points, release) for name, points in _changes().items()}
    return MappingProxyType({name: Gate(*gate) for name, gate in gates.items() if gate is not None})


def _newest(
    points: Iterable[tuple[Order, tuple[str, bool, bool] | None]], release: Order
) -> tuple[str, bool, bool] | None:
    reached = [
        value
        for point, value in points
        if point <= release and (point[:LINE_PARTS] == release[:LINE_PARTS] or point[LINE_PARTS] <= 0)
    ]
    return reached[-1] if reached else None


def is_enabled(name: str, order: Order, chosen: Mapping[str, bool]) -> bool:
    """Tell whether a gate is on in a release with these choices; False where there is no such gate."""
    if name in chosen:
        return chosen[name]
    gate = gates_of(order).get(name)
    if gate is None:
        return False
    groups = (chosen[group] for group, stage in _GROUPS.items() if group in chosen and stage == gate.stage)
    return gate.default if gate.is_locked else next(groups, gate.default)


def changed_gates(order: Order, chosen: Mapping[str, bool]) -> Mapping[str, bool]:
    """Return the gates that are not at the default of a release, each by itself, and those that it lacks."""
    gates = gates_of(order)
    states = {name: is_enabled(name, order, chosen) for name in gates}
    changed = {name: is_on for name, is_on in states.items() if is_on != gates[name].default}
    lacking = {name: is_on for name, is_on in chosen.items() if name not in gates and name not in _GROUPS}
    return {**changed, **lacking}


def gate_history(name: str) -> str:
    """Return what a gate is since when: `Alpha and off since 0.19.6, Beta and on since 0.20.0`."""
    return ", ".join(f"{_state(value)} since {text_of(point)}" for point, value in _changes()[name])


def _state(value: tuple[str, bool, bool] | None) -> str:
    if value is None:
        return "removed"
    stage, is_on, is_locked = value
    return f"{stage} and {'locked ' if is_locked else ''}{'on' if is_on else 'off'}"


def check_gate_names(names: Iterable[str]) -> None:
    """Raise UsageError for a name that is no gate of any release."""
    for name in names:
        if name not in _changes() and name not in _GROUPS:
            raise unknown("feature gate", name, gate_names())


def check_gates(gates: Mapping[str, bool], order: Order, dialect: str) -> None:
    """Raise UsageError for a gate that a release lacks, or whose value it does not take (KV-25, KV-26)."""
    for name, is_on in gates.items():
        gate = gates_of(order).get(name)
        if gate is None and name not in _GROUPS:
            raise UsageError(
                f"feature gate {name}: dialect {dialect} has none",
                hint=f"{name} is {gate_history(name)}",
            )
        if gate is not None and gate.is_locked and is_on != gate.default:
            raise UsageError(
                f"feature gate {name} cannot be {_word(is_on)}: dialect {dialect} has it locked",
                hint="leave it out",
            )


def read_gates(text: str) -> Mapping[str, bool]:
    """Read `A=true,B=false`, as Kueue does. Raises UsageError for another form."""
    gates: dict[str, bool] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        name, equals, value = pair.partition("=")
        if not equals or value.lower() not in _VALUES:
            raise UsageError(
                f"feature gate {pair!r} is neither on nor off", hint="write NAME=true or NAME=false"
            )
        gates[name] = _VALUES[value.lower()]
    return gates


def _word(is_on: bool) -> str:
    return str(is_on).lower()


def gates_text(gates: Mapping[str, bool]) -> str:
    """Return the text that `read_gates` reads as these."""
    return ",".join(f"{name}={_word(is_on)}" for name, is_on in sorted(gates.items()))
