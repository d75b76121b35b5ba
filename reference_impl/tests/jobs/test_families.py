"""Who stands for a Job that belongs to other Jobs."""

import pytest

from reference_impl.api.resource import Key
from reference_impl.kueue.jobs.families import JobAncestors, parents
from reference_impl.kueue.jobs.job import Job

QUEUE = {"kueue.x-k8s.io/queue-name": "lq"}


def job(name, parent="", labels=None, uid="", **reference):
    owner = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": parent,
        "uid": f"uid-{parent}",
        "controller": True,
    }
    owners = [owner | reference] if parent else []
    metadata = {"name": name, "namespace": "ns", "uid": uid or f"uid-{name}", "labels": labels or {}}
    return {"metadata": metadata | {"ownerReferences": owners}, "spec": {}}


TOP, PLAIN = job("top", labels=QUEUE), job("plain")
CASES = {
    "nobody above": ([], job("j"), False, None),
    "a managed one": ([TOP], job("j", "top"), False, "top"),
    "one that is not managed": ([PLAIN], job("j", "plain"), False, None),
    "one of all that are managed": ([PLAIN], job("j", "plain"), True, "plain"),
    "the topmost of several": ([TOP, job("middle", "top", QUEUE)], job("j", "middle"), False, "top"),
    "through one that is not managed": ([TOP, job("middle", "top")], job("j", "middle"), False, "top"),
    "one that is gone": ([], job("j", "top"), False, None),
    "another of the same name": ([job("top", labels=QUEUE, uid="new")], job("j", "top"), False, None),
    "one that does not control it": ([TOP], job("j", "top", controller=False), False, None),
    "another kind": ([TOP], job("j", "top", kind="Workload"), False, None),
    "each other's": ([job("a", "j", QUEUE)], job("j", "a"), False, "a"),
}


@pytest.mark.parametrize(("objects", "obj", "manages_all", "name"), CASES.values(), ids=CASES)
def test_ancestor(objects, obj, manages_all, name):
    jobs = {Key("ns", member["metadata"]["name"]): member for member in [*objects, obj]}

    ancestor = JobAncestors(jobs, manages_all).ancestor(Job(obj))

    assert (ancestor.metadata["name"] if ancestor else None) == name


@pytest.mark.parametrize(
    ("obj", "keys"), [(job("j", "top"), ("ns/top",)), (PLAIN, ())], ids=["child", "alone"]
)
def test_jobs_are_found_by_their_parent(obj, keys):
    assert tuple(parents(obj)) == keys
