"""The CustomResourceDefinitions, made from declared kinds: one source for types and schema (design.md §3)."""

from .definitions import convertible_definitions, definitions
from .provisioning_classes import definitions_for_requests

__all__ = ["convertible_definitions", "definitions", "definitions_for_requests"]
