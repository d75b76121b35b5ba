"""What a story is mostly about: which objects it has, and which acts come often (data).

Acts that matter together come together more often in a story that has few kinds of them. Consecutive seeds
take the emphases in turn, so that a short exploration has tried each.
"""

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
    Verb.SET_CONFIG: 4,
    Verb.FINISH: 6,
    Verb.FAIL: 2,
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
_READINESS = ("blocked-admission", "limited-requeuing", "short-recovery")


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
    settled: float = 0.75
    """How often everything comes to rest behind an act."""
    rests: float = 0.1
    """How often everything comes to rest between two of them."""
    quotas: Sequence[int] = (0, 2, 3, 4, 4, 5, 6, 6, 8, 8, 10)
    """The CPU that a queue or Cohort can have of a flavor."""
    shapes: Sequence[int] = (0, 0, 0, 0, 1, 1, 2)
    """How many of the options of pods a submission has."""
    jobs: float = 0.4
    """How often a submission is a Job."""
    preempts: float = 0.7
    """How often a ClusterQueue has a policy of preemption."""
    memory: float = 0.25
    """How often a second resource is covered."""
    teams: float = 0.1
    """How often ClusterQueues select namespaces."""
    strict: float = 0.25
    """How often a ClusterQueue is StrictFIFO."""
    provisioning: float = 0.35
    """How often a story with checks has one of Kueue's own."""
    visibility: float = 0.35
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


