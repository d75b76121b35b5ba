"""Lets `pip install .` and `pip install -e .` find `fakecluster`, which is a folder of the same checkout.

A wheel for others (`python -m build`, `make wheels`) names it by its version alone.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILDS_FOR_PIP = "PIP_BUILD_TRACKER"
"""A variable that pip sets while it builds what it installs."""
NAME = "fakecluster"


class CheckoutInstall(BuildHookInterface[Any]):
    """Requires the folder in place of the version, in what pip installs from this checkout."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Replace the requirement: pip looks for a version before it reads that a folder has it."""
        del build_data
        # No index has the version of a checkout.
        if version == "editable" or BUILDS_FOR_PIP in os.environ:
            folder = Path(self.root, NAME).as_uri()
            dependencies = self.metadata.core.dependencies
            dependencies[:] = [_requirement(text, folder) for text in dependencies]


def _requirement(dependency: str, folder: str) -> str:
    return f"{NAME} @ {folder}" if dependency.startswith(f"{NAME}==") else dependency
