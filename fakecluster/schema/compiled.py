"""A schema ready for use: prune, default, validate (FK-260…270).

It is compiled once for each content and shared by every cluster of the process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property

import orjson
from msgspec import Struct

from ..base.json_types import Json
from . import embedded, unique
from .cel.rules import Judge, RuleReport, ValueLocation, compile_root_rules
from .correlate import NO_OLD_VALUE
from .defaults import Filler, compile_default
from .fields import FieldError
from .identity_cache import IdentityCache
from .prune import Pruner, compile_prune
from .structural import Structural
from .values import Check, compile_root

EmbeddedErrors = Callable[[Json, str], list[FieldError]]
"""(embedded resource, path) → what is wrong with its metadata."""
FurtherRule = Callable[[Json], list[FieldError]]
"""Object → what is wrong with it that no schema says."""

BLOCKING_REASONS = frozenset(
    {
        "FieldValueNotSupported",
        "FieldValueRequired",
        "FieldValueTooLong",
        "FieldValueTooMany",
        "FieldValueTypeInvalid",
    }
)
"""After one of these a rule may meet values it was not written for, so no rule runs (FK-270)."""
NOT_CHECKED = FieldError(
    "FieldValueInvalid",
    "<nil>",
    "Invalid value: null: some validation rules were not checked because the object was invalid;"
    " correct the existing errors to complete validation",
)


class CompiledSchema(Struct, frozen=True, dict=True):
    """What a schema means for objects. Every function returns new values and never changes its argument."""

    structural: Structural

    @cached_property
    def _pruner(self) -> Pruner:
        return compile_prune(self.structural.raw)

    @cached_property
    def _filler(self) -> Filler:
        return compile_default(self.structural.raw)

    @cached_property
    def _filler_beside_nulls(self) -> Filler:
        return compile_default(self.structural.raw, drops=False)

    @cached_property
    def _check(self) -> Check:
        return compile_root(self.structural.raw)

    @cached_property
    def _good(self) -> IdentityCache:
        """The object that was found good last: an update asks for its violations twice."""
        return IdentityCache(1)

    @cached_property
    def _unique(self) -> unique.Check | None:
        return unique.compile_unique(self.structural.raw)

    @cached_property
    def _rules(self) -> Judge | None:
        return compile_root_rules(self.structural.raw)

    @cached_property
    def walk_embedded(self) -> embedded.Walk | None:
        """How to visit the resources that objects of this schema embed; None when there are none."""
        return embedded.compile_walk(self.structural.raw)

    @cached_property
    def status(self) -> CompiledSchema:
        """The schema of the status alone."""
        return compile_schema((self.structural.raw.get("properties") or {}).get("status") or {})

    def prune(self, value: Json) -> tuple[Json, list[str]]:
        """Return the object without unknown fields, and the paths of what was dropped, sorted."""
        dropped: list[str] = []
        return self._pruner(value, "", dropped), sorted(dropped)

    def default(self, value: Json) -> Json:
        """Return the object with defaults and without nulls that are not nullable."""
        # Null stands for an absent member when there is a default to put in its place (FK-261).
        return self._filler(value)

    def default_beside_nulls(self, value: Json) -> Json:
        """Return the object with defaults, also in the place of nulls; those without a default stay."""
        return self._filler_beside_nulls(value)

    def validate(
        self,
        value: Json,
        old: Json = None,
        *,
        metadata: EmbeddedErrors | None = None,
        beside: FurtherRule | None = None,
    ) -> list[FieldError]:
        """Return all violations;
        `old` is the stored object on update, whose unchanged errors are forgiven.
        """
        errors = self.values(value, old)
        return self._rest([*errors, *beside(value)] if beside else errors, value, old, metadata)

    def validate_status(
        self,
        value: Json,
        old: Json,
        *,
        metadata: EmbeddedErrors | None = None,
        beside: FurtherRule | None = None,
    ) -> list[FieldError]:
        """Return the violations of an update of the status,
        whose values are judged by the status' own schema.
        """
        errors = []
        # An object without any violation has none in its status; members found good are not checked again.
        if "status" in value and self.values(value):
            status_errors = self.status.values(value["status"], (old or {}).get("status"))
            errors = [below("status", error) for error in status_errors]
        errors.extend(beside(value) if beside else ())
        return self._rest(errors, value, old, metadata)

    def values(self, value: Json, old: Json = None) -> list[FieldError]:
        """Return the violations of types, limits and junctors only."""
        if value in self._good:
            return []
        errors: list[FieldError] = []
        # Without the old value first: most objects are good, and then nothing has to be correlated.
        self._check(value, "", errors, NO_OLD_VALUE)
        if not errors:
            self._good.add(value)
        elif old is not None:
            errors = []
            self._check(value, "", errors, old)
        # Several alternatives can find the same error.
        return list(dict.fromkeys(errors))

    def _rest(
        self, errors: list[FieldError], value: Json, old: Json, metadata: EmbeddedErrors | None
    ) -> list[FieldError]:
        """Embedded resources, unique lists, rules: in this order."""
        if self.walk_embedded:

            def judge(resource: Json, path: str) -> Json:
                errors.extend(embedded.type_meta_errors(resource, path))
                errors.extend(metadata(resource, path) if metadata else ())
                return resource

            self.walk_embedded(value, "", judge)
        # Duplicates are no error of a value, so they do not keep the rules from running;
        # BLOCKING_REASONS says what does.
        errors.extend(self.duplicates(value, old))
        if self._rules is None:
            return errors
        if self._is_blocked(errors):
            return [*errors, NOT_CHECKED]
        return [*errors, *self.rule_errors(value, old)]

    def rule_errors(self, value: Json, old: Json = None) -> list[FieldError]:
        """Return the violations of rules only."""
        errors: list[FieldError] = []
        if self._rules is not None:
            self._rules(_root(value, old), RuleReport(errors=errors, forgiven=None))
        return errors

    def _is_blocked(self, errors: list[FieldError]) -> bool:
        return any(error.reason in BLOCKING_REASONS for error in errors)

    def forgiven(self, value: Json, old: Json) -> list[str]:
        """Return what rules have against parts of an object that an update leaves as they were (FK-268)."""
        # The same values that keep rules from refusing keep them from warning.
        if self._rules is None or old is None or self._is_blocked(self.values(value, old)):
            return []
        errors: list[FieldError] = []
        self._rules(_root(value, old), RuleReport(errors=None, forgiven=errors))
        return [str(error) for error in errors]

    def duplicates(self, value: Json, old: Json = None) -> list[FieldError]:
        """Return what occurs twice in unique lists;
        an object that had such before may have others (FK-267).
        """
        errors: list[FieldError] = []
        if self._unique is None:
            return errors
        self._unique(value, "", errors)
        # An old duplicate is forgiven as a whole: list items have no identity by which to tell which is
        # which.
        return [] if errors and old is not None and self.duplicates(old) else errors


def _root(value: Json, old: Json) -> ValueLocation:
    return ValueLocation(value, "", NO_OLD_VALUE if old is None else old, frozen=False)


def below(prefix: str, error: FieldError) -> FieldError:
    """Return an error of a part at its place in the whole; its text keeps the part's path."""
    field = prefix if error.field == "<nil>" else f"{prefix}.{error.field}"
    return FieldError(error.reason, field, error.body)


_CACHE: dict[bytes, CompiledSchema] = {}


def compile_schema(raw: Mapping[str, Json]) -> CompiledSchema:
    """Return the compiled form of an OpenAPI v3 schema; equal schemas share one."""
    # By content, as each cluster of a process parses its own definitions; a digest is shorter than the
    # schema.
    key = hashlib.blake2b(orjson.dumps(raw), digest_size=16).digest()
    compiled = _CACHE.get(key)
    if compiled is None:
        # Another thread may have been faster: whoever stored first is the one to share.
        compiled = _CACHE.setdefault(key, CompiledSchema(Structural.of(raw)))
    return compiled
