"""A schema ready for use: prune, default, validate, compiled once for each content and shared by the whole process (FK-260…270)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from .correlate import ABSENT
from .defaults import Filler, compile_default
from .fields import FieldError
from .prune import Pruner, compile_prune
from .structural import Structural
from .values import Check, compile_checks

Json = Any


@dataclass(frozen=True)
class Compiled:
    """What a schema means for objects. Every function returns new values and never changes its argument."""

    structural: Structural

    @cached_property
    def _pruner(self) -> Pruner:
        return compile_prune(self.structural.raw)

    @cached_property
    def _filler(self) -> Filler:
        return compile_default(self.structural.raw)

    @cached_property
    def _check(self) -> Check:
        return compile_checks(self.structural.raw)

    def prune(self, value: Json) -> tuple[Json, list[str]]:
        """Return the object without unknown fields, and the paths of what was dropped, sorted."""
        dropped: list[str] = []
        return self._pruner(value, "", dropped), sorted(dropped)

    def default(self, value: Json) -> Json:
        """Return the object with defaults and without nulls that are not nullable."""
        return self._filler(value)

    def validate(self, value: Json, old: Json = None) -> list[FieldError]:
        """Return all violations; `old` is the stored object on update, whose unchanged errors are forgiven."""
        return self.validate_values(value, old)

    def validate_values(self, value: Json, old: Json = None) -> list[FieldError]:
        """Return the violations of types, limits and junctors only."""
        errors: list[FieldError] = []
        self._check(value, "", errors, ABSENT)
        if errors and old is not None:
            errors = []
            self._check(value, "", errors, old)
        return errors


_CACHE: dict[bytes, Compiled] = {}


def compile_schema(raw: Mapping[str, Json]) -> Compiled:
    """Return the compiled form of an OpenAPI v3 schema; equal schemas share one."""
    key = hashlib.blake2b(orjson.dumps(raw), digest_size=16).digest()
    found = _CACHE.get(key)
    if found is None:
        found = _CACHE.setdefault(key, Compiled(Structural.of(raw)))
    return found
