"""All schemas and levels of a moment: where a request belongs (VIS-229, VIS-602, VIS-612)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..attributes import Attributes, User
from . import mandatory
from .levels import TOTAL_SEATS, PriorityLevel, seats
from .schemas import Schema


@dataclass(frozen=True, slots=True)
class Classification:
    """The schema and the level of a request, and its flow."""

    schema: Schema
    level: PriorityLevel
    flow: str


@dataclass(frozen=True, slots=True)
class Table:
    """Schemas in the order in which they are tried, levels by name, and the seats of each."""

    schemas: tuple[Schema, ...]
    levels: Mapping[str, PriorityLevel]
    seats: Mapping[str, int]

    @classmethod
    def of(
        cls, schemas: Iterable[Schema], levels: Iterable[PriorityLevel], total: int = TOTAL_SEATS
    ) -> Table:
        """Put objects and mandatory ones together; a schema without its level is left out."""
        all_levels = {level.name: level for level in (*mandatory.LEVELS, *levels)}
        all_schemas = {schema.name: schema for schema in (*mandatory.SCHEMAS, *schemas)}
        usable = (schema for schema in all_schemas.values() if schema.level in all_levels)
        order = sorted(usable, key=lambda schema: (schema.precedence, schema.name))
        return cls(tuple(order), all_levels, seats(all_levels.values(), total))

    def place(self, user: User, attributes: Attributes) -> Classification:
        """Return where a request belongs; what nothing matches is caught by `catch-all`."""
        schema = next(
            (schema_ for schema_ in self.schemas if schema_.matches(user, attributes)), mandatory.SCHEMAS[-1]
        )
        return Classification(schema, self.levels[schema.level], schema.flow(user, attributes))
