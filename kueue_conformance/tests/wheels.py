"""The wheels of this checkout, built once in a session of tests."""

import subprocess
import sys
from pathlib import Path

from .checkout import ROOT

PROJECTS = {"fakecluster": ROOT / "fakecluster", "kueue-conformance": ROOT}


def build_wheel(name: str, folder: Path) -> Path:
    """Build the wheel of a distribution into a folder, without a network, and return its path."""
    project = str(PROJECTS[name])
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), project]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob(f"{name.replace('-', '_')}-*.whl")
    return wheel
