"""A topic: a file of vectors which are asked in order in a namespace of their own (design.md §8, SH-19).

A vector is a request and the answer that the recorded program gave. Requests may refer to `${ns}`, to the
file's `names` and to what earlier vectors captured.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

import yaml

from ..base.json_types import Json
from .peers import Script


class VectorError(Exception):
    """A file of vectors that cannot be used."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """YAML without aliases: each vector reads alone."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - the base class passes it
        """Write every value in full."""
        return True


def _text(dumper: Any, value: str) -> Any:
    """Write text of several lines as lines."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


def dump(content: Json) -> str:
    """Return the text of a recorded file."""
    return str(
        yaml.dump(
            content, Dumper=_Dumper, default_flow_style=None, sort_keys=False, allow_unicode=True, width=140
        )
    )


_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, normalised; the body of a watch is its first events."""

    status: int
    headers: Mapping[str, Json]
    body: Json
    received: Json = None
    """What the topic's peers were asked meanwhile, when the vector wants to know."""

    def json(self) -> dict[str, Json]:
        """Return it as it stands in a file."""
        received = {} if self.received is None else {"received": self.received}
        return {"status": self.status, "headers": dict(self.headers), "body": self.body, **received}


@dataclass(frozen=True, slots=True)
class Vector:
    """One exchange: the request, its user, the rows that it shows, and the recorded answer."""

    id: str
    title: str
    rows: tuple[str, ...]
    ask: str
    user: str = "admin"
    accept: str = "application/json"
    content: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json = None
    capture: Mapping[str, str] = field(default_factory=dict)
    until: str | Mapping[str, str] = ""
    """What to ask again for: a text anywhere in the body, or texts by the part that they have to be in."""
    events: int = 0
    websocket: Sequence[str] | None = None
    """The subprotocols to offer where the answer is asked for over a WebSocket."""
    pick: str = ""
    compare: str = ""
    """What of the picked part is compared, for OpenAPI documents: its `structure`, or a `digest` of that."""
    received: bool = False
    answer: Json = None

    @property
    def method(self) -> str:
        """The request's method."""
        return self.ask.split(" ", 1)[0]

    @property
    def path(self) -> str:
        """The request's path and query."""
        return self.ask.split(" ", 1)[1]

    @classmethod
    def of(cls, raw: Mapping[str, Json], where: str) -> Self:
        """Return a vector from a file. Raises VectorError for unknown or missing keys."""
        names = {field_.name for field_ in fields(cls)}
        unknown = sorted(set(raw) - names)
        missing = sorted({"id", "title", "rows", "ask"} - set(raw))
        if unknown or missing:
            raise VectorError(
                f"{where}: vector {raw.get('id')}: unknown keys {unknown}, missing keys {missing}"
            )
        return cls(**{**raw, "rows": tuple(raw["rows"])})

    def json(self, answer: Json) -> dict[str, Json]:
        """Return it with an answer, as it stands in a file; what equals the default is left out."""
        values = {field_.name: getattr(self, field_.name) for field_ in fields(self)}
        plain = Vector(self.id, self.title, self.rows, self.ask)
        changed_values = {key: value for key, value in values.items() if value != getattr(plain, key)}
        head = {"id": self.id, "title": self.title, "rows": list(self.rows), "ask": self.ask}
        return {**head, **changed_values, "answer": answer}


@dataclass(frozen=True, slots=True)
class Topic:
    """A file of vectors with its provenance."""

    name: str
    recorded: Mapping[str, str]
    names: Mapping[str, str]
    peers: Mapping[str, Json]
    setup: tuple[Json, ...]
    managed_fields: bool
    headers: tuple[str, ...]
    controllers: bool
    """Asked of a cluster with kube-controller-manager and every
    default admission plugin, without scheduler and kubelets.
    """
    vectors: tuple[Vector, ...]

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the topic in a file. Raises VectorError."""
        try:
            text = file.read_text(encoding="utf-8")
            raw = yaml.load(text, Loader=_LOADER)  # noqa: S506 - the loader is a safe one
        except (OSError, yaml.YAMLError) as error:
            raise VectorError(f"{file}: cannot be read as YAML: {error}") from error
        if not isinstance(raw, dict) or not raw.get("vectors"):
            raise VectorError(f"{file}: expected a map with a list `vectors`")
        return cls(
            name=file.stem,
            recorded=raw.get("recorded") or {},
            names=raw.get("names") or {},
            peers=raw.get("peers") or {},
            setup=tuple(raw.get("setup") or ()),
            managed_fields=bool(raw.get("managed_fields")),
            headers=tuple(raw.get("headers") or ()),
            controllers=bool(raw.get("controllers")),
            vectors=tuple(Vector.of(vector, str(file)) for vector in raw["vectors"]),
        )

    def scripts(self, filled: Callable[[str], str]) -> dict[str, Script]:
        """Return the peers of the topic with what their scripts refer to. Raises VectorError."""
        try:
            return {
                name: Script.of(json.loads(filled(json.dumps(raw))), f"{self.name}: peer {name}")
                for name, raw in self.peers.items()
            }
        except ValueError as error:
            raise VectorError(str(error)) from error

    def write(self, file: Path, recorded: Mapping[str, str], answers: Iterable[Answer]) -> None:
        """Write the topic with fresh answers."""
        head = {
            "recorded": dict(recorded),
            "names": dict(self.names),
            "peers": dict(self.peers),
            "setup": list(self.setup),
        }
        options = {
            "managed_fields": self.managed_fields,
            "headers": list(self.headers),
            "controllers": self.controllers,
        }
        vectors = [vector.json(answer.json()) for vector, answer in zip(self.vectors, answers, strict=True)]
        content = {key: value for key, value in (head | options).items() if value} | {"vectors": vectors}
        file.write_text(dump(content), encoding="utf-8")


def topics(folder: Path) -> tuple[Topic, ...]:
    """Return the topics of a folder by name. Raises VectorError when there is none."""
    all_topics = tuple(Topic.read(file) for file in sorted(folder.glob("*.yaml")))
    if not all_topics:
        raise VectorError(f"{folder}: expected a folder with files *.yaml")
    return all_topics
