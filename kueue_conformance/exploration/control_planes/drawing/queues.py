"""Draws flavors, Cohorts, ClusterQueues and LocalQueues, and what administrators do with them (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..acts import Act, Verb, act
from ..pod_templates import TAINTS, TOLERATIONS
from .checks import required_checks
from .random_choices import some_words
from .story_objects import StoryObjects

_TEAMS = ("a", "b")
_SELECTORS = (
    *("a", "a", "In:a,c", "NotIn:a", "Exists", "DoesNotExist"),
    *("a&NotIn:b", "a&In:b,c", "b&Exists", "Exists&NotIn:a", "In:a,b&NotIn:b", "a&spare", "absent"),
)
_STOPS = ("Hold", "HoldAndDrain")
_RESUMED = "None"
_STRATEGIES = ("StrictFIFO", "BestEffortFIFO")
_WITHIN = ("LowerPriority", "LowerOrNewerEqualPriority")


def create_flavors(objects: StoryObjects) -> Iterator[Act]:
    """Yield acts that create the flavors."""
    chance = objects.chance
    for flavor in dict.fromkeys([*objects.flavors, *objects.memory]):
        taint = chance.sometimes(some_words(chance, TAINTS), objects.emphasis.taints)
        tolerates = chance.sometimes(some_words(chance, TOLERATIONS), 0.2)
        yield act(Verb.FLAVOR, flavor, taint=taint, tolerates=tolerates)


def create_queues(objects: StoryObjects) -> Iterator[Act]:
    """Yield acts that create Cohorts, ClusterQueues and LocalQueues."""
    chance = objects.chance
    for cohort in objects.cohorts:
        if chance.happens(0.6):
            later = [other for other in objects.cohorts if other > cohort]
            parent = chance.sometimes(chance.one_of(later), 0.6) if later else ""
            quota = _quota(objects, limited=bool(parent))
            yield act(Verb.COHORT, cohort, **quota, parent=parent, weight=_weight(objects))
    for queue in objects.queues:
        yield _cluster_queue(objects, queue)
    for place, local in enumerate(objects.locals):
        yield act(Verb.LOCAL, local, of=objects.queues[place % len(objects.queues)])


def _cluster_queue(objects: StoryObjects, name: str) -> Act:
    chance, emphasis = objects.chance, objects.emphasis
    cohort = chance.one_of(objects.cohorts) if objects.cohorts and chance.happens(0.85) else ""
    return act(
        Verb.QUEUE,
        name,
        **_quota(objects, limited=bool(cohort)),
        cohort=cohort,
        checks=required_checks(objects),
        team=chance.sometimes(chance.one_of(_SELECTORS), 0.7) if objects.has_teams else "",
        weight=_weight(objects),
        strategy=chance.sometimes(_STRATEGIES[0], emphasis.strict),
        within=chance.sometimes(chance.one_of(_WITHIN), emphasis.preempts),
        **_reclaim(objects, is_in_cohort=bool(cohort)),
        borrowing=chance.sometimes("TryNextFlavor", 0.2),
        preempting=chance.sometimes("TryNextFlavor", 0.2),
    )


def _weight(objects: StoryObjects) -> str:
    # Without fair sharing weights decide nothing, and are shown in no share.
    is_fair = "fair-sharing" in objects.emphasis.features and objects.emphasis.is_configured == 1
    return objects.chance.sometimes(
        objects.chance.one_of(("0", "2", "2", "500m", "3")), 0.5 if is_fair else 0.1
    )


def _reclaim(objects: StoryObjects, *, is_in_cohort: bool) -> Mapping[str, str]:
    """Return from whom it takes its quota back, and whether it borrows by that."""
    chance = objects.chance
    probability = objects.emphasis.preempts - 0.1 if is_in_cohort else 0
    reclaim = chance.sometimes(chance.one_of(("Any", "LowerPriority")), probability)
    return {"reclaim": reclaim, "lower": chance.sometimes(objects.priority(), 0.25) if reclaim else ""}


def _quota(objects: StoryObjects, *, limited: bool) -> Mapping[str, str]:
    chance = objects.chance
    flavors = [flavor for flavor in objects.flavors if chance.happens(0.85)] or objects.flavors[:1]
    quota = ",".join(f"{flavor}:{chance.one_of(objects.emphasis.quotas)}" for flavor in flavors)
    limits = {
        "borrow": chance.sometimes(chance.one_of(("0", "1", "2")), 0.25),
        "lend": chance.sometimes(chance.one_of(("0", "1", "2")), 0.25),
    }
    # Resources of one group have the same flavors.
    shared = flavors if objects.memory == objects.flavors else objects.memory
    memory = ",".join(f"{flavor}:{chance.one_of((2, 4))}" for flavor in shared)
    counted = ",".join(f"{flavor}:{chance.one_of((1, 2, 4))}" for flavor in flavors)
    counts = {"counted": counted} if objects.counts_pods else {}
    return {"quota": quota, "memory": memory, **counts, **(limits if limited else {})}


def _set_quota(objects: StoryObjects) -> Act:
    cohorts = [cohort for cohort in objects.cohorts if cohort in objects.creations]
    name = objects.chance.one_of([*objects.queues, *objects.queues, *cohorts])
    is_within = any(objects.creations[name].option(option) for option in ("cohort", "parent"))
    return act(Verb.SET_QUOTA, name, **_quota(objects, limited=is_within))


def _set_cohort(objects: StoryObjects) -> Act:
    cohort = objects.chance.one_of([*objects.cohorts, ""])
    return act(Verb.SET_COHORT, objects.chance.one_of(objects.queues), cohort=cohort)


def _set_parent(objects: StoryObjects) -> Act | None:
    """Put a Cohort under another one, or under none."""
    created = [name for name in objects.cohorts if name in objects.creations]
    if not created:
        return None
    cohort = objects.chance.one_of(created)
    parents = [other for other in objects.cohorts if other != cohort]
    return act(Verb.SET_PARENT, cohort, parent=objects.chance.one_of([*parents, ""]))


def _set_strategy(objects: StoryObjects) -> Act:
    strategy = objects.chance.one_of(_STRATEGIES)
    return act(Verb.SET_STRATEGY, objects.chance.one_of(objects.queues), strategy=strategy)


def _stop(objects: StoryObjects) -> Act:
    """Stop a queue, or resume one that is stopped, which is more frequent."""
    chance, stopped = objects.chance, objects.stopped
    if stopped and chance.happens(0.6):
        queue = chance.one_of(sorted(stopped))
        policy = chance.one_of((_RESUMED, _RESUMED, *_STOPS))
    else:
        queue = chance.one_of([*objects.queues, *objects.queues, *objects.locals])
        policy = chance.one_of(_STOPS)
    objects.stopped = (stopped | {queue}) - ({queue} if policy == _RESUMED else frozenset())
    return act(Verb.STOP, queue, policy=policy)


def _label_namespace(objects: StoryObjects) -> Act | None:
    return act(Verb.LABEL_NAMESPACE, team=objects.chance.one_of(_TEAMS)) if objects.has_teams else None


DRAWS: Mapping[Verb, Callable[[StoryObjects], Act | None]] = {
    Verb.SET_QUOTA: _set_quota,
    Verb.SET_COHORT: _set_cohort,
    Verb.SET_PARENT: _set_parent,
    Verb.SET_STRATEGY: _set_strategy,
    Verb.STOP: _stop,
    Verb.LABEL_NAMESPACE: _label_namespace,
}
"""What draws an act of a verb; None where it can be about nothing."""
