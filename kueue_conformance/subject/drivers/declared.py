"""The field `drivers` of a subject file: every problem of it at once, then the ways (harness §10.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from ...base.errors import UsageError, unknown
from ...base.json_types import Json
from ..callables import parted
from ..fields import Problems, are_texts, strange_places, strangers
from ..manifests import read_manifests
from . import ASKS, STATES, TIMEOUT, Driver, Drivers, Way
from .words import WORDS, mentioned

EXAMPLE = "for example `ready: {workloadLabels: {acme.io/verdict: ready}}`"
_HTTP = ("method", "url", "body", "headers")
_STATUSES = ("True", "False", "Unknown")
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def problems(said: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the declared drivers."""
    if not isinstance(said, Mapping):
        yield UsageError(f"drivers is {said!r}, expected a mapping from state to driver", hint=EXAMPLE)
        return
    for state, way in said.items():
        if state not in STATES:
            yield unknown("state of drivers", str(state), STATES)
        yield from _of_way(f"drivers.{state}", way, folder)
    if said and "ready" not in said:
        yield UsageError("drivers has no entry for ready, which every scenario needs", hint=EXAMPLE)
    asking = [
        state for state, way in said.items() if way == ASKS or (isinstance(way, Mapping) and ASKS in way)
    ]
    if asking and len(asking) < len(said):
        yield UsageError(
            f"drivers.{asking[0]} asks and another state does not, expected that all ask or none does",
            hint="a subject that asks the verdict endpoint asks about every state",
        )


def drivers(said: Mapping[str, Json], folder: Path) -> Drivers:
    """Return the drivers of a field without problems."""
    return Drivers({state: _way(way, folder) for state, way in said.items()})


def _of_way(where: str, said: Json, folder: Path) -> Problems:
    if said == ASKS:
        return
    if not isinstance(said, Mapping):
        yield UsageError(f"{where} is {said!r}, expected a mapping, or the word asks", hint=EXAMPLE)
        return
    yield from _of_action(where, said, folder, beside=("timeout", "undo"))
    timeout = said.get("timeout", TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        yield UsageError(
            f"{where}.timeout is {timeout!r}, expected seconds above 0", hint="for example `timeout: 10`"
        )
    undo = said.get("undo", True)
    if isinstance(undo, Mapping):
        yield from _of_action(f"{where}.undo", undo, folder, beside=())
    elif not isinstance(undo, bool):
        yield UsageError(
            f"{where}.undo is {undo!r}, expected true, false or a driver",
            hint="for example `undo: {run: [./decide, --forget, '${workload}']}`",
        )


def _of_action(where: str, said: Mapping[str, Json], folder: Path, beside: tuple[str, ...]) -> Problems:
    actions = [key for key in said if key in KINDS]
    for key in said:
        if key not in KINDS and key not in beside:
            yield unknown(f"driver in {where}", str(key), [*KINDS, *beside])
    if len(actions) != 1:
        found = f"has {' and '.join(actions)}" if actions else "says nothing that could be done"
        yield UsageError(f"{where} {found}, expected one of {', '.join(KINDS)}", hint=EXAMPLE)
    for kind in actions:
        yield from KINDS[kind][0](f"{where}.{kind}", said[kind], folder)
        yield from strange_places(where, mentioned(said[kind]), WORDS)


def _way(said: Json, folder: Path) -> Way:
    if said == ASKS:
        return Way(driver=None)
    undo = said.get("undo", True)
    return Way(
        driver=_action(said, folder),
        undo=_action(undo, folder) if isinstance(undo, Mapping) else None,
        stays=undo is False,
        timeout=float(said.get("timeout", TIMEOUT)),
    )


def _action(said: Mapping[str, Json], folder: Path) -> Driver | None:
    kind = next(key for key in said if key in KINDS)
    return KINDS[kind][1](said[kind], folder)


# The rows of the table: what is wrong with one, and how it is made


def _asks_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    if said is not True:
        yield UsageError(f"{where} is {said!r}, expected true", hint="or write `ready: asks`")


def _asks(said: Json, folder: Path) -> None:
    del said, folder


def _label_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    if not are_texts(said):
        yield UsageError(f"{where} is {said!r}, expected a mapping from label to text", hint=EXAMPLE)


def _labels(said: Json, folder: Path) -> Driver:
    from .labels import WorkloadLabels

    del folder
    return WorkloadLabels(dict(said))


def _apply_problems(where: str, said: Json, folder: Path) -> Problems:
    if not isinstance(said, str):
        yield UsageError(
            f"{where} is {said!r}, expected the path of a manifest", hint="for example `apply: deny.yaml`"
        )
        return
    try:
        manifests = read_manifests(folder / said)
    except UsageError as problem:
        yield problem
        return
    yield from strange_places(said, mentioned(manifests), WORDS)


def _apply(said: Json, folder: Path) -> Driver:
    from .manifest import Apply

    return Apply(read_manifests(folder / said))


def _run_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    if not isinstance(said, list) or not said or not all(isinstance(one, str) for one in said):
        yield UsageError(
            f"{where} is {said!r}, expected a list of words",
            hint="for example `run: [./decide, '${workload}', ready]`",
        )


def _run(said: Json, folder: Path) -> Driver:
    from .command import Run

    return Run(tuple(said), folder)


def _http_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    example = "for example `http: {method: POST, url: 'http://127.0.0.1:8080/verdicts/${workload}', body: {state: ready}}`"
    if not isinstance(said, Mapping):
        yield UsageError(f"{where} is {said!r}, expected a mapping with url", hint=example)
        return
    yield from strangers(where, said, _HTTP)
    if not str(said.get("url", "")).startswith(("http://", "https://")):
        yield UsageError(f"{where}.url is {said.get('url')!r}, expected an http address", hint=example)
    if said.get("method", "POST") not in _METHODS:
        yield unknown(f"method in {where}", str(said["method"]), _METHODS)
    if not are_texts(said.get("headers", {})):
        yield UsageError(
            f"{where}.headers is {said['headers']!r}, expected a mapping from name to text", hint=example
        )


def _http(said: Json, folder: Path) -> Driver:
    from .web import Http

    del folder
    return Http(**said)


def _python_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    if not isinstance(said, str) or not all(parted(said)):
        yield UsageError(
            f"{where} is {said!r}, expected MODULE:CALLABLE",
            hint="for example `python: decisions:ready`, called as ready(decision, kubeconfig)",
        )


def _python(said: Json, folder: Path) -> Driver:
    from .call import Call

    return Call(*parted(said), folder)


def _request_problems(where: str, said: Json, folder: Path) -> Problems:
    del folder
    if not isinstance(said, Mapping) or not said or not all(value in _STATUSES for value in said.values()):
        yield UsageError(
            f"{where} is {said!r}, expected a mapping from condition to one of {', '.join(_STATUSES)}",
            hint='for example `ready: {provisioningRequest: {Accepted: "True", Provisioned: "True"}}`',
        )


def _request(said: Json, folder: Path) -> Driver:
    from .request import RequestStatus

    del folder
    return RequestStatus(dict(said))


Row: TypeAlias = tuple[Callable[[str, Json, Path], Problems], Callable[[Json, Path], Driver | None]]
KINDS: Mapping[str, Row] = {
    ASKS: (_asks_problems, _asks),
    "workloadLabels": (_label_problems, _labels),
    "apply": (_apply_problems, _apply),
    "run": (_run_problems, _run),
    "http": (_http_problems, _http),
    "python": (_python_problems, _python),
    "provisioningRequest": (_request_problems, _request),
}
