"""What a level has against a pod (FK-317)."""

from __future__ import annotations

from functools import cache

from ...base.json_types import Json
from .baseline import CheckPod
from .checks import BASELINE, NEWEST_VERSION, RESTRICTED, Check
from .levels import LATEST, LevelVersion
from .violations import Violation


def violations(level: LevelVersion, metadata: Json, spec: Json) -> list[Violation]:
    """Return what a level has against a pod or a template, in the order of the checks."""
    if level.level == "privileged":
        return []
    minor = NEWEST_VERSION if level.minor == LATEST else min(level.minor, NEWEST_VERSION)
    annotations = metadata.get("annotations") or {}
    return [violation for check in _checks(level.level, minor) if (violation := check(annotations, spec))]


@cache
def _checks(level: str, minor: int) -> tuple[CheckPod, ...]:
    checks: tuple[Check, ...] = BASELINE
    if level == "restricted":
        stricter = tuple(check for check in RESTRICTED if check.at(minor))
        overridden = {check.overrides for check in stricter}
        checks = (*(check for check in BASELINE if check.name not in overridden), *stricter)
    return tuple(check_pod for check in checks if (check_pod := check.at(minor)))
