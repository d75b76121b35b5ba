"""Types of what JSON holds."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
"""Any JSON value: a type that says more would need a cast at each member of an object."""
