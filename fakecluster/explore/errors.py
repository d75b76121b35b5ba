"""What ends an exploration: a finding, or what makes exploring impossible."""

from __future__ import annotations


class ExploreError(ValueError):
    """The operator, the acts or an argument is in the way; the text says what to change."""


class Finding(AssertionError):
    """The operator does not bring about under a perturbation what it brings about without."""
