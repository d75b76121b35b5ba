"""A stand-in for scheduler and kubelet: pods get a node, run,
end and go as a script says (FK-460, FK-461, FK-480…482).
"""

from __future__ import annotations

from .controller import PodSimulator
from .scripts import INSTANT_SCRIPT, MANUAL_SCRIPT, Script, ScriptStep

__all__ = ["INSTANT_SCRIPT", "MANUAL_SCRIPT", "PodSimulator", "Script", "ScriptStep"]
