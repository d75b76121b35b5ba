"""How large the wheels are (B-11); nothing is downloaded to build it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from .figure import Figure

ROOT = Path(__file__).parents[1]


def figures() -> Iterator[Figure]:
    """Yield its megabytes."""
    with TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            folder,
        ]
        subprocess.run([*command, str(ROOT), str(ROOT / "fakecluster")], check=True)
        sizes = (sum(wheel.stat().st_size / 1e6 for wheel in Path(folder).glob("*.whl")),)
    yield Figure("wheels", sizes, "MB", "≤ 3")
