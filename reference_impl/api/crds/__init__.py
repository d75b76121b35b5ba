"""The CustomResourceDefinitions, made from declared kinds: one source for types and schema (design.md §3)."""

from .definitions import alpha_definitions, convertible_definitions, definitions
from .provisioning_classes import definitions_for_requests

__all__ = ["alpha_definitions", "convertible_definitions", "definitions", "definitions_for_requests"]
