"""What is said about a subject: on the command line, or in a subject file (harness §10.2, H-07)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import yaml

from ..capability import Capability
from ..errors import UsageError, unknown

Json: TypeAlias = Any
API_VERSION = "kueue-conformance.dev/v1"
_FIELDS = ("apiVersion", "kind", "connect", "controllerName", "implementation", "capabilities")
_IMPLEMENTATION = ("organization", "project", "url", "version", "contact")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A subject: how to reach it, which checks it answers for, whose it is, what it claims (None: nothing is said)."""

    connect: str
    controller_name: str
    implementation: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    capabilities: frozenset[Capability] | None = None

    def lacks(self, wanted: Iterable[Capability]) -> str:
        """Return the first capability that is wanted and not claimed, empty when there is none."""
        claimed = self.capabilities
        return next((str(one) for one in wanted if claimed is not None and one not in claimed), "")


def declare(connect: str, file: str, controller_name: str) -> Declaration | None:
    """Return the subject that the options name, None when they name none. Raises UsageError."""
    if not connect and not file:
        return None
    said = _read(file) if file else {}
    name = controller_name or said.get("controllerName", "")
    where = connect or said.get("connect", "")
    if not where:
        raise UsageError(
            f"subject file {file!r} lacks connect", hint="add `connect: process:COMMAND`, or use --subject"
        )
    if not name:
        raise UsageError(
            "it is not said which controller name the subject answers for",
            hint="add --controller-name acme.io/budget, or controllerName in the subject file",
        )
    claimed = frozenset(map(_capability, said["capabilities"])) if "capabilities" in said else None
    return Declaration(
        connect=where,
        controller_name=name,
        implementation=said.get("implementation", {}),
        capabilities=claimed,
    )


def _read(path: str) -> Mapping[str, Any]:
    try:
        said = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(
            f"subject file {path!r} cannot be read: {problem.strerror}", hint="check the path"
        ) from problem
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"subject file {path!r} is not YAML: {str(problem).splitlines()[0]}",
            hint="see examples/check_controllers",
        ) from problem
    if not isinstance(said, dict) or (said.get("apiVersion"), said.get("kind")) != (API_VERSION, "Subject"):
        raise UsageError(
            f"{path!r} is not a subject file",
            hint=f"begin it with `apiVersion: {API_VERSION}` and `kind: Subject`",
        )
    _known("field of a subject file", said, _FIELDS)
    _shape(path, said)
    _known("field of implementation", said.get("implementation", {}), _IMPLEMENTATION)
    return said


def _shape(path: str, said: Mapping[str, Any]) -> None:
    shapes = {"connect": str, "controllerName": str, "implementation": dict, "capabilities": list}
    for name, shape in shapes.items():
        if name in said and not isinstance(said[name], shape):
            raise UsageError(
                f"subject file {path!r}: {name} is {said[name]!r}, expected a {_WORDS[shape]}",
                hint="see examples/check_controllers for a file that works",
            )


_WORDS = {str: "text", dict: "mapping", list: "list"}


def _known(what: str, said: Iterable[str], known: Sequence[str]) -> None:
    for name in said:
        if name not in known:
            raise unknown(what, str(name), known)


def _capability(word: Json) -> Capability:
    try:
        return Capability(word)
    except ValueError:
        raise unknown("capability", str(word), list(map(str, Capability))) from None
