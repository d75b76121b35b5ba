"""The field `setup` of a subject file: objects that are there before the subject starts (harness §10.2).

setup: {apply: [crds.yaml, config.yaml]}

They are applied with the rights of the harness, so that a controller that wants its configuration at its
first sync needs no script of its own, and no further rights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..base.errors import UsageError
from ..base.json_types import Json
from .fields import Problems, strange_places, strangers, wrong
from .manifests import read_manifests
from .placeholders import placeholders_in

_FIELDS = ("apply",)
_EXAMPLE = "for example `setup: {apply: [config.yaml]}`"


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("setup", field, _FIELDS)
    paths = field.get("apply")
    if not isinstance(paths, list) or not paths or not all(isinstance(path, str) for path in paths):
        yield wrong("setup.apply", paths, "a list of paths", _EXAMPLE)
        return
    for number, path in enumerate(paths):
        try:
            words = placeholders_in(read_manifests(folder / path))
        except UsageError as problem:
            problem.path = problem.path or f"setup.apply[{number}]"
            yield problem
            continue
        yield from strange_places(path, words, ())


def manifests(field: Mapping[str, Json] | None, folder: Path) -> Sequence[Json]:
    """Return the objects of a field that has no problems, none where the field is absent."""
    paths = field["apply"] if field else ()
    return [manifest for path in paths for manifest in read_manifests(folder / path)]
