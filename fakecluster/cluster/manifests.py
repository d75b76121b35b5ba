"""Objects from files: YAML or JSON, one or many documents, a file or a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from ..base.json_types import Json
from ..patch.json.nesting import MAX_DEPTH
from .applied_objects import ManifestError, flatten

__all__ = ["ManifestError", "load"]

SUFFIXES = (".yaml", ".yml", ".json")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML as Kubernetes reads it: dates stay text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load(path: Path) -> list[Json]:
    """Return the objects of a file, or of the manifests in a folder by name.

    Raises OSError or ManifestError.
    """
    files = _manifests_in(path) if path.is_dir() else [path]
    return [obj for file in files for obj in _objects(file)]


def _manifests_in(folder: Path) -> list[Path]:
    files = sorted(file for file in folder.iterdir() if file.suffix in SUFFIXES)
    if not files:
        raise ManifestError(f"{folder}: no file in this folder ends with {', '.join(SUFFIXES)}")
    return files


def _objects(file: Path) -> Iterator[Json]:
    try:
        text = file.read_text(encoding="utf-8")
        # Before the parser, which calls itself for each level and dies of deep documents.
        _check_depth(file, text)
        documents = list(yaml.load_all(text, Loader=_Loader))
    except (yaml.YAMLError, ValueError) as error:
        raise ManifestError(f"{file}: not YAML: {' '.join(str(error).split())}") from error
    for document in filter(None, documents):
        yield from flatten(document, f"{file}: a document")


def _check_depth(file: Path, text: str) -> None:
    """Look at the events first, which need no stack: the parser itself dies of deep documents."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ManifestError(f"{file}: a document nests deeper than {MAX_DEPTH} levels")
