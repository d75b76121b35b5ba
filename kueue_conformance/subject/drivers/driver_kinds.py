"""What a driver can be: for each word of a subject file what may be wrong with its value, and how the driver
is made (harness §10.2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from ...base.errors import UsageError
from ...base.json_types import Json
from ..callables import NotCallable, import_callable, split_callable
from ..fields import (
    Problems,
    are_texts,
    no_texts,
    problems_of_command,
    problems_of_request,
    strange_places,
    strangers,
    wrong,
)
from ..manifests import read_manifests
from ..placeholders import placeholders_in
from . import ASKS, Driver
from .decision import WORDS

EXAMPLE = "for example `ready: {workloadLabels: {acme.io/verdict: ready}}`"
_PLACE = re.compile(r"\$\{\w+\}")
_WORD = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_LABEL = re.compile(rf"([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_WORD}")
_LABEL_VALUE = re.compile(rf"({_WORD})?")
_HTTP = ("method", "url", "body", "headers")
_FILE = ("path", "content")
_STATUSES = ("True", "False", "Unknown")


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


def _run(value: Json, folder: Path) -> Driver:
    from .command import CommandDriver

    return CommandDriver(tuple(value), folder)


def _http_problems(where: str, value: Json, folder: Path) -> Problems:
    del folder
    example = "for example `http: {method: POST, url: 'http://127.0.0.1:8080/verdicts/${workload}', body: {state: ready}}`"
    yield from problems_of_request(where, value, _HTTP, example)


def _http(value: Json, folder: Path) -> Driver:
    from .web import HttpDriver

    del folder
    return HttpDriver(**value)


def _file_problems(where: str, value: Json, folder: Path) -> Problems:
    del folder
    example = "for example `file: {path: 'verdicts/${workload}', content: '${state}'}`"
    if not isinstance(value, Mapping):
        yield wrong(where, value, "a mapping with path and content", example)
        return
    yield from strangers(where, value, _FILE)
    yield from no_texts(where, value, ("path",), example)
    if not isinstance(value.get("content", ""), str):
        yield wrong(f"{where}.content", value["content"], "a text", example)


def _file(value: Json, folder: Path) -> Driver:
    from .file import FileDriver

    return FileDriver(**value, folder=folder)


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
    "file": (_file_problems, _file),
    "provisioningRequest": (_request_problems, _request),
}
