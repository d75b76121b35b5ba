"""In which seeds each right controller has passed the whole profile: a file that a later run goes on with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import yaml

from .catalogue import FOLDER

FILE = FOLDER / "seeds.yaml"
SEEDS = range(1, 21)
_HEAD = """# The seeds in which each right controller passed all of CHECK-CONTROLLER. `make honest-controllers ARGS=--seeds`
# goes on where it was ended; remove the line of a controller that was changed.
"""


class PassedSeeds:
    """The seeds of each controller, by `language/design`; written after each run, since all take hours."""

    def __init__(self, path: Path = FILE) -> None:
        self._path = path

    def of(self, name: str) -> Sequence[int]:
        """Return the seeds in which a controller has passed."""
        return self._read().get(name, [])

    def left(self, names: Sequence[str]) -> list[tuple[str, int]]:
        """Return each controller and seed that was not run yet; one seed of all before the next one."""
        passed = self._read()
        return [(name, seed) for seed in SEEDS for name in names if seed not in passed.get(name, [])]

    def record(self, name: str, seed: int) -> None:
        """Write that a controller has passed in a seed."""
        # Read anew: two commands may share the work by languages.
        passed = self._read()
        passed[name] = sorted({*passed.get(name, []), seed})
        self._path.write_text(
            _HEAD + "".join(f"{key}: {value}\n" for key, value in sorted(passed.items())), "utf-8"
        )

    def _read(self) -> dict[str, list[int]]:
        return (yaml.safe_load(self._path.read_text("utf-8")) if self._path.exists() else None) or {}