_OF_QUOTA = {Verb.SUBMIT: 2.0, Verb.FINISH: 2.0, Verb.DELETE: 1.0, Verb.SET_QUOTA: 2.0, Verb.RECLAIM: 1.0}
EMPHASES: Mapping[str, Emphasis] = {
    "everything": Emphasis(),
    "checks": Emphasis(
        flavors=(1, 2),
        checks=(1, 2, 2, 3),
        queues=(1, 1, 2),
        cohorts=(0,),
        provisioning=0.0,
        is_configured=0.0,
        preempts=0.2,
        weights={
            Verb.SUBMIT: 0.5,
            Verb.ANSWER: 3.0,
            Verb.APPROVE: 1.0,
            Verb.SET_CHECKS: 2.0,
            Verb.WAIT: 2.0,
            Verb.FINISH: 0.5,
            Verb.ACTIVATE: 1.0,
            Verb.DEACTIVATE: 1.0,
        },
        rest=0.25,
    ),
    "preemption": Emphasis(
        flavors=(1, 1, 2),
        checks=(0, 0, 0, 1),
        queues=(1, 2, 2, 3),
        cohorts=(0, 1, 1, 2),
        submissions=(2, 3, 4, 5),
        rests=0.7,
        quotas=(2, 3, 4, 4, 5, 6),
        shapes=(0,),
        preempts=1.0,
        memory=0.0,
        strict=0.1,
        is_configured=0.0,
        jobs=0.2,
        weights={**_OF_QUOTA, Verb.SET_PRIORITY: 3.0, Verb.WAIT: 0.5, Verb.ANSWER: 0.5, Verb.APPROVE: 1.0},
        rest=0.2,
    ),
    "fair sharing": Emphasis(
        checks=(0,),
        flavors=(1, 1, 2),
        # Shares are compared where several queues want the quota of one Cohort.
        queues=(2, 3, 3),
        cohorts=(1, 1, 2, 3),
        submissions=(4, 5, 6),
        rests=0.3,
        quotas=(0, 2, 2, 3, 4),
        shapes=(0,),
        memory=0.15,
        is_configured=1.0,
        features=("fair-sharing",),
        weights={**_OF_QUOTA, Verb.SET_COHORT: 1.0, Verb.SET_PARENT: 1.0},
        rest=0.15,
    ),
    "pods": Emphasis(
        # With enough quota the pods alone decide which flavor they get.
        flavors=(2, 3, 3),
        checks=(0, 0, 0, 1),
        queues=(1,),
        cohorts=(0,),
        shapes=(1, 1, 2, 3),
        teams=0.3,
        preempts=0.2,
        is_configured=0.0,
        weights={
            Verb.SUBMIT: 4.0,
            Verb.LIMIT_RANGE: 3.0,
            Verb.CHANGE_JOB: 1.0,
            Verb.DELETE: 2.0,
            Verb.LABEL_NAMESPACE: 2.0,
        },
        rest=0.2,
    ),
    "quota": Emphasis(
        flavors=(1, 2, 2, 3),
        checks=(0, 0, 0, 1),
        queues=(1, 2, 2, 3),
        cohorts=(1, 2, 3),
        rests=0.3,
        quotas=(0, 2, 3, 3, 4, 5),
        shapes=(0, 0, 1),
        memory=0.4,
        preempts=0.4,
        is_configured=0.0,
        weights={**_OF_QUOTA, Verb.SET_COHORT: 1.0, Verb.SET_PARENT: 1.5},
        rest=0.25,
    ),
    "jobs": Emphasis(
        jobs=1.0,
        queues=(1, 1, 2),
        cohorts=(0, 0, 1),
        classes=(1, 2),
        is_configured=0.15,
        weights={
            Verb.CHANGE_JOB: 3.0,
            Verb.SUSPEND: 3.0,
            Verb.PODS: 2.0,
            Verb.FAIL: 2.0,
            Verb.FINISH: 1.0,
            Verb.DELETE: 1.0,
            Verb.APPROVE: 1.5,
            Verb.ANSWER: 1.0,
            Verb.SUBMIT: 0.5,
            Verb.SET_CLASS: 1.0,
            Verb.DEACTIVATE: 1.0,
            Verb.ACTIVATE: 1.0,
        },
        rest=0.3,
    ),
    "readiness": Emphasis(
        flavors=(1,),
        checks=(0, 0, 1),
        queues=(1, 1, 2),
        cohorts=(0,),
        shapes=(0,),
        provisioning=0.0,
        # Time-outs of pods come only where few Workloads compete.
        submissions=(1, 2, 3),
        is_configured=1.0,
        features=_READINESS,
        weights={
            Verb.PODS: 6.0,
            Verb.WAIT: 5.0,
            Verb.ACTIVATE: 1.0,
            Verb.SUBMIT: 0.3,
            Verb.APPROVE: 1.0,
            Verb.FINISH: 0.5,
            Verb.RESTART: 1.0,
        },
        rest=0.15,
    ),
    "queues": Emphasis(
        checks=(0, 1, 1),
        cohorts=(0, 0, 1),
        shapes=(0,),
        is_configured=0.0,
        teams=0.2,
        weights={
            Verb.STOP: 3.0,
            Verb.DELETE: 3.0,
            Verb.MOVE: 2.0,
            Verb.SET_STRATEGY: 2.0,
            Verb.SET_ACTIVE: 2.0,
            Verb.SET_CHECKS: 1.0,
            Verb.SUBMIT: 0.7,
            Verb.DEACTIVATE: 1.0,
            Verb.ACTIVATE: 1.0,
        },
        rest=0.3,
    ),
    "provisioning": Emphasis(
        checks=(1, 1, 2, 3),
        queues=(1,),
        cohorts=(0,),
        provisioning=1.0,
        is_configured=0.0,
        weights={Verb.PROVISION: 1.0, Verb.WAIT: 2.0, Verb.SET_CONFIG: 1.0, Verb.SUBMIT: 0.5},
        rest=0.25,
    ),
    "pending lists": Emphasis(
        checks=(0, 0, 1),
        submissions=(4, 5, 6),
        shapes=(0,),
        visibility=1.0,
        is_configured=0.0,
        weights={
            Verb.SUBMIT: 1.0,
            Verb.SET_PRIORITY: 2.0,
            Verb.MOVE: 2.0,
            Verb.STOP: 1.0,
            Verb.FINISH: 1.0,
            Verb.DELETE: 1.0,
        },
        rest=0.2,
    ),
    "requests": Emphasis(
        checks=(0,),
        queues=(1,),
        cohorts=(0,),
        submissions=(1,),
        shapes=(0,),
        visibility=0.0,
        memory=0.0,
        is_configured=0.0,
        has_webhooks=True,
        acts=(30, 40),
        settled=0.0,
        weights={Verb.REQUEST: 1.0},
        rest=0.0,
    ),
}
"""The emphases, in the order of seeds."""


def emphasis_of(seed: int) -> Emphasis:
    """Return the emphasis of a seed."""
    return [*EMPHASES.values()][seed % len(EMPHASES)]
