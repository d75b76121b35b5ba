"""The field `effects` of a subject file: how its work outside is seen (harness §10.2).

effects: {apiVersion: v1, kind: ConfigMap, by: owner}
effects: {apiVersion: example.com/v1, kind: Lease, by: label, label: example.com/workload}
effects: {claims: true}
effects: {http: {url: "http://127.0.0.1:8080/licenses?workload=${namespace}/${workload}"}}
effects: {run: [./licenses-of, "${namespace}/${workload}"]}
effects: {files: "licenses/${namespace}.${workload}*"}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..base.errors import UsageError, unknown
from ..base.json_types import Json
from .fields import (
    Problems,
    no_texts,
    problems_of_command,
    problems_of_request,
    strange_places,
    strangers,
    wrong,
)
from .outside_work import OutsideWork
from .outside_work.claims import ClaimWork
from .outside_work.listings import CommandWork, FileWork, ServiceWork
from .outside_work.objects import ObjectWork
from .placeholders import placeholders_in

_OBJECT_FIELDS = ("apiVersion", "kind", "by", "label")
_OTHER_WAYS = ("claims", "http", "run", "files")
FIELDS = (*_OBJECT_FIELDS, *_OTHER_WAYS)
_KNOWN_BY = ("owner", "label")
_WORDS = ("namespace", "workload")
_EXAMPLE = "for example `effects: {apiVersion: v1, kind: ConfigMap, by: owner}`, or `effects: {claims: true}`"


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("effects", field, FIELDS)
    ways = [way for way in _OTHER_WAYS if way in field]
    beside = [key for key in _OBJECT_FIELDS if key in field] if ways else []
    if len(ways) > 1 or beside:
        yield UsageError(
            f"effects has {' and '.join([*beside[:1], *ways])}, expected one way to see outside work",
            hint="keep one of them",
            path="effects",
        )
    elif ways:
        yield from _PROBLEMS[ways[0]](field[ways[0]], folder)
    else:
        yield from _problems_of_objects(field)


def _problems_of_objects(field: Json) -> Problems:
    yield from no_texts("effects", field, ("apiVersion", "kind"), _EXAMPLE)
    by = field.get("by", "owner")
    if by not in _KNOWN_BY:
        yield unknown("value of effects.by", str(by), _KNOWN_BY, path="effects.by")
    if by == "label" and not isinstance(field.get("label"), str):
        yield wrong(
            "effects.label",
            field.get("label"),
            "the label that has the Workload's name as its value",
            "or write `by: owner`",
        )


def _problems_of_claims(value: Json, folder: Path) -> Problems:
    del folder
    if value is not True:
        yield wrong(
            "effects.claims",
            value,
            "true",
            "the subject claims and releases at KUEUE_CONFORMANCE_CLAIMS_URL; leave effects out if it does not",
        )


def _problems_of_service(value: Json, folder: Path) -> Problems:
    del folder
    example = 'for example `http: {url: "http://127.0.0.1:8080/licenses?workload=${namespace}/${workload}"}`'
    yield from problems_of_request("effects.http", value, ("url", "headers"), example)
    if isinstance(value, Mapping):
        yield from _problems_of_places("effects.http", value.get("url"), example)


def _problems_of_command(value: Json, folder: Path) -> Problems:
    word_problems = list(problems_of_command("effects.run", value, folder))
    yield from word_problems
    if not word_problems:
        yield from _problems_of_places(
            "effects.run", value, 'for example `run: [./licenses-of, "${namespace}/${workload}"]`'
        )


def _problems_of_files(value: Json, folder: Path) -> Problems:
    del folder
    example = 'for example `files: "licenses/${namespace}.${workload}*"`'
    if not isinstance(value, str) or not value:
        yield wrong("effects.files", value, "a pattern", example)
        return
    yield from _problems_of_places("effects.files", value, example)


def _problems_of_places(where: str, value: Json, example: str) -> Problems:
    mentioned = placeholders_in(value)
    yield from strange_places(where, mentioned, _WORDS)
    # A list for all Workloads would tell work of one for work of another.
    if "workload" not in mentioned:
        yield UsageError(
            f"{where} does not say ${{workload}}, expected a list for one Workload", hint=example
        )


_PROBLEMS: Mapping[str, Callable[[Json, Path], Problems]] = {
    "claims": _problems_of_claims,
    "http": _problems_of_service,
    "run": _problems_of_command,
    "files": _problems_of_files,
}


def outside_work(field: Mapping[str, Json] | None, folder: Path) -> OutsideWork | None:
    """Return how outside work is seen, by a field that has no problems; None where the field is absent."""
    if not field:
        return None
    if "claims" in field:
        return ClaimWork()
    if "http" in field:
        return ServiceWork(url=field["http"]["url"], headers=field["http"].get("headers", {}))
    if "run" in field:
        return CommandWork(tuple(field["run"]), folder)
    if "files" in field:
        return FileWork(field["files"], folder)
    label = field["label"] if field.get("by") == "label" else ""
    return ObjectWork(api_version=field["apiVersion"], kind=field["kind"], label=label)
