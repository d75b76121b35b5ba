"""What is known of who kills whom: read from and kept in `matrix.yaml`."""

from collections import Counter
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("matrix.yaml")
TOO_WRONG = 0.3
"""A mutant that fails a larger part of the scenarios shows little about any of them, and does not count."""


class Matrix:
    """Which scenarios each mutant failed, which scenarios were run, and which mutants met only some of them so far."""

    def __init__(self, scenarios, killed, sampled):
        self.scenarios, self.killed, self.sampled = scenarios, killed, sampled

    @classmethod
    def read(cls):
        """Return what was kept."""
        known = yaml.safe_load(FILE.read_text()) if FILE.exists() else {}
        return cls(known.get("scenarios", []), known.get("killed", {}), known.get("sampled", {}))

    def learn(self, mutant, failed):
        """Take in what a mutant failed of everything."""
        self.killed[mutant.name] = failed
        self.sampled.pop(mutant.name, None)

    def sample(self, mutant, failed):
        """Take in what a mutant failed of the one scenario that is named for it."""
        others = set(self.killed.get(mutant.name, ())) & set(self.scenarios) - {mutant.named}
        self.killed[mutant.name] = sorted({*others, *failed})
        self.sampled[mutant.name] = max(1, self.sampled.get(mutant.name, 1))

    def forget_all_but(self, mutants):
        """Drop those that are no longer there, and scenarios that are not."""
        known, there = {one.name for one in mutants}, set(self.scenarios)
        self.killed = {
            name: [one for one in failed if one in there]
            for name, failed in self.killed.items()
            if name in known
        }
        self.sampled = {name: times for name, times in self.sampled.items() if name in known}

    def keep(self):
        """Write it down."""
        said = (
            "# Made by `make kill-matrix`: the scenarios that were run, those that each wrong controller failed, and how many scenarios\n"
            "# it met where it has not met all of them yet.\n"
        )
        body = {
            "scenarios": self.scenarios,
            "killed": dict(sorted(self.killed.items())),
            "sampled": dict(sorted(self.sampled.items())),
        }
        FILE.write_text(said + yaml.safe_dump(body, width=130, sort_keys=False, default_flow_style=None))

    def share(self, mutant):
        """Return the part that a mutant failed of the scenarios that it met; the one named for it is no sample."""
        met = self.sampled.get(mutant.name)
        failed = [one for one in self.killed[mutant.name] if met is None or one != mutant.named]
        return len(failed) / (max(1, met - 1) if met else len(self.scenarios))

    def counts(self, mutant):
        """Tell whether a mutant is wrong in little."""
        return self.share(mutant) <= TOO_WRONG

    def killers(self):
        """Return how many mutants each scenario kills."""
        return Counter(scenario for failed in self.killed.values() for scenario in failed)
