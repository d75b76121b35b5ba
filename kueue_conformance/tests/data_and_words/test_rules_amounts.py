"""Safety rules about what an admission says that pods use: as short as a story can be told (Q-083, Q-177)."""

import pytest

from .control_plane_stories import admission, broken, change, queue, reserved, workload


def asks(*containers, count=2, **pod):
    """Return the spec of a Workload whose pods have containers that ask for these amounts of cpu; an empty
    one names none.
    """
    wanted = [{"resources": {"requests": {"cpu": each} if each else {}}} for each in containers]
    return {
        "podSets": [{"name": "main", "count": count, "template": {"spec": {"containers": wanted, **pod}}}]
    }


def told(cpu, count=2, **fields):
    """Return an admission of pods that use so much together."""
    found = admission(cpu)
    (one,) = found["podSetAssignments"]
    return {**found, "podSetAssignments": [{**one, "count": count, **fields}]}


def story(spec, said):
    return change(workload(spec=spec), reserved(spec=spec, admission=said))


STORIES = {
    "as many times as there are pods": (story(asks("500m"), told("1")), []),
    "of all containers": (story(asks("1", "500m"), told("3")), []),
    "of fewer pods": (story(asks("1", count=3), told("2")), []),
    "Q-083 of one pod": (story(asks("1"), told("1")), ["Q-083"]),
    "Q-083 of one container": (story(asks("1", "500m"), told("2")), ["Q-083"]),
    "Q-083 of all pods, and fewer are admitted": (story(asks("1", count=3), told("3")), ["Q-083"]),
    "Q-083 nothing": (story(asks("1"), told("0", flavors={}, resourceUsage={})), ["Q-083"]),
    "Q-177 a flavor alone": (story(asks(""), told("1", resourceUsage={})), ["Q-177"]),
    "Q-177 a usage alone": (story(asks(""), told("1", flavors={})), ["Q-177"]),
    "what a container does not name may be a default": (story(asks("1", ""), told("6")), []),
    "an overhead": (story(asks("1", overhead={"cpu": "1"}), told("4")), []),
    "finer than is counted": (story(asks("100u"), told("2m")), []),
}


@pytest.mark.parametrize(("one", "rules"), STORIES.values(), ids=STORIES)
def test_what_pods_use(one, rules):
    assert broken(one, queues=[queue("100")]) == rules
