"""The field `drivers` of a subject file: every problem of it at once, then the ways (harness §10.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from ...base.errors import UsageError, unknown
from ...base.json_types import Json
from ..callables import NotCallable, import_callable, split_callable
from ..fields import Problems, are_texts, strange_places, strangers, wrong
from ..manifests import read_manifests
from . import ASKS, SCOPES, STATES, TIMEOUT, Driver, Drivers, StateDriver
from .decision import WORDS, placeholders_in

EXAMPLE = "for example `ready: {workloadLabels: {acme.io/verdict: ready}}`"
_PLACE = re.compile(r"\$\{\w+\}")
_WORD = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_LABEL = re.compile(rf"([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_WORD}")
_LABEL_VALUE = re.compile(rf"({_WORD})?")
_HTTP = ("method", "url", "body", "headers")
_STATUSES = ("True", "False", "Unknown")
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the declared drivers."""
    if not isinstance(field, Mapping):
        yield wrong("drivers", field, "a mapping from state to driver", EXAMPLE)
        return
    for state, declared in field.items():
        if state not in STATES:
            yield unknown("state of drivers", str(state), STATES, path=f"drivers.{state}")
        if not _is_absent(state, declared):
            yield from _of_way(f"drivers.{state}", declared, folder)
    if field and "ready" not in field:
        yield UsageError("drivers has no entry for ready, which every scenario needs", hint=EXAMPLE)
    asking = [
        state
        for state, declared in field.items()
        if declared == ASKS or (isinstance(declared, Mapping) and ASKS in declared)
    ]
    # The endpoint answers for every state; a second source beside it could contradict it.
    if asking and len(asking) < len(field):
        yield UsageError(
            f"drivers.{asking[0]} asks and another state does not, expected that all ask or none does",
            hint="a subject that asks the verdict endpoint asks about every state",
            path=f"drivers.{asking[0]}",
        )


def drivers(field: Mapping[str, Json], folder: Path) -> Drivers:
    """Return the drivers of a field without problems."""
    by_state = {
        state: _way(declared, folder) for state, declared in field.items() if not _is_absent(state, declared)
    }
    return Drivers(by_state, decides_at_once=len(by_state) < len(field))


def _is_absent(state: str, declared: Json) -> bool:
    """Tell whether a field says that the outside system does not know a state, which Pending alone may be."""
    return state == "pending" and declared is False


