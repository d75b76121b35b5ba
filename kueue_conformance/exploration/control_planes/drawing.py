"""Draws a story of a control plane from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from .acts import SETTLE, Act, Verb, act
from .pod_templates import TAINTS, TOLERATIONS
from .provisioning_acts import CONDITIONS
from .story import FEATURES, SERVED, Story

Item = TypeVar("Item")
_FEWEST_ACTS, _MOST_ACTS = 8, 18
_MOST_WORKLOADS = 8
_FIRST_SUBMISSIONS = (1, 2, 3, 4, 4, 5)
"""How many Workloads are submitted before anything else happens."""
_UPDATES = ("labels", "annotations", "nodeSelector", "tolerations")
_QUOTAS = (0, 2, 3, 4, 4, 5, 6, 6, 8, 8, 10)
_TEAMS = ("a", "b")
_SELECTORS = ("a", "a", "In:a,c", "NotIn:a", "Exists", "DoesNotExist")
_SHAPES: Mapping[str, Sequence[str]] = {
    "tolerates": ("yes", "yes", *TOLERATIONS),
    "on": ("f1", "f1", "f2", "zone"),
    "affinity": ("In:f1", "In:f1,f2", "NotIn:f1", "In:f1/NotIn:f1", "Exists", "DoesNotExist", "Exists@zone"),
    "init": ("1", "3", "4"),
    "sidecar": ("1", "2"),
    "second": ("1", "2"),
    "whole": ("1", "3"),
    "requests": ("by-limits",),
    "runtime": ("r1",),
}
"""What pods can have beside the CPU of their first container."""
_MOST_OF_SHAPE = (0, 0, 0, 0, 1, 1, 2)
_CPU = ("1", "1", "1", "2", "2", "2", "3", "3", "4", "4", "")
"""Of a pod; one that requests none has what a LimitRange says."""
_WEIGHTS: Mapping[Verb, int] = {
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
    Verb.SET_CHECKS: 3,
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
}
"""How often a verb is drawn."""
_SERVED = 0.35
"""How often the control plane serves what a story can do without."""
_MAY_BE_MISSING = (Verb.FLAVOR, Verb.CHECK, Verb.CONFIG, Verb.QUEUE, Verb.CLASS)
_MISSING = 0.04
"""How often what others name is deleted before anything uses it."""
_SETTLED = 0.75
"""How often everything comes to rest behind an act."""


def draw_story(seed: int) -> Story:
    """Return the story of a seed."""
    return Story(acts=tuple(_Drawing(random.Random(f"story {seed}")).acts()))  # noqa: S311 - no secret


class _Drawing:
    """Draws acts, and knows what they have created."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._flavors = [f"f{number}" for number in range(1, draw.choice((1, 1, 2, 3)) + 1)]
        self._memory = draw.choice((["f4"], ["f4"], self._flavors)) if draw.random() < 0.25 else []
        """Flavors of memory: of a second resource group, or those of the first."""
        self._counts_pods = draw.random() < 0.1
        self._runtimes = ["r1"] if draw.random() < 0.2 else []
        self._classes = [f"p{number}" for number in range(1, draw.choice((0, 1, 2)) + 1)]
        self._has_teams = draw.random() < 0.1
        self._checks = [f"k{number}" for number in range(1, draw.choice((0, 0, 1, 1, 2, 2)) + 1)]
        self._configs = ["g1"] if self._checks and draw.random() < _SERVED else []
        self._queues = [f"q{number}" for number in range(1, draw.choice((1, 1, 1, 2, 2, 3)) + 1)]
        self._locals = [f"l{number}" for number in range(1, len(self._queues) + draw.choice((0, 0, 1)) + 1)]
        self._cohorts = [f"c{number}" for number in range(1, draw.choice((0, 1, 1, 2, 3)) + 1)]
        self._submissions: dict[str, Act] = {}
        """The newest submission of each Workload."""
        self._absent: dict[str, Act] = {}
        """What was deleted, with the act that creates it."""
        self._creations: dict[str, Act] = {}
        self._draws: Mapping[Verb, Callable[[], Act | None]] = {
            Verb.SUBMIT: self._submit,
            Verb.ANSWER: self._answer,
            Verb.PROVISION: self._provision,
            Verb.SET_CONFIG: lambda: act(Verb.SET_CONFIG, "g1", **self._config()) if self._configs else None,
            Verb.APPROVE: lambda: act(Verb.APPROVE) if self._checks else None,
            Verb.FINISH: lambda: self._about_workload(Verb.FINISH),
            Verb.DEACTIVATE: lambda: self._about_workload(Verb.DEACTIVATE),
            Verb.ACTIVATE: lambda: self._about_workload(Verb.ACTIVATE),
            Verb.SET_QUOTA: self._set_quota,
            Verb.STOP: self._stop,
            Verb.SET_STRATEGY: lambda: act(
                Verb.SET_STRATEGY,
                self._one_of(self._queues),
                strategy=self._one_of(("StrictFIFO", "BestEffortFIFO")),
            ),
            Verb.SET_CLASS: self._set_class,
            Verb.LIMIT_RANGE: lambda: act(Verb.LIMIT_RANGE, cpu=self._one_of(("", "1", "2"))),
            Verb.LABEL_NAMESPACE: lambda: (
                act(Verb.LABEL_NAMESPACE, team=self._one_of(_TEAMS)) if self._has_teams else None
            ),
            Verb.CHANGE_JOB: self._change_job,
            Verb.SUSPEND: lambda: self._about_job(Verb.SUSPEND),
            Verb.FAIL: lambda: self._about_job(Verb.FAIL),
            Verb.PODS: lambda: self._about_workload(
                Verb.PODS, active=self._one_of((0, 0, 1, 2)), ready=self._one_of(("yes", "yes", "no"))
            ),
            Verb.RESTART: lambda: act(Verb.RESTART),
            Verb.SET_PRIORITY: lambda: self._about_workload(Verb.SET_PRIORITY, priority=self._priority()),
            Verb.DELETE: self._delete,
            Verb.SET_CHECKS: lambda: act(
                Verb.SET_CHECKS, self._one_of(self._queues), checks=self._required_checks()
            ),
            Verb.SET_ACTIVE: self._set_active,
            Verb.SET_COHORT: lambda: act(
                Verb.SET_COHORT, self._one_of(self._queues), cohort=self._some([*self._cohorts, ""])
            ),
            Verb.SET_PARENT: self._set_parent,
            Verb.MOVE: lambda: self._about_workload(Verb.MOVE, to=self._one_of(self._locals)),
            Verb.RECLAIM: lambda: self._about_workload(Verb.RECLAIM, count=1),
            Verb.WAIT: lambda: act(Verb.WAIT, seconds=self._one_of((5, 30, 60, 90, 400))),
        }

    def acts(self) -> Iterator[Act]:
        """Yield acts that create queues, and then those on them."""
        if feature := self._sometimes(self._one_of([*FEATURES]), 0.35):
            yield act(Verb.CONFIGURE, feature=feature)
        for word in SERVED:
            if word != "provisioning" and self._draw.random() < _SERVED:
                yield act(Verb.CONFIGURE, feature=word)
        if self._configs:
            yield act(Verb.CONFIGURE, feature="provisioning")
        if self._sometimes("drawn", 0.15):
            yield act(Verb.NAMES)
        for creation in self._create():
            self._creations[creation.name] = creation
            yield creation
            # What queues and checks name may be missing.
            if creation.verb in _MAY_BE_MISSING and self._draw.random() < _MISSING:
                self._absent[creation.name] = creation
                yield act(Verb.DELETE, creation.name)
        yield SETTLE
        for _ in range(self._one_of(_FIRST_SUBMISSIONS)):
            yield from filter(None, [self._submit()])
        yield SETTLE
        for _ in range(self._draw.randint(_FEWEST_ACTS, _MOST_ACTS)):
            drawn = None
            while drawn is None:
                verb = self._draw.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
                drawn = self._draws[verb]()
            yield drawn
            if self._draw.random() < _SETTLED:
                yield SETTLE

    def _create(self) -> Iterator[Act]:
        if self._has_teams:
            yield act(Verb.LABEL_NAMESPACE, team="a")
        for name in self._classes:
            yield act(Verb.CLASS, name, value=self._priority())
        for name in self._runtimes:
            yield act(Verb.RUNTIME, name, cpu=self._one_of(("1", "2")))
        for flavor in dict.fromkeys([*self._flavors, *self._memory]):
            yield act(
                Verb.FLAVOR,
                flavor,
                taint=self._sometimes(self._one_of(("yes", *TAINTS)), 0.15),
                tolerates=self._sometimes(self._one_of(("yes", *TOLERATIONS)), 0.2),
            )
        for config in self._configs:
            yield act(Verb.CONFIG, config, **self._config())
        for check in self._checks:
            yield act(Verb.CHECK, check, config="g1" if self._configs and self._draw.random() < 0.8 else "")
        for cohort in self._cohorts:
            if self._draw.random() < 0.6:
                later = [other for other in self._cohorts if other > cohort]
                parent = self._sometimes(self._one_of(later), 0.6) if later else ""
                quota = self._quota(limited=bool(parent))
                yield act(Verb.COHORT, cohort, **quota, parent=parent, weight=self._weight())
        for queue in self._queues:
            yield self._queue(queue)
        for place, local in enumerate(self._locals):
            yield act(Verb.LOCAL, local, of=self._queues[place % len(self._queues)])

    def _queue(self, name: str) -> Act:
        cohort = self._one_of(self._cohorts) if self._cohorts and self._draw.random() < 0.85 else ""
        return act(
            Verb.QUEUE,
            name,
            **self._quota(bool(cohort)),
            cohort=cohort,
            checks=self._required_checks(),
            team=self._sometimes(self._one_of(_SELECTORS), 0.7) if self._has_teams else "",
            weight=self._weight(),
            strategy=self._sometimes("StrictFIFO", 0.25),
            within=self._sometimes(self._one_of(("LowerPriority", "LowerOrNewerEqualPriority")), 0.7),
            **self._reclaim(bool(cohort)),
            borrowing=self._sometimes("TryNextFlavor", 0.2),
            preempting=self._sometimes("TryNextFlavor", 0.2),
        )

    def _config(self) -> Mapping[str, str]:
        """Return what a ProvisioningRequestConfig says."""
        return {
            "class": self._sometimes("atomic", 0.3),
            "retries": self._one_of(("0", "1", "1", "2", "3")),
            "wait": self._sometimes(self._one_of(("10", "30", "60")), 0.5),
            "longest": self._sometimes("40", 0.3),
            "parameter": self._sometimes(self._one_of(("a", "b")), 0.4),
            "manages": self._sometimes(self._one_of(("memory", "cpu", "example.com/gpu,cpu")), 0.3),
        }

    def _provision(self) -> Act | None:
        states = ("Provisioned", "Provisioned", "Failed", "Failed", *CONDITIONS)
        return self._about_workload(Verb.PROVISION, state=self._one_of(states)) if self._configs else None

    def _weight(self) -> str:
        return self._sometimes(self._one_of(("0", "2", "500m")), 0.1)

    def _reclaim(self, is_in_cohort: bool) -> Mapping[str, str]:
        """Return from whom it takes its quota back, and whether it borrows by that."""
        reclaim = self._sometimes(self._one_of(("Any", "LowerPriority")), 0.6) if is_in_cohort else ""
        return {"reclaim": reclaim, "lower": self._sometimes(self._priority(), 0.25) if reclaim else ""}

    def _quota(self, limited: bool = True) -> Mapping[str, str]:
        flavors = [flavor for flavor in self._flavors if self._draw.random() < 0.85] or self._flavors[:1]
        quota = ",".join(f"{flavor}:{self._one_of(_QUOTAS)}" for flavor in flavors)
        limits = {
            "borrow": self._sometimes(self._one_of(("0", "1", "2")), 0.25),
            "lend": self._sometimes(self._one_of(("0", "1", "2")), 0.25),
        }
        # Resources of one group have the same flavors.
        shared = flavors if self._memory == self._flavors else self._memory
        memory = ",".join(f"{flavor}:{self._one_of((2, 4))}" for flavor in shared)
        counted = ",".join(f"{flavor}:{self._one_of((1, 2, 4))}" for flavor in flavors)
        counts = {"counted": counted} if self._counts_pods else {}
        return {"quota": quota, "memory": memory, **counts, **(limits if limited else {})}

    def _required_checks(self) -> str:
        chosen = [check for check in self._checks if self._draw.random() < 0.7]
        return ",".join(
            check + (f"@{self._one_of(self._flavors)}" if self._draw.random() < 0.25 else "")
            for check in chosen
        )

    def _submit(self) -> Act | None:
        name = f"w{len(self._submissions) + 1}"
        if len(self._submissions) >= _MOST_WORKLOADS:
            return None
        form = self._sometimes("job", 0.4)
        sets = 1 if form else self._one_of((1, 1, 1, 2))
        counts = [self._one_of((1, 1, 1, 2, 3)) for _ in range(sets)]
        has_minimum = counts[-1] > 1 and self._draw.random() < 0.4
        submission = act(
            Verb.SUBMIT,
            name,
            to=self._one_of(self._locals),
            form=form,
            pods="+".join(f"{count}x{self._one_of(_CPU)}" for count in counts),
            memory=self._sometimes("1", 0.6) if self._memory else "",
            min=1 if has_minimum else "",
            priority="" if form else self._sometimes(self._priority(), 0.8),
            **{"class": self._some_class() if form else ""},
            **self._shape(),
            active="" if form else self._sometimes("no", 0.05),
            limit=self._sometimes("60", 0.06),
        )
        self._submissions[name] = submission
        return submission

    def _shape(self) -> Mapping[str, str]:
        """Return some of what pods can have."""
        possible = [option for option in _SHAPES if option != "runtime" or self._runtimes]
        chosen = self._draw.sample(possible, self._one_of(_MOST_OF_SHAPE))
        return {option: self._one_of(_SHAPES[option]) for option in chosen}

    def _priority(self) -> str:
        return str(self._one_of((-5, 0, 1, 5, 5, 10)))

    def _answer(self) -> Act | None:
        if not self._checks or not self._submissions:
            return None
        state = self._one_of(("Ready", "Ready", "Retry", "Retry", "Rejected"))
        # One that its queue requires, if there is any: another one is not listed.
        required = {name: self._checks_of(name) for name in self._submissions}
        chosen = self._one_of([name for name in required if required[name]] or [*required])
        return act(
            Verb.ANSWER,
            chosen,
            check=self._one_of(required[chosen] or self._checks),
            state=state,
            delay=self._sometimes(self._one_of(("30", "90")), 0.4) if state == "Retry" else "",
            update=self._sometimes(self._one_of(_UPDATES), 0.4) if state == "Ready" else "",
        )

    def _checks_of(self, workload: str) -> Sequence[str]:
        """Return the checks that the queue of a Workload was created with."""
        local = self._creations[self._submissions[workload].option("to")]
        checks = self._creations[local.option("of")].option("checks")
        return [check.partition("@")[0] for check in checks.split(",") if check]

    def _about_workload(self, verb: Verb, **options: object) -> Act | None:
        return act(verb, self._one_of([*self._submissions]), **options) if self._submissions else None

    def _about_job(self, verb: Verb, **options: object) -> Act | None:
        jobs = [name for name, submission in self._submissions.items() if submission.option("form")]
        return act(verb, self._one_of(jobs), **options) if jobs else None

    def _change_job(self) -> Act | None:
        changes: Mapping[str, str] = {
            "parallelism": self._one_of(("1", "2", "3")),
            "cpu": self._one_of(_CPU),
            "limit": self._one_of(("60", "120")),
            "min": "1",
            "tolerates": self._one_of([*TOLERATIONS]),
            "class": self._one_of(self._classes) if self._classes else "",
        }
        field = self._one_of([name for name, value in changes.items() if value])
        return self._about_job(Verb.CHANGE_JOB, **{field: changes[field]})

    def _some_class(self) -> str:
        return self._sometimes(self._one_of(self._classes), 0.8) if self._classes else ""

    def _set_class(self) -> Act | None:
        if not self._classes:
            return None
        return act(Verb.SET_CLASS, self._one_of(self._classes), value=self._priority())

    def _set_quota(self) -> Act:
        cohorts = [cohort for cohort in self._cohorts if cohort in self._creations]
        name = self._one_of([*self._queues, *self._queues, *cohorts])
        is_within = any(self._creations[name].option(option) for option in ("cohort", "parent"))
        return act(Verb.SET_QUOTA, name, **self._quota(limited=is_within))

    def _set_parent(self) -> Act | None:
        """Put a Cohort under another one, or under none."""
        if not self._cohorts:
            return None
        cohort = self._one_of([name for name in self._cohorts if name in self._creations] or [""])
        parents = [other for other in self._cohorts if other != cohort]
        return act(Verb.SET_PARENT, cohort, parent=self._one_of([*parents, ""])) if cohort else None

    def _stop(self) -> Act:
        policy = self._one_of(("None", "None", "None", "Hold", "HoldAndDrain", "HoldAndDrain"))
        return act(Verb.STOP, self._one_of([*self._queues, *self._queues, *self._locals]), policy=policy)

    def _delete(self) -> Act | None:
        """Create what was deleted, or delete something: Workloads most of all."""
        if self._absent and self._draw.random() < 0.6:
            return self._absent.pop(self._one_of([*self._absent]))
        workloads = [*self._submissions]
        rare = self._one_of(self._rarely_deleted)
        name = self._one_of(workloads) if workloads and self._draw.random() < 0.6 else rare
        self._absent[name] = self._submissions.get(name) or self._creations[name]
        return act(Verb.DELETE, name)

    @property
    def _rarely_deleted(self) -> Sequence[str]:
        return [
            *self._queues,
            *self._locals,
            *self._flavors,
            *self._checks,
            *self._classes,
            *self._runtimes,
            *self._configs,
        ]

    def _set_active(self) -> Act | None:
        if not self._checks:
            return None
        return act(Verb.SET_ACTIVE, self._one_of(self._checks), active=self._one_of(("yes", "no")))

    def _sometimes(self, value: str, probability: float) -> str:
        return value if self._draw.random() < probability else ""

    def _some(self, values: Sequence[str]) -> str:
        return self._draw.choice(values)

    def _one_of(self, values: Sequence[Item]) -> Item:
        return self._draw.choice(values)
