"""Stories of one Workload in one queue, of which Kueue wrote what is judged, as short as they can be told."""

from kueue_conformance.history.story import Change, Request
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

AT = 1_800_000_000.0
NOW, EARLIER, LATER = "2027-01-15T08:00:00Z", "2027-01-15T07:00:00Z", "2027-01-15T09:00:00Z"
KUEUE = "kueue-admission"


def condition(name, status="True", time=EARLIER, **fields):
    return {
        "type": name,
        "status": status,
        "reason": "Because",
        "message": "",
        "lastTransitionTime": time,
        "observedGeneration": 1,
        **fields,
    }


def entry(name, state="Pending", time=EARLIER, **fields):
    return {"name": name, "state": state, "message": "", "lastTransitionTime": time, **fields}


def admission(cpu="1", flavor="small", queue="queue", pods="main"):
    assigned = {"name": pods, "flavors": {"cpu": flavor}, "resourceUsage": {"cpu": cpu}, "count": 1}
    return {"clusterQueue": queue, "podSetAssignments": [assigned]}


def workload(*conditions, checks=(), spec=None, name="work", **status):
    """Return a Workload; a condition that is a word is True."""
    listed_conditions = [
        condition(status_condition) if isinstance(status_condition, str) else status_condition
        for status_condition in conditions
    ]
    return {
        "metadata": {"name": name, "namespace": "ns", "generation": 1},
        "spec": {"queueName": "local", "podSets": [{"name": "main", "count": 1}], **(spec or {})},
        "status": {
            "conditions": listed_conditions,
            **({"admissionChecks": [*checks]} if checks else {}),
            **status,
        },
    }


def with_quota(*conditions, cpu="1", **fields):
    return workload("QuotaReserved", *conditions, **{"admission": admission(cpu), **fields})


def queue(cpu="1", checks=None, cohort="", name="queue", **limits):
    quota = {"name": "cpu", "nominalQuota": cpu, **limits}
    rules = [
        {"name": check_name, **({"onFlavors": flavors} if flavors else {})}
        for check_name, flavors in (checks or {}).items()
    ]
    return {
        "metadata": {"name": name},
        "spec": {
            "resourceGroups": [{"flavors": [{"name": "small", "resources": [quota]}]}],
            **({"cohortName": cohort} if cohort else {}),
            **({"admissionChecksStrategy": {"admissionChecks": rules}} if rules else {}),
        },
    }


DEFAULT_QUEUES = (queue(),)
LOCAL = {"metadata": {"name": "local", "namespace": "ns"}, "spec": {"clusterQueue": "queue"}}


def event(reason):
    """Return an event of Kueue about the Workload."""
    about = {"kind": "Workload", "namespace": "ns", "name": "work"}
    metadata = {"name": f"about-{reason.lower()}", "namespace": "ns"}
    return {"metadata": metadata, "reason": reason, "reportingController": KUEUE, "regarding": about}


def change(before, after, kind="Workload", actor=KUEUE, *, seconds=0.0):
    metadata = (after or before)["metadata"]
    return Change(
        revision=0,
        at=AT + seconds,
        actor=actor,
        verb="update",
        kind=kind,
        namespace=metadata.get("namespace", ""),
        name=metadata["name"],
        before=before,
        after=after,
    )


def creation(manifest, kind):
    return change(None, manifest, kind, "user", seconds=-3600.0)


def refusal(message, code=422):
    return Request(
        at=AT,
        verb="patch",
        kind="Workload",
        namespace="ns",
        name="work",
        subresource="status",
        code=code,
        message=message,
    )


def broken_rules(
    *changes,
    queues=DEFAULT_QUEUES,
    refused=(),
    dialect="v0.19",
    settled=(),
    kinds=None,
    until=0.0,
    permits=(),
    timeout_scale=1.0,
):
    """Return the rules that a story breaks; its changes have the revisions 11, 12, …, and all was at rest at
    10 unless told otherwise.
    """
    there = [
        *(
            creation(queue_or_cohort, "Cohort" if "parentName" in queue_or_cohort["spec"] else "ClusterQueue")
            for queue_or_cohort in queues
        ),
        creation(LOCAL, "LocalQueue"),
    ]
    numbered = [_at(creation, number) for number, creation in enumerate(there, 1)] + [
        _at(story_change, number) for number, story_change in enumerate(changes, 11)
    ]
    story = Story(
        changes=numbered,
        attempts=refused,
        controller="",
        requests=refused,
        settled=(10, *settled),
        kinds=kinds,
        until=AT + until if until else 0.0,
        timeout_scale=timeout_scale,
    )
    return [violation.rule for violation in judge(story, known_dialects()[dialect], permits)]


def _at(story_change, revision):
    fields = {
        name: getattr(story_change, name)
        for name in ("at", "actor", "verb", "kind", "namespace", "name", "before", "after")
    }
    return Change(revision=revision, **fields)
