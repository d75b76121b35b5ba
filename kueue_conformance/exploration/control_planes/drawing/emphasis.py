"""What decides which objects a story has, and which acts come often in it (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..acts import Verb
from ..story import FEATURES

WEIGHTS: Mapping[Verb, float] = {
    Verb.SUBMIT: 24,
    Verb.ANSWER: 16,
    Verb.APPROVE: 8,
    Verb.PROVISION: 40,
    Verb.DROP_REQUEST: 5,
    Verb.SET_CONFIG: 4,
    Verb.FINISH: 6,
    Verb.FAIL: 2,
    Verb.DROP_WORKLOAD: 2,
    Verb.SET_QUOTA: 6,
    Verb.STOP: 8,
    Verb.DEACTIVATE: 3,
    Verb.ACTIVATE: 5,
    Verb.SET_PRIORITY: 3,
    Verb.DELETE: 6,
    Verb.SET_CHECKS: 4,
    Verb.SET_ACTIVE: 2,
    Verb.SET_COHORT: 3,
    Verb.SET_PARENT: 2,
    Verb.SET_STRATEGY: 2,
    Verb.SET_CLASS: 3,
    Verb.SET_RUNTIME: 3,
    Verb.LIMIT_RANGE: 2,
    Verb.LABEL_NAMESPACE: 2,
    Verb.MOVE: 3,
    Verb.CHANGE_JOB: 6,
    Verb.SUSPEND: 1,
    Verb.PODS: 5,
    Verb.RECLAIM: 4,
    Verb.RESTART: 2,
    Verb.WAIT: 6,
    Verb.REQUEST: 4,
}
"""How often a verb is drawn where nothing else is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Emphasis:
    """The numbers of objects of a story, of which one each is drawn, and the weights of its acts."""

    flavors: Sequence[int] = (1, 1, 2, 3)
    checks: Sequence[int] = (0, 0, 1, 1, 2, 2)
    queues: Sequence[int] = (1, 1, 1, 2, 2, 3)
    cohorts: Sequence[int] = (0, 1, 1, 2, 3)
    classes: Sequence[int] = (0, 1, 2)
    submissions: Sequence[int] = (1, 2, 3, 4, 4, 5)
    """How many Workloads are submitted before anything else happens."""
    acts: tuple[int, int] = (8, 18)
    """The fewest and the most acts behind these."""
    waits: Sequence[int] = (5, 30, 60, 90, 400, 1900)
    """The seconds that pass."""
    settled: float = 0.75
    """How often everything comes to rest behind an act."""
    rests: float = 0.1
    """How often everything comes to rest between two of them."""
    quotas: Sequence[int] = (0, 2, 3, 4, 4, 5, 6, 6, 8, 8, 10)
    """The CPU that a queue or Cohort can have of a flavor."""
    shapes: Sequence[int] = (0, 0, 0, 0, 1, 1, 2)
    """How many of the options of pods a submission has."""
    sizes: Sequence[str] = ("1", "1", "1", "2", "2", "2", "3", "3", "4", "4", "")
    """The CPU of a pod; one that requests none has what a LimitRange says."""
    pods: Sequence[int] = (1, 1, 1, 2, 3)
    """The numbers of pods of a pod set."""
    pod_sets: Sequence[int] = (1, 1, 1, 2)
    """The numbers of pod sets of a Workload; a Job has one."""
    taints: float = 0.15
    """How often a flavor keeps off pods that do not tolerate it."""
    limits: float = 0.06
    """How often a submission has a time limit."""
    missing: float = 0.04
    """How often what others name is deleted before anything uses it."""
    required: float = 0.7
    """How often a ClusterQueue requires a check."""
    jobs: float = 0.4
    """How often a submission is a Job."""
    preempts: float = 0.7
    """How often a ClusterQueue has a policy of preemption."""
    runtimes: float = 0.2
    """How often there is a RuntimeClass, which adds an overhead to its pods."""
    memory: float = 0.25
    """How often a second resource is covered."""
    teams: float = 0.1
    """How often ClusterQueues select namespaces."""
    strict: float = 0.25
    """How often a ClusterQueue is StrictFIFO."""
    provisioning: float = 0.35
    """How often a story with checks has one of Kueue's own."""
    visibility: float = 0.15
    has_webhooks: bool = False
    """Whether webhooks answer, and requests at the limits of the API are drawn."""
    features: Sequence[str] = (*FEATURES,)
    is_configured: float = 0.35
    """How often the control plane is configured with one of the features."""
    weights: Mapping[Verb, float] = field(default_factory=dict)
    """By which the usual weights are multiplied; those of the others are multiplied by `rest`."""
    rest: float = 1.0

    def weight(self, verb: Verb) -> float:
        """Return how often a verb is drawn."""
        return WEIGHTS[verb] * self.weights.get(verb, self.rest)
