"""Levels, versions and the policy in the labels of a namespace, as PodSecurity reads them (FK-317)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from ...schema import fields
from ...schema.fields import FieldError

PREFIX = "pod-security.kubernetes.io/"
LEVELS = ("privileged", "baseline", "restricted")
"""From the one that allows everything to the strictest."""
LATEST = -1
"""Stands for the version `latest`, which is newer than any other."""
Mode: TypeAlias = Literal["enforce", "audit", "warn"]
MODES: tuple[Mode, ...] = ("enforce", "audit", "warn")
ONE_OF = f"must be one of {', '.join(LEVELS)}"
VERSION = re.compile(r"v1\.([0-9]|[1-9][0-9]*)", re.ASCII)
A_VERSION = 'must be "latest" or "v1.x"'
MAX_MINOR_VERSION = 2**63 - 1
LABELS = "metadata.labels"


class LevelVersion(Struct, frozen=True):
    """A level as it was in a version of Kubernetes."""

    level: str = "privileged"
    minor: int = LATEST
    """The minor version, or LATEST."""

    def __str__(self) -> str:
        version = "latest" if self.minor == LATEST else f"v1.{self.minor}"
        return f"{self.level}:{version}"

    @property
    def strictness(self) -> int:
        """The place of the level among all of them."""
        return LEVELS.index(self.level)


class Policy(Struct, frozen=True):
    """What a namespace enforces, notes for the audit log, and warns of."""

    enforce: LevelVersion = LevelVersion()
    audit: LevelVersion = LevelVersion()
    warn: LevelVersion = LevelVersion()

    @property
    def is_privileged(self) -> bool:
        """Whether nothing is asked of pods."""
        return all(mode.level == "privileged" for mode in (self.enforce, self.audit, self.warn))


def policy(labels: Mapping[str, str]) -> tuple[Policy, list[FieldError]]:
    """Return the policy in the labels of a namespace, and what is wrong with them.

    A label that says nothing useful enforces the strictest level, and neither warns nor notes.
    """
    errors: list[FieldError] = []
    parsed = {mode: _level_version(mode, labels, errors) for mode in MODES}
    enforce, warn = parsed["enforce"], parsed["warn"]
    explicit = labels.get(f"{PREFIX}enforce") in LEVELS and f"{PREFIX}warn" not in labels
    if explicit and enforce.strictness > warn.strictness:
        minor = warn.minor if f"{PREFIX}warn-version" in labels else enforce.minor
        warn = LevelVersion(enforce.level, minor)
    return Policy(enforce, parsed["audit"], warn), errors


def _level_version(mode: Mode, labels: Mapping[str, str], errors: list[FieldError]) -> LevelVersion:
    level, minor = "privileged", LATEST
    if (value := labels.get(key := f"{PREFIX}{mode}")) is not None:
        level = value
        if value not in LEVELS:
            level = "restricted" if mode == "enforce" else "privileged"
            errors.append(fields.invalid(f"{LABELS}[{key}]", value, ONE_OF))
    if (value := labels.get(key := f"{PREFIX}{mode}-version")) is not None and value != "latest":
        match = VERSION.fullmatch(value)
        if match and int(match[1]) <= MAX_MINOR_VERSION:
            minor = int(match[1])
        else:
            errors.append(fields.invalid(f"{LABELS}[{key}]", value, A_VERSION))
    return LevelVersion(level, minor)