def _of_way(where: str, declared: Json, folder: Path) -> Problems:
    if declared == ASKS:
        return
    if not isinstance(declared, Mapping):
        yield wrong(where, declared, "a mapping, or the word asks", EXAMPLE)
        return
    yield from _of_action(where, declared, folder, beside=("timeout", "undo", "scope"))
    if declared.get("scope", SCOPES[0]) not in SCOPES:
        yield unknown(f"scope in {where}", str(declared["scope"]), SCOPES)
    yield from _of_timeout(where, declared)
    undo = declared.get("undo", True)
    if isinstance(undo, Mapping):
        yield from _of_action(f"{where}.undo", undo, folder, beside=("timeout",))
        yield from _of_timeout(f"{where}.undo", undo)
    elif not isinstance(undo, bool):
        yield wrong(
            f"{where}.undo",
            undo,
            "true, false or a driver",
            "for example `undo: {run: [./decide, --forget, '${workload}']}`",
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


# The rows of the table: what is wrong with one, and how it is made


def _asks_problems(where: str, value: Json, folder: Path) -> Problems:
    del folder
    if value is not True:
        yield wrong(where, value, "true", "or write `ready: asks`")


def _asks(value: Json, folder: Path) -> None:
    del value, folder


def _label_problems(where: str, value: Json, folder: Path) -> Problems:
    del folder
    if not are_texts(value):
        yield wrong(where, value, "a mapping from label to text", EXAMPLE)
        return
    for key, text in value.items():
        # A placeholder is filled in with names, which may be in labels.
        if not _LABEL.fullmatch(_PLACE.sub("x", key)) or not _LABEL_VALUE.fullmatch(_PLACE.sub("x", text)):
            yield wrong(where, {key: text}, "a label that Kubernetes accepts", EXAMPLE)


def _labels(value: Json, folder: Path) -> Driver:
    # The rows import on use: a subject file is read by commands that talk to no server (SH-22).
    from .labels import WorkloadLabels

    del folder
    return WorkloadLabels(dict(value))


def _apply_problems(where: str, value: Json, folder: Path) -> Problems:
    if not isinstance(value, str):
        yield wrong(where, value, "the path of a manifest", "for example `apply: deny.yaml`")
        return
    try:
        manifests = read_manifests(folder / value)
    except UsageError as problem:
        yield problem
        return
    yield from strange_places(value, placeholders_in(manifests), WORDS)


def _apply(value: Json, folder: Path) -> Driver:
    from .manifest import ManifestDriver

    return ManifestDriver(read_manifests(folder / value))


def problems_of_command(where: str, value: Json, folder: Path) -> Problems:
    """Yield what is wrong with the words of a command, and why it cannot be run."""
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        yield wrong(where, value, "a list of words", "for example `run: [./decide, '${workload}', ready]`")
        return
    from .command import lack_of

    if not placeholders_in(value[0]) and (reason := lack_of(value[0], folder)):
        yield UsageError(
            f"{where} cannot be run: {value[0]!r}: {reason} (looked for in {folder})",
            hint="the folder of the subject file is the working directory; the file must be executable",
            path=where,
        )


def _run(value: Json, folder: Path) -> Driver:
    from .command import CommandDriver

    return CommandDriver(tuple(value), folder)


def _http_problems(where: str, value: Json, folder: Path) -> Problems:
    del folder
    example = "for example `http: {method: POST, url: 'http://127.0.0.1:8080/verdicts/${workload}', body: {state: ready}}`"
    if not isinstance(value, Mapping):
        yield wrong(where, value, "a mapping with url", example)
        return
    yield from strangers(where, value, _HTTP)
    if not str(value.get("url", "")).startswith(("http://", "https://")):
        yield wrong(f"{where}.url", value.get("url"), "an http address", example)
    if value.get("method", "POST") not in _METHODS:
        yield unknown(f"method in {where}", str(value["method"]), _METHODS, path=f"{where}.method")
    if not are_texts(value.get("headers", {})):
        yield wrong(f"{where}.headers", value["headers"], "a mapping from name to text", example)


def _http(value: Json, folder: Path) -> Driver:
    from .web import HttpDriver

    del folder
    return HttpDriver(**value)


def _python_problems(where: str, value: Json, folder: Path) -> Problems:
    if not isinstance(value, str) or not all(split_callable(value)):
        yield wrong(
            where,
            value,
            "MODULE:CALLABLE",
            "for example `python: decisions:ready`, called as ready(decision, kubeconfig)",
        )
        return
    try:
        import_callable(*split_callable(value), folder)
    except NotCallable as problem:
        yield UsageError(
            f"{where} is {value!r}, which cannot be called: {problem}",
            hint="check the module and the function; modules beside the subject file are found",
            path=where,
        )


def _python(value: Json, folder: Path) -> Driver:
    from .call import CallDriver

    return CallDriver(*split_callable(value), folder)


def _request_problems(where: str, statuses: Json, folder: Path) -> Problems:
    del folder
    if (
        not isinstance(statuses, Mapping)
        or not statuses
        or not all(value in _STATUSES for value in statuses.values())
    ):
        yield wrong(
            where,
            statuses,
            f"a mapping from condition to one of {', '.join(_STATUSES)}",
            'for example `ready: {provisioningRequest: {Accepted: "True", Provisioned: "True"}}`',
        )


def _request(value: Json, folder: Path) -> Driver:
    from .request import RequestStatus

    del folder
    return RequestStatus(dict(value))


Row: TypeAlias = tuple[Callable[[str, Json, Path], Problems], Callable[[Json, Path], Driver | None]]
KINDS: Mapping[str, Row] = {
    ASKS: (_asks_problems, _asks),
    "workloadLabels": (_label_problems, _labels),
    "apply": (_apply_problems, _apply),
    "run": (problems_of_command, _run),
    "http": (_http_problems, _http),
    "python": (_python_problems, _python),
    "provisioningRequest": (_request_problems, _request),
}
