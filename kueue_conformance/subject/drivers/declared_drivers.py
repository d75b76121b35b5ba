"""The field `drivers` of a subject file: every problem of it at once, then the ways (harness §10.2)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ...base.errors import UsageError, unknown
from ...base.json_types import Json
from ..fields import Problems, strange_places, wrong
from ..placeholders import placeholders_in
from . import (
    ALWAYS,
    ASKS,
    RECOVERY,
    SCOPES,
    STATES,
    TIMEOUT,
    TROUBLE,
    VERDICTS,
    Driver,
    Drivers,
    NoDriver,
    StateDriver,
)
from .command import scripts_of
from .decision import WORDS
from .driver_kinds import EXAMPLE, KINDS

TROUBLE_EXAMPLE = "for example `trouble: {run: [./service, stop]}` and `recovery: {run: [./service, start]}`"
_VARIABLE = "KUEUE_CONFORMANCE_WORKLOAD"


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the declared drivers."""
    if not isinstance(field, Mapping):
        yield wrong("drivers", field, "a mapping from state to driver", EXAMPLE)
        return
    for name in field:
        if name not in (*STATES, TROUBLE, RECOVERY):
            yield unknown("state of drivers", str(name), (*STATES, TROUBLE, RECOVERY), path=f"drivers.{name}")
    states = {name: declared for name, declared in field.items() if name not in (TROUBLE, RECOVERY)}
    for state, declared in states.items():
        if not _is_absent(state, declared):
            yield from _of_way(f"drivers.{state}", declared, folder)
    if field and not any(state in field for state in VERDICTS):
        yield UsageError(
            f"drivers has no entry for {', '.join(VERDICTS[:-1])} or {VERDICTS[-1]}, expected at least one verdict that the subject can say",
            hint=EXAMPLE,
            path="drivers",
        )
    yield from _of_other_sources(field)
    yield from _of_fixed_state(states)
    yield from _of_trouble(field, folder)


def _of_other_sources(field: Mapping[str, Json]) -> Problems:
    asking = [
        state
        for state, declared in field.items()
        if declared == ASKS or (isinstance(declared, Mapping) and ASKS in declared)
    ]
    # The endpoint answers for every state; a second source beside it could contradict it.
    if asking and len(asking) < len(field):
        yield UsageError(
            f"drivers.{asking[0]} asks and another state does not, expected that all ask or none does",
            hint="a subject that asks the verdict endpoint asks about every state, and its outages are brought about there",
            path=f"drivers.{asking[0]}",
        )


def _of_fixed_state(states: Mapping[str, Json]) -> Problems:
    """Yield a state that the subject is always in, beside other states."""
    fixed = [state for state, declared in states.items() if declared == ALWAYS]
    others = [
        state
        for state, declared in states.items()
        if state not in fixed[:1] and not _is_absent(state, declared)
    ]
    if fixed and others:
        yield UsageError(
            f"drivers.{fixed[0]} is {ALWAYS} and drivers has {others[0]} as well, expected no other state",
            hint=f"leave {others[0]} out, or say what makes the subject say {fixed[0]}",
            path=f"drivers.{fixed[0]}",
        )


def _of_trouble(field: Mapping[str, Json], folder: Path) -> Problems:
    """Yield what is wrong with the outage of the outside system, and with its end."""
    if TROUBLE not in field:
        if RECOVERY in field:
            yield UsageError(
                "drivers has recovery without trouble, expected an outage that it ends",
                hint=TROUBLE_EXAMPLE,
                path="drivers.recovery",
            )
        return
    mistakes: list[UsageError] = []
    for name in (TROUBLE, RECOVERY):
        declared = field.get(name)
        if name in field and not isinstance(declared, Mapping):
            mistakes.append(wrong(f"drivers.{name}", declared, "a driver", TROUBLE_EXAMPLE))
    mistakes = mistakes or [
        *_of_way(f"drivers.{TROUBLE}", field[TROUBLE], folder),
        *(_of_undo(f"drivers.{RECOVERY}", field[RECOVERY], folder) if RECOVERY in field else ()),
    ]
    yield from mistakes
    if mistakes:
        return
    if RECOVERY in field and isinstance(field[TROUBLE].get("undo"), Mapping):
        yield UsageError(
            "drivers.trouble.undo and drivers.recovery both end the outage, expected one of them",
            hint="leave undo out",
            path="drivers.recovery",
        )
    elif ASKS not in field[TROUBLE] and not _outage(field, folder).can_be_undone:
        yield UsageError(
            "drivers.trouble begins an outage that nothing ends, expected recovery beside it",
            hint=TROUBLE_EXAMPLE,
            path="drivers.trouble",
        )


