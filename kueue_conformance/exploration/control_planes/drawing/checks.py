"""Draws AdmissionChecks, the answers of their controllers, and those of an autoscaler (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..acting.provisioning_acts import CONDITIONS
from ..acts import Act, Verb, act
from .story_objects import StoryObjects

_UPDATES = ("labels", "annotations", "nodeSelector", "tolerations")
_STATES = ("Ready", "Ready", "Retry", "Retry", "Rejected")
AFTER = "AfterCheckPassedOrOnDemand"
"""The policy by which preemptions wait for a check (KEP-993)."""
_REQUESTED = "PreemptionRequired"
_CAPACITY_STATES = ("Provisioned", "Provisioned", "Failed", "Failed", *CONDITIONS)

_MANAGED = ("memory", "memory", "cpu", "example.com/gpu", "example.com/gpu", "example.com/gpu,cpu")
_MERGES = ("IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements")
_DETAILS = ("zone", "rack", "zone,rack")
"""Details of a provisioning class by which nodes are labelled."""


def create_checks(objects: StoryObjects) -> Iterator[Act]:
    """Yield acts that create configurations and checks."""
    for config in objects.configs:
        objects.settings[config] = _config(objects)
        yield act(Verb.CONFIG, config, **objects.settings[config])
    for check in objects.checks:
        chance = objects.chance
        if objects.configs and chance.happens(0.8):
            yield act(Verb.CHECK, check, config=chance.one_of(objects.configs))
            continue
        retry = chance.sometimes(chance.one_of(("0", "1", "2", "30")), 0.4)
        yield act(Verb.CHECK, check, retry=retry, policy=chance.sometimes(AFTER, 0.4))


def required_checks(objects: StoryObjects) -> str:
    """Return the checks that a ClusterQueue requires, some of them for one flavor alone."""
    chance = objects.chance
    chosen = [check for check in objects.checks if chance.happens(objects.emphasis.required)]
    return ",".join(
        check + (f"@{chance.one_of(objects.flavors)}" if chance.happens(0.25) else "") for check in chosen
    )


def _config(objects: StoryObjects) -> Mapping[str, str]:
    """Return what a ProvisioningRequestConfig says."""
    chance = objects.chance
    return {
        "class": chance.sometimes("atomic", 0.3),
        "retries": chance.one_of(("0", "1", "1", "2", "3")),
        "wait": chance.sometimes(chance.one_of(("10", "30", "60")), 0.5),
        "longest": chance.sometimes("40", 0.3),
        "parameter": chance.sometimes(chance.one_of(("a", "b")), 0.4),
        "manages": chance.sometimes(chance.one_of(_MANAGED), 0.5),
        "merges": chance.sometimes(chance.one_of(_MERGES), 0.4),
        "labels": chance.sometimes(chance.one_of(_DETAILS), 0.4),
    }


def _set_config(objects: StoryObjects) -> Act | None:
    """Change one setting of a configuration, or all: a release reacts to some settings alone."""
    if not objects.configs:
        return None
    chance = objects.chance
    config = chance.one_of(objects.configs)
    former, drawn = objects.settings[config], _config(objects)
    changed = [name for name, value in drawn.items() if value != former[name]]
    if changed and chance.happens(0.7):
        # What is managed decides most: whether there is a request at all.
        name = "manages" if "manages" in changed and chance.happens(0.5) else chance.one_of(changed)
        drawn = {**former, name: drawn[name]}
    objects.settings[config] = drawn
    return act(Verb.SET_CONFIG, config, **drawn)


def _provision(objects: StoryObjects) -> Act | None:
    chance = objects.chance
    state, details = chance.one_of(_CAPACITY_STATES), chance.sometimes(chance.one_of(_DETAILS), 0.5)
    return objects.about_workload(Verb.PROVISION, state=state, details=details) if objects.configs else None


def _drop_request(objects: StoryObjects) -> Act | None:
    return objects.about_workload(Verb.DROP_REQUEST) if objects.configs else None


def _approve(objects: StoryObjects) -> Act | None:
    return act(Verb.APPROVE) if objects.checks else None


def _answer(objects: StoryObjects) -> Act | None:
    if not objects.checks or not objects.submissions:
        return None
    chance = objects.chance
    holds_back = any(objects.creations[check].option("policy") for check in objects.checks)
    state = "Pending" if holds_back and chance.happens(0.15) else chance.one_of(_STATES)
    # One that its queue requires, if there is any: another one is not listed.
    required = {name: objects.checks_of(name) for name in objects.submissions}
    chosen = chance.one_of([name for name in required if required[name]] or [*required])
    return act(
        Verb.ANSWER,
        chosen,
        others=chance.sometimes("yes", 0.25) if len(objects.checks) > 1 else "",
        check=chance.one_of(required[chosen] or objects.checks),
        state=state,
        reason=_REQUESTED if state == "Pending" else "",
        delay=chance.sometimes(chance.one_of(("30", "90")), 0.4) if state == "Retry" else "",
        update=chance.sometimes(chance.one_of(_UPDATES), 0.4) if state == "Ready" else "",
    )


def _set_checks(objects: StoryObjects) -> Act:
    return act(Verb.SET_CHECKS, objects.chance.one_of(objects.queues), checks=required_checks(objects))


def _set_active(objects: StoryObjects) -> Act | None:
    if not objects.checks:
        return None
    active = objects.chance.one_of(("yes", "no"))
    return act(Verb.SET_ACTIVE, objects.chance.one_of(objects.checks), active=active)


DRAWS: Mapping[Verb, Callable[[StoryObjects], Act | None]] = {
    Verb.SET_CONFIG: _set_config,
    Verb.PROVISION: _provision,
    Verb.DROP_REQUEST: _drop_request,
    Verb.APPROVE: _approve,
    Verb.ANSWER: _answer,
    Verb.SET_CHECKS: _set_checks,
    Verb.SET_ACTIVE: _set_active,
}
"""What draws an act of a verb; None where it can be about nothing."""
