"""What is known of who kills whom: read from and kept in `matrix.yaml`."""

from collections import Counter
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("matrix.yaml")
TOO_WRONG = 0.3
"""A mutant that fails a larger part of the scenarios shows little about any of them, and does not count."""


class Matrix:
    """Which scenarios each mutant failed, and which scenarios were run."""

    def __init__(self, scenarios, killed):
        self.scenarios, self.killed = scenarios, killed

    @classmethod
    def read(cls):
        """Return what was kept."""
        known = yaml.safe_load(FILE.read_text()) if FILE.exists() else {"scenarios": [], "killed": {}}
        return cls(known["scenarios"], known["killed"])

    def keep(self):
        """Write it down."""
        said = "# Made by `make kill-matrix`: the scenarios that were run, and those that each wrong controller failed.\n"
        body = {"scenarios": self.scenarios, "killed": dict(sorted(self.killed.items()))}
        FILE.write_text(said + yaml.safe_dump(body, width=130, sort_keys=False, default_flow_style=None))

    def share(self, mutant):
        """Return the part of the scenarios that a mutant failed."""
        return len(self.killed[mutant.name]) / len(self.scenarios)

    def counts(self, mutant):
        """Tell whether a mutant is wrong in little."""
        return self.share(mutant) <= TOO_WRONG

    def killers(self):
        """Return how many mutants each scenario kills."""
        return Counter(scenario for failed in self.killed.values() for scenario in failed)
