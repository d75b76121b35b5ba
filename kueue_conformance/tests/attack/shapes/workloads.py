"""Workloads of very many pods, which controllers make while other clients are answered."""

from ..conversation import Conversation
from ..requests import JOBS, NAMESPACE, request
from .shape import Shape

MOST = 2**31 - 1
APPS = f"/apis/apps/v1/namespaces/{NAMESPACE}"
KINDS = ("deployments", "replicasets", "statefulsets")
BACKGROUND = "?propagationPolicy=Background"


def pod(restart_policy):
    """Return a template of pods."""
    containers = [{"name": "c", "image": "i"}]
    return {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"restartPolicy": restart_policy, "containers": containers},
    }


def jobs(site, random):
    """A Job of very many pods or indexes that is deleted again."""
    name, number = f"huge{random.randrange(10)}", random.choice((5_000, 100_000, 10**9, MOST))
    spec = {"completions": number, "parallelism": random.choice((1, 1_000, number)), "template": pod("Never")}
    if random.random() < 0.5:
        spec |= {"completionMode": "Indexed", "parallelism": random.choice((1, 1_000, 100_000))}
    body = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": spec}
    ask = request(site, "GET", f"{JOBS}/{name}")
    return Conversation(
        parts=(
            request(site, "POST", JOBS, body),
            *[ask] * random.randint(1, 50),
            request(site, "DELETE", f"{JOBS}/{name}{BACKGROUND}"),
        )
    )


def replicas(site, random):
    """A workload of two billion replicas that is deleted again."""
    name, plural = f"huge{random.randrange(10)}", random.choice(KINDS)
    spec = {"replicas": MOST, "selector": {"matchLabels": {"a": "b"}}, "template": pod("Always")}
    if plural == "statefulsets":
        spec |= {"serviceName": "s", "podManagementPolicy": random.choice(("Parallel", "OrderedReady"))}
    ask = request(site, "GET", f"{APPS}/{plural}/{name}")
    return Conversation(
        parts=(
            request(site, "POST", f"{APPS}/{plural}", {"metadata": {"name": name}, "spec": spec}),
            *[ask] * random.randint(1, 50),
            request(site, "DELETE", f"{APPS}/{plural}/{name}{BACKGROUND}"),
        )
    )


SHAPES = (Shape("huge-jobs", jobs), Shape("huge-replicas", replicas))
