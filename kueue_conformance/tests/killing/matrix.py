"""What is known of who kills whom in a zoo: read from and kept in a YAML file."""

from collections import Counter

import yaml

TOO_WRONG = 0.3
"""A wrong one that fails a larger part of the scenarios shows little about any of them, and does not count.
"""


class Matrix:
    """Which scenarios each wrong one failed, which scenarios were run, and in how many seeds the one named
    for it caught it.

    `sampled` are those that met only some of the scenarios so far, and how many.
    """

    def __init__(self, zoo):
        self.zoo = zoo
        safe_load = yaml.safe_load(zoo.file.read_text()) if zoo.file.exists() else {}
        self.scenarios = safe_load.get("scenarios", [])
        self.killed, self.sampled = safe_load.get("killed", {}), safe_load.get("sampled", {})
        self.seeds = safe_load.get("seeds", {})

    def learn(self, name, failed):
        """Take in what a wrong one failed of everything."""
        self.killed[name] = failed
        self.sampled.pop(name, None)

    def sample(self, subject, failed):
        """Take in what a wrong one failed of the one scenario that is named for it."""
        other_items = set(self.killed.get(subject.name, ())) & set(self.scenarios) - {subject.named}
        self.killed[subject.name] = sorted({*other_items, *failed})
        self.sampled[subject.name] = max(1, self.sampled.get(subject.name, 1))

    def forget_others(self):
        """Drop those that are no longer in the zoo, and scenarios that were not run."""
        known_names, there = {mutant.name for mutant in self.zoo.wrong}, set(self.scenarios)
        self.killed = {
            name: [mutant for mutant in failed if mutant in there]
            for name, failed in self.killed.items()
            if name in known_names
        }
        self.sampled = {name: times for name, times in self.sampled.items() if name in known_names}
        self.seeds = {name: times for name, times in self.seeds.items() if name in known_names}

    def keep(self):
        """Write it down."""
        text = (
            "# Made by `make kill-matrix`: the scenarios that were run, those that each wrong one failed, how many scenarios it met where\n"
            "# it has not met all of them yet, and in how many seeds the scenario named for it caught it.\n"
        )
        body = {
            "scenarios": self.scenarios,
            "killed": dict(sorted(self.killed.items())),
            "sampled": dict(sorted(self.sampled.items())),
            "seeds": dict(sorted(self.seeds.items())),
        }
        self.zoo.file.write_text(
            text + yaml.safe_dump(body, width=130, sort_keys=False, default_flow_style=None)
        )

    def share(self, subject):
        """Return the part that a wrong one failed of the scenarios that it met;
        the one named for it is no sample.
        """
        met = self.sampled.get(subject.name)
        failed = [mutant for mutant in self.killed[subject.name] if met is None or mutant != subject.named]
        return len(failed) / (max(1, met - 1) if met else len(self.scenarios))

    def counts(self, subject):
        """Tell whether a wrong one is wrong in little."""
        return self.share(subject) <= TOO_WRONG

    def caught_at(self, subject):
        """Return the most binding level of the scenarios that one failed; empty when it failed none."""
        levels = {self.zoo.level_of(mutant) for mutant in self.killed.get(subject.name, ())}
        return next((level for level in ("must", "should", "may") if level in levels), "")

    def killers(self):
        """Return how many wrong ones each scenario kills."""
        return Counter(scenario for failed in self.killed.values() for scenario in failed)
