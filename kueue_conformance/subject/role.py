"""The field `rbac` of a subject file: a manifest with the Roles and ClusterRoles that the subject runs under (CC-078, harness/N-09).

rbac: deploy/role.yaml
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ..errors import UsageError
from .fields import Problems
from .manifests import LOADER

Json: TypeAlias = Any
_KINDS = ("Role", "ClusterRole")


def problems(said: Json, folder: Path) -> Problems:
    """Return what is wrong with the field."""
    try:
        rules(said, folder)
    except OSError as problem:
        yield UsageError(
            f"rbac names {said!r}, which cannot be read: {problem.strerror}",
            hint="paths begin at the subject file",
        )
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        yield UsageError(
            f"rbac names {said!r}, which is not YAML: {str(problem).splitlines()[0]}",
            hint="name a manifest with a ClusterRole",
        )
    except LookupError:
        yield UsageError(
            f"rbac names {said!r}, which has neither a Role nor a ClusterRole",
            hint="name a manifest with a ClusterRole",
        )


def rules(path: str, folder: Path) -> Sequence[Json]:
    """Return the rules of every role in a manifest. Raises OSError, YAMLError, LookupError when there is none."""
    documents = yaml.load_all((folder / path).read_text(encoding="utf-8"), Loader=LOADER)
    roles = [one for one in documents if isinstance(one, dict) and one.get("kind") in _KINDS]
    if not roles:
        raise LookupError(path)
    return tuple(rule for one in roles for rule in one.get("rules") or ())
