"""Warnings of ResourceSlices (FK-236)."""

from __future__ import annotations

from ...base.json_types import Json
from ...schema.fields import go_quote


def resource_slice(new: Json, old: Json) -> list[str]:
    """Return the warning of a driver in capital letters."""
    del old
    driver = new["spec"].get("driver", "")
    why = f"spec.driver: driver names should be lowercase; {go_quote(driver)} contains uppercase characters"
    return [why] if driver != driver.lower() else []
