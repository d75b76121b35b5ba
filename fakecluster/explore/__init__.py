"""Find bugs of an operator that come from when things happen: play its test again, with one perturbation at a
time.

`perturb` is the way in. A `trace` is what the operator asked for in a run without perturbations, `plan`
chooses perturbations from it, `disturbance` carries one out, `run` is one run, `end_state` compares two ends.
"""

from __future__ import annotations

from .errors import ExploreError, Finding
from .perturbing import Summary, perturb

__all__ = ["ExploreError", "Finding", "Summary", "perturb"]
