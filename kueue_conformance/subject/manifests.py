"""Manifests that a subject file names: objects of any kind in a YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from ..base.errors import UsageError
from ..base.files import input_limits
from ..base.json_types import Json

LOADER = input_limits.LOADER


def read_manifests(path: Path) -> list[Json]:
    """Return the objects of a YAML file. Raises UsageError when it cannot be read or holds something else."""
    try:
        text = input_limits.content(path, input_limits.LONGEST_YAML).decode()
        input_limits.check_yaml(text)
        found = [one for one in yaml.load_all(text, Loader=LOADER) if one is not None]
    except OSError as problem:
        raise UsageError(
            f"manifest {str(path)!r} cannot be read: {problem.strerror}",
            hint="paths start at the subject file's folder",
        ) from problem
    except (yaml.YAMLError, ValueError) as problem:
        raise UsageError(
            f"manifest {str(path)!r} is not YAML: {input_limits.shown(str(problem).splitlines()[0])}",
            hint="check the file",
        ) from problem
    for one in found:
        if not _is_object(one):
            raise UsageError(
                f"manifest {str(path)!r} has something that is no object",
                hint="each document needs apiVersion, kind and metadata.name",
            )
    if not found:
        raise UsageError(f"manifest {str(path)!r} is empty", hint="add at least one object")
    return found


def _is_object(one: Json) -> bool:
    if not isinstance(one, Mapping) or not {"apiVersion", "kind", "metadata"} <= one.keys():
        return False
    return isinstance(one["metadata"], Mapping) and bool(one["metadata"].get("name"))
