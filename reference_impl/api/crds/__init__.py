"""The CustomResourceDefinitions, made from declared kinds: one source for types and schema (design.md §3)."""

from .definitions import EDITIONS, definitions

__all__ = ["EDITIONS", "definitions"]
