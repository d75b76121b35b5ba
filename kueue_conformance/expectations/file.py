"""Expectation files: read with their includes, checked against the schema,
all problems reported at once (harness/H-15).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from ..base.errors import UsageError
from ..base.files.yaml_files import parse_file
from ..base.json_types import Json
from ..base.resources import schema
from . import ranges
from .entry import Expectation, Situation

API_VERSION, KIND = "kueue-conformance.dev/v1", "Expectations"
_HINT = "see `kueue-conformance expectations check --schema`"


@dataclass(frozen=True, slots=True)
class Expectations:
    """The entries of files in order, a file's own before those of its includes."""

    files: Sequence[Path] = ()
    entries: Sequence[Expectation] = ()

    @property
    def digest(self) -> str:
        """The hash of the entries."""
        text = json.dumps(
            [
                [entry.id, entry.outcome, entry.clause, entry.reason, entry.issue, str(entry.expires or "")]
                for entry in self.entries
            ]
        )
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def about(self, scenario: str, situation: Situation, today: date) -> list[Expectation]:
        """Return the entry for a case, None without one."""
        return [entry for entry in self.entries if entry.is_about(scenario, situation, today)]


def read(paths: Sequence[Path]) -> Expectations:
    """Return the expectations in files. Raises UsageError with all problems."""
    files: list[Path] = []
    entries: list[Expectation] = []
    wrong: list[str] = []
    queue = [(path, "") for path in paths]
    while queue:
        path, origin = queue.pop(0)
        if path.resolve() in {file.resolve() for file in files}:
            continue
        files.append(path)
        document, root = _parse(path, origin)
        problems = list(_problems(path, document, root))
        wrong += problems
        if not problems:
            queue = [*((path.parent / name, str(path)) for name in document.get("include", ())), *queue]
            entries += _entries(path, document, root)
    if wrong:
        raise UsageError("\n  ".join([f"expectations have {len(wrong)} problem(s)", *wrong]), hint=_HINT)
    return Expectations(tuple(files), tuple(entries))


def _parse(path: Path, origin: str) -> tuple[Json, yaml.Node | None]:
    included = f", included by {origin!r}" if origin else ""
    return parse_file(path, f"expectation file {str(path)!r}{included}", _with_places, wrong=_HINT)


def _with_places(text: str) -> tuple[Json, yaml.Node | None]:
    """Return the values of a text and their positions."""
    return yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)


def _problems(path: Path, document: Json, root: yaml.Node | None) -> Iterator[str]:
    from jsonschema import Draft202012Validator

    if not isinstance(document, dict):
        yield f"{path}:1: is no mapping, expected `apiVersion: {API_VERSION}` and `kind: {KIND}`"
        return
    for error in sorted(
        Draft202012Validator(schema("expectations")).iter_errors(_plain(document)),
        key=lambda problem: list(map(str, problem.absolute_path)),
    ):
        spot = list(error.absolute_path)
        yield f"{path}:{_line(root, spot)}: {'.'.join(map(str, spot)) or 'file'}: {error.message}"
    for number, raw_entry in enumerate(document.get("expectations") or ()):
        yield from _unreadable(f"{path}:{_line(root, ['expectations', number])}", raw_entry)


def _unreadable(where: str, raw_entry: Json) -> Iterator[str]:
    when = raw_entry.get("when") if isinstance(raw_entry, dict) else None
    for key, conditions in (when if isinstance(when, dict) else {}).items():
        for text in _texts(conditions):
            if not ranges.is_valid(text):
                yield f"{where}: when.{key}: {text!r} cannot be read, expected a name or a range such as '>=0.15,<0.18'"


def _entries(path: Path, document: Json, root: yaml.Node | None) -> Iterator[Expectation]:
    for number, raw_entry in enumerate(document.get("expectations") or ()):
        when = {key: _texts(value) for key, value in raw_entry.get("when", {}).items()}
        plain = {key: str(value) for key, value in raw_entry.items() if key not in ("when", "expires")}
        expires = date.fromisoformat(str(raw_entry["expires"])) if "expires" in raw_entry else None
        yield Expectation(
            **plain, when=when, expires=expires, file=str(path), line=_line(root, ["expectations", number])
        )


def _texts(conditions: Json) -> tuple[str, ...]:
    return tuple(map(str, conditions)) if isinstance(conditions, list) else (str(conditions),)


def _plain(value: Json) -> Json:
    """Return YAML values as JSON values: dates become text."""
    return json.loads(json.dumps(value, default=str))


def _line(node: yaml.Node | None, spot: Sequence[Json]) -> int:
    """Return the line of a value, or of its parent where it is missing."""
    if node is None:
        return 1
    for step in spot:
        children = (
            {key.value: value for key, value in node.value}
            if isinstance(node, yaml.MappingNode)
            else dict(enumerate(node.value))
        )
        if step not in children:
            break
        node = children[step]
    return int(node.start_mark.line) + 1
