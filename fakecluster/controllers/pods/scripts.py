"""What happens to a pod and when: a script is a few steps, each some seconds after the one before (FK-481).

A pod may bring its own script as the annotation `fakecluster.dev/script`, such as `2s Running, 30s Succeeded`
or `Running, 5s Failed(3)`, or the words `instant` and `manual`.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from msgspec import Struct

from ...base.json_types import Json

Phase = Literal["Running", "Succeeded", "Failed"]
ANNOTATION = "fakecluster.dev/script"
STEP = re.compile(
    r"(?:(?P<after>\d{1,9}(?:\.\d{1,9})?)s\s+)?(?P<phase>Running|Succeeded|Failed)(?:\((?P<code>\d{1,3})\))?",
    re.ASCII,
)
PHASE_ORDER = ("Pending", "Running", "Succeeded", "Failed")


class ScriptError(ValueError):
    """A text is not a script."""


class ScriptStep(Struct, frozen=True):
    """A phase that a pod reaches `after` seconds."""

    phase: Phase
    after: float = 0.0
    exit_code: int = 0


Script = tuple[ScriptStep, ...]
INSTANT_SCRIPT: Script = (ScriptStep("Running"), ScriptStep("Succeeded"))
MANUAL_SCRIPT: Script = ()
NAMED_SCRIPTS = {"instant": INSTANT_SCRIPT, "manual": MANUAL_SCRIPT}


def parse(text: str) -> Script:
    """Read a script. Raises ScriptError."""
    if text in NAMED_SCRIPTS:
        return NAMED_SCRIPTS[text]
    return tuple(_step(step_text.strip(), text) for step_text in text.split(","))


def _step(step_text: str, text: str) -> ScriptStep:
    match = STEP.fullmatch(step_text)
    if not match:
        raise ScriptError(
            f"step {step_text!r} of pod script {text!r} is not understood:"
            " write e.g. 'instant', 'manual' or '2s Running, 30s Failed(1)'"
        )
    phase = cast("Phase", match["phase"])
    # A failure without a code ends with 1.
    code = int(match["code"]) if match["code"] else (1 if phase == "Failed" else 0)
    return ScriptStep(phase, float(match["after"] or 0), code)


def of(pod: Json, default: Script) -> Script:
    """Return the script of a pod: its own, or the default;
    a pod that always restarts does not succeed by default.
    """
    own = pod["metadata"].get("annotations", {}).get(ANNOTATION)
    if own is not None:
        return parse(own)
    # Containers that always restart never make their pod succeed.
    if pod["spec"].get("restartPolicy") == "Always":
        return tuple(step for step in default if step.phase == "Running")
    return default


def following(script: Script, phase: str) -> ScriptStep | None:
    """Return the step after a phase, None when the script is over."""
    reached = PHASE_ORDER.index(phase) if phase in PHASE_ORDER else 0
    if reached >= PHASE_ORDER.index("Succeeded"):
        # Steps that were passed over are not made up for.
        return None
    return next((step for step in script if PHASE_ORDER.index(step.phase) > reached), None)
