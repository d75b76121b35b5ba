"""An admission plugin as a row: its name, and what it does to writes of which resources (FK-300)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from ...api import status
from ...api.admission import Operation, Review
from ...api.context import Context
from ...base.json_types import Json

Mutate: TypeAlias = Callable[[Context, Review, Json], Json]
"""(cluster, write, object so far) → the object with what the plugin adds; raises 403."""
Validate: TypeAlias = Callable[[Context, Review], None]
"""(cluster, write) → nothing; raises what refuses the write."""
Target: TypeAlias = tuple[str, str, str]
"""Group, plural and subresource of what is written."""

EVERYTHING: Target = ("*", "*", "*")
PODS: Target = ("", "pods", "")
CREATE: frozenset[Operation] = frozenset({"CREATE"})
UPDATE: frozenset[Operation] = frozenset({"UPDATE"})
WRITES = CREATE | UPDATE


class Plugin(Struct, frozen=True, kw_only=True):
    """One plugin."""

    name: str = ""
    """As in `--disable-admission-plugins`; empty for a step of the storage, which no flag disables."""
    operations: frozenset[Operation] = WRITES
    mutates: Mapping[Target, Mutate] = field(default_factory=dict)
    validates: Mapping[Target, Validate] = field(default_factory=dict)


def forbidden(review: Review, why: str, causes: list[Json] | None = None) -> status.StatusError:
    """Return the refusal of a write for a reason that the plugin words."""
    return status.forbidden(review.kind.group, review.kind.plural, review.display_name, why, causes)
