"""Writes the executables that `KUBEBUILDER_ASSETS` names (apiserver.md §2.8)."""

from __future__ import annotations

import json
import shlex
import sys
from importlib.metadata import version
from pathlib import Path

from ..base import files

PROGRAMS = ("kube-apiserver", "etcd")
MARKER_FILE = "fakecluster-assets.json"
"""Beside the executables, so that programs that want real ones can tell (`--backend envtest` refuses them).
"""


def install(folder: Path) -> tuple[Path, ...]:
    """Write the executables and their mark into a folder and return their paths. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    _refuse_strangers(folder)
    written = tuple(_program(folder / name) for name in PROGRAMS)
    mark = {"program": "fakecluster", "version": version("fakecluster"), "python": sys.executable}
    files.write(folder / MARKER_FILE, (json.dumps(mark, indent=2) + "\n").encode())
    return written


def _refuse_strangers(folder: Path) -> None:
    strangers = [name for name in PROGRAMS if (folder / name).exists()]
    # Real binaries of kubebuilder are not to be overwritten; the mark says that these are ours.
    if strangers and not (folder / MARKER_FILE).exists():
        raise FileExistsError(17, f"it holds {' and '.join(strangers)} of another owner; name another folder")


def _program(path: Path) -> Path:
    command = shlex.join([sys.executable, "-m", "fakecluster.envtest", path.name])
    files.write(path, f'#!/bin/sh\nexec {command} "$@"\n'.encode())
    path.chmod(0o755)
    return path
