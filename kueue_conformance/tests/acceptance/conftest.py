"""What acceptance tests need: Go where it is installed, and programs that are built once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def go():
    """The go command; tests that need it are skipped, visibly, where it is not installed."""
    found = shutil.which("go")
    if found is None:
        pytest.skip("unsupported: needs Go (go.dev/dl), which this machine does not have")
    return found


@pytest.fixture(scope="session")
def go_controller(go, tmp_path_factory):
    """The example check controller in Go, built."""
    program = tmp_path_factory.mktemp("go") / "check-controller"
    subprocess.run([go, "build", "-o", program, "."], cwd=ROOT / "examples/check_controllers/go", check=True)
    return program
