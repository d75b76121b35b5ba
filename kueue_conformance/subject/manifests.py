"""Manifests that a subject file names: objects of any kind in a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from ..base.errors import UsageError
from ..base.files import input_limits
from ..base.files.yaml_files import yaml_fault
from ..base.json_types import Json
from .worker_words import fill_worker_words

LOADER = input_limits.LOADER


def read_manifests(path: Path) -> list[Json]:
    """Return the objects of a YAML file. Raises UsageError when it cannot be read or holds something else."""
    try:
        text = input_limits.content(path, input_limits.LONGEST_YAML).decode()
        # Before the parser: aliases of aliases grow to any size in it.
        input_limits.check_yaml(text)
        # A `---` at the end of a file makes an empty document, which is no mistake.
        objects = [document for document in yaml.load_all(text, Loader=LOADER) if document is not None]
    except OSError as problem:
        raise UsageError(
            f"manifest {str(path)!r} cannot be read: {problem.strerror}",
            hint="paths start at the subject file's folder",
        ) from problem
    except (yaml.YAMLError, ValueError) as problem:
        raise UsageError(
            f"manifest {str(path)!r} is not YAML: {yaml_fault(problem)}", hint="correct that line"
        ) from problem
    for document in objects:
        if not _is_object(document):
            raise UsageError(
                f"manifest {str(path)!r} has something that is no object",
                hint="each document needs apiVersion, kind and metadata.name",
            )
    if not objects:
        raise UsageError(f"manifest {str(path)!r} is empty", hint="add at least one object")
    filled: list[Json] = fill_worker_words(objects)
    return filled


def _is_object(document: Json) -> bool:
    if not isinstance(document, Mapping) or not {"apiVersion", "kind", "metadata"} <= document.keys():
        return False
    return isinstance(document["metadata"], Mapping) and bool(document["metadata"].get("name"))
