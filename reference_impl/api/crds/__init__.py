"""The CustomResourceDefinitions, made from declared kinds: one source for types and schema (design.md §3)."""

from .definitions import EDITIONS, convertible_definitions, definitions
from .provisioning_requests import definition_of_requests

__all__ = ["EDITIONS", "convertible_definitions", "definition_of_requests", "definitions"]
