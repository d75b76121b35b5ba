"""CustomResourceDefinitions: their validation, names and conditions, and the kinds that come out of them (FK-250…287)."""

from .kinds import kinds_of

__all__ = ["kinds_of"]
