"""The name and version of an autoscaler program, as it reports them itself."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from ..programs.proof import CLUSTER_AUTOSCALER

OURS = "kueue-autoscaler"
_NAMES = {"Cluster Autoscaler": CLUSTER_AUTOSCALER.name, OURS: OURS}
_SAID = re.compile(rf"\b({'|'.join(_NAMES)}) v?(\d+\.\d+\.\d+\S*)")
_QUESTIONS = (
    ("--version",),
    ("--kubeconfig=/dev/null/none", "--leader-elect=false", "--address=127.0.0.1:0", "--v=1"),
)
"""Argument lists that make a program report its version: cluster-autoscaler has no `--version`, but logs it
at a start that fails.
"""
_ANSWER_SECONDS = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Name and version of a program, such as `v1.36.1`, as the program reports them: not a proof."""

    program: str
    version: str

    def __str__(self) -> str:
        return f"{self.program} {self.version}"


def release_in(text: str) -> Release | None:
    """Return the release in a log, None where it has none."""
    match = _SAID.search(text)
    return Release(program=_NAMES[match[1]], version=f"v{match[2]}") if match else None


def ask_for_release(command: Sequence[str]) -> Release | None:
    """Start a program without a cluster and return the release that it reports; None if it reports none
    within 20 s.
    """
    releases = (release_in(_output([*command, *question])) for question in _QUESTIONS)
    return next(filter(None, releases), None)


def _output(argv: Sequence[str]) -> str:
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_ANSWER_SECONDS,
            check=False,
        )
        output = done.stdout
    except subprocess.TimeoutExpired as still_running:
        output = still_running.stdout or b""
    except OSError:
        return ""
    return output.decode("utf-8", "replace")
