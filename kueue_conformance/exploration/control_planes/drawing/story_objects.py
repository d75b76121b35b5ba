"""The objects that the acts of a story can be about (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..acts import Act, Verb, act
from .emphasis import Emphasis
from .random_choices import RandomChoices

MOST_WORKLOADS = 9
_PRIORITIES = (-5, 0, 1, 5, 5, 10)
_EXTREME_PRIORITIES = (-(2**31), 2**31 - 1)
_EXTREME = 0.03
"""How often a priority is the lowest or the highest that there is."""


class StoryObjects:
    """The names of the objects of a story, which of them are there, and how they were created."""

    def __init__(self, chance: RandomChoices, emphasis: Emphasis) -> None:
        self.chance = chance
        self.emphasis = emphasis
        self.flavors = _numbered_names("f", chance.one_of(emphasis.flavors))
        has_memory = chance.happens(emphasis.memory)
        self.memory = chance.one_of((["f4"], ["f4"], self.flavors)) if has_memory else []
        """Flavors of memory: of a second resource group, or those of the first."""
        self.counts_pods = chance.happens(0.1)
        self.runtimes = ["r1"] if chance.happens(emphasis.runtimes) else []
        self.classes = _numbered_names("p", chance.one_of(emphasis.classes))
        self.has_teams = chance.happens(emphasis.teams)
        self.checks = _numbered_names("k", chance.one_of(emphasis.checks))
        is_provisioned = bool(self.checks) and chance.happens(emphasis.provisioning)
        self.configs = _numbered_names("g", chance.one_of((1, 1, 2))) if is_provisioned else []
        self.settings: dict[str, Mapping[str, str]] = {}
        """What each ProvisioningRequestConfig says."""
        self.queues = _numbered_names("q", chance.one_of(emphasis.queues))
        self.locals = _numbered_names("l", len(self.queues) + chance.one_of((0, 0, 1)))
        self.cohorts = _numbered_names("c", chance.one_of(emphasis.cohorts))
        self.submissions: dict[str, Act] = {}
        """The newest submission of each Workload."""
        self.absent: dict[str, Act] = {}
        """What was deleted, with the act that creates it."""
        self.creations: dict[str, Act] = {}
        self.stopped: frozenset[str] = frozenset()
        """The queues with a stop policy."""
        self.requests: list[str] = []
        """The requests at the limits of the API that were not sent yet."""

    def priority(self) -> str:
        """Return a priority."""
        extreme = self.chance.happens(_EXTREME)
        return str(self.chance.one_of(_EXTREME_PRIORITIES if extreme else _PRIORITIES))

    def about_workload(self, verb: Verb, **options: object) -> Act | None:
        """Return an act about one of the Workloads; None where there is none."""
        if not self.submissions:
            return None
        return act(verb, self.chance.one_of([*self.submissions]), **options)

    def about_job(self, verb: Verb, **options: object) -> Act | None:
        """Return an act about one of the Jobs; None where there is none."""
        jobs = [name for name, submission in self.submissions.items() if submission.option("form")]
        return act(verb, self.chance.one_of(jobs), **options) if jobs else None

    def checks_of(self, workload: str) -> Sequence[str]:
        """Return the checks that the queue of a Workload was created with."""
        local = self.creations[self.submissions[workload].option("to")]
        checks = self.creations[local.option("of")].option("checks")
        return [check.partition("@")[0] for check in checks.split(",") if check]


def _numbered_names(letter: str, most: int) -> list[str]:
    return [f"{letter}{number}" for number in range(1, most + 1)]
