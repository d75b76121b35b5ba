"""Safety rules about what an admission says that pods use: as short as a story can be told (Q-083, Q-177)."""

import pytest

from .control_plane_stories import admission, broken_rules, change, queue, with_quota, workload


def asks(*containers, count=2, **pod):
    """Return the spec of a Workload whose pods have containers that ask for these amounts of cpu; an empty
    one names none.
    """
    containers_of_pod = [
        {"resources": {"requests": {"cpu": amount} if amount else {}}} for amount in containers
    ]
    return {
        "podSets": [
            {"name": "main", "count": count, "template": {"spec": {"containers": containers_of_pod, **pod}}}
        ]
    }


def admission_of(cpu, count=2, **fields):
    """Return an admission of pods that use so much together."""
    admission_of_pods = admission(cpu)
    (assignment,) = admission_of_pods["podSetAssignments"]
    return {**admission_of_pods, "podSetAssignments": [{**assignment, "count": count, **fields}]}


def story(spec, admission_fields):
    return change(workload(spec=spec), with_quota(spec=spec, admission=admission_fields))


STORIES = {
    "as many times as there are pods": (story(asks("500m"), admission_of("1")), []),
    "of all containers": (story(asks("1", "500m"), admission_of("3")), []),
    "of fewer pods": (story(asks("1", count=3), admission_of("2")), []),
    "Q-083 of one pod": (story(asks("1"), admission_of("1")), ["Q-083"]),
    "Q-083 of one container": (story(asks("1", "500m"), admission_of("2")), ["Q-083"]),
    "Q-083 of all pods, and fewer are admitted": (story(asks("1", count=3), admission_of("3")), ["Q-083"]),
    "Q-083 nothing": (story(asks("1"), admission_of("0", flavors={}, resourceUsage={})), ["Q-083"]),
    "Q-177 a flavor alone": (story(asks(""), admission_of("1", resourceUsage={})), ["Q-177"]),
    "Q-177 a usage alone": (story(asks(""), admission_of("1", flavors={})), ["Q-177"]),
    "what a container does not name may be a default": (story(asks("1", ""), admission_of("6")), []),
    "an overhead": (story(asks("1", overhead={"cpu": "1"}), admission_of("4")), []),
    "finer than is counted": (story(asks("100u"), admission_of("2m")), []),
}


@pytest.mark.parametrize(("admission_change", "rules"), STORIES.values(), ids=STORIES)
def test_what_pods_use(admission_change, rules):
    assert broken_rules(admission_change, queues=[queue("100")]) == rules