def drivers(field: Mapping[str, Json], folder: Path) -> Drivers:
    """Return the drivers of a field without problems."""
    states = {state: declared for state, declared in field.items() if state in STATES}
    by_state = {
        state: _way(declared, folder) for state, declared in states.items() if not _is_absent(state, declared)
    }
    return Drivers(
        by_state,
        decides_at_once=len(by_state) < len(states),
        trouble=_outage(field, folder) if TROUBLE in field else None,
    )


def _outage(field: Mapping[str, Json], folder: Path) -> StateDriver:
    """Return what begins an outage, with what ends it as its undo."""
    undo = {"undo": field[RECOVERY]} if RECOVERY in field else {}
    return _way({**field[TROUBLE], **undo}, folder)


def _is_absent(state: str, declared: Json) -> bool:
    """Tell whether a field says that the outside system does not know a state, which Pending alone may be."""
    return state == "pending" and declared is False


def _of_way(where: str, declared: Json, folder: Path) -> Problems:
    if declared == ASKS or (declared == ALWAYS and where.rpartition(".")[2] in VERDICTS):
        return
    if not isinstance(declared, Mapping):
        yield wrong(where, declared, "a mapping, or the word asks", EXAMPLE)
        return
    yield from _of_action(where, declared, folder, beside=("timeout", "undo", "scope"))
    if declared.get("scope", SCOPES[0]) not in SCOPES:
        yield unknown(f"scope in {where}", str(declared["scope"]), SCOPES)
    elif "scope" not in declared:
        yield from _of_unclear_scope(where, declared.get("run"), folder)
    yield from _of_timeout(where, declared)
    undo = declared.get("undo", True)
    if isinstance(undo, Mapping):
        yield from _of_undo(f"{where}.undo", undo, folder)
    elif not isinstance(undo, bool):
        yield wrong(
            f"{where}.undo",
            undo,
            "true, false or a driver",
            "for example `undo: {run: [./decide, --forget, '${workload}']}`",
        )


def _of_undo(where: str, declared: Mapping[str, Json], folder: Path) -> Problems:
    """Yield what is wrong with a driver that takes something back."""
    yield from _of_action(where, declared, folder, beside=("timeout",))
    yield from _of_timeout(where, declared)


def _of_unclear_scope(where: str, argv: Json, folder: Path) -> Problems:
    """Yield a command that mentions no Workload, where a script that it names reads which one is meant."""
    if not isinstance(argv, list) or not all(isinstance(word, str) for word in argv):
        return
    if any(word in text for text in argv for word in ("${workload}", _VARIABLE)):
        return
    for script, text in scripts_of(argv, folder):
        if _VARIABLE in text:
            yield UsageError(
                f"{where}.run mentions no Workload, so that it decides about all of them, and {script!r} reads {_VARIABLE}",
                hint="say `scope: workload` beside run, or `scope: global`",
                path=where,
            )


def _of_timeout(where: str, declared: Mapping[str, Json]) -> Problems:
    timeout = declared.get("timeout", TIMEOUT)
    # In Python True is an int.
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        yield wrong(f"{where}.timeout", timeout, "seconds above 0", "for example `timeout: 10`")


def _of_action(where: str, declared: Mapping[str, Json], folder: Path, beside: tuple[str, ...]) -> Problems:
    actions = [key for key in declared if key in KINDS]
    for key in declared:
        if key not in KINDS and key not in beside:
            yield unknown(f"driver in {where}", str(key), [*KINDS, *beside], path=f"{where}.{key}")
    # Two actions have no order in a mapping, and none decides nothing.
    if len(actions) != 1:
        finding = f"has {' and '.join(actions)}" if actions else "says nothing that could be done"
        yield UsageError(f"{where} {finding}, expected one of {', '.join(KINDS)}", hint=EXAMPLE, path=where)
    for kind in actions:
        yield from KINDS[kind][0](f"{where}.{kind}", declared[kind], folder)
        yield from strange_places(where, placeholders_in(declared[kind]), WORDS)


def _way(declared: Json, folder: Path) -> StateDriver:
    if declared == ASKS:
        return StateDriver(driver=None)
    if declared == ALWAYS:
        return StateDriver(driver=NoDriver(), stays=True)
    undo = declared.get("undo", True)
    timeout = float(declared.get("timeout", TIMEOUT))
    return StateDriver(
        driver=_action(declared, folder),
        undo=_action(undo, folder) if isinstance(undo, Mapping) else None,
        stays=undo is False,
        timeout=timeout,
        undo_timeout=float(undo.get("timeout", timeout)) if isinstance(undo, Mapping) else timeout,
        scope=declared.get("scope", ""),
    )


def _action(declared: Mapping[str, Json], folder: Path) -> Driver | None:
    kind = next(key for key in declared if key in KINDS)
    return KINDS[kind][1](declared[kind], folder)
