"""PRC: what v0.9 did, the release of the documents of 2024: the Workload goes back at once, and pods get both
families of annotations (DK-21, DK-43, DK-47, DK-48).
"""

from kueue_conformance import scenario, within

V09 = {"only": ("docs-2024",)}
OLD = "cluster-autoscaler.kubernetes.io"
NEW = "autoscaling.x-k8s.io"


@scenario(
    "PRC-242",
    "pods consume their request by the annotations of both families",
    requirement="provisioning-check#pod-set-updates",
    shows="DK-21 DK-22 DK-43",
    clauses={"a": "both, for request and class"},
    **V09,
)
def test_both_families(provisioning, autoscaler):
    queue = provisioning.make_queue(class_name="any")
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    expected = {
        f"{family}/{name}": value
        for family in (OLD, NEW)
        for name, value in (
            ("consume-provisioning-request", request.name),
            ("provisioning-class-name", "any"),
        )
    }
    within("admit", workload.is_admitted)
    within(
        "react",
        lambda: workload.has_updates(queue.checks[0], [{"name": "main", "annotations": expected}]),
        clause="a",
    )


@scenario(
    "PRC-243",
    "a request that fails releases the quota at once, and the Workload is tried again after the back-off",
    requirement=("docs-2024#retry-releases", "provisioning-check#retries"),
    shows="DK-43 DK-47 DK-48",
    clauses={
        "a": "the quota goes to another Workload during the back-off",
        "b": "it is requested again then",
    },
    **V09,
)
def test_quota_goes_at_once(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(cpu="1", wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue, cpu="1")
    request = workload.request(check)
    first = request.uid
    other = queue.submit(cpu="1")

    autoscaler.reject(request)
    within("requeue", lambda: workload.is_suspended() and other.request(check).exists(), clause="a")
    other.delete()
    clock.advance(clock.hold)

    within("requeue", lambda: workload.is_prechecked() and request.has_other_uid(first), clause="b")


@scenario(
    "PRC-244",
    "after as many retries as the configuration allows the Workload is deactivated",
    requirement=("docs-2024#rejected-deactivates", "provisioning-check#retry-limit"),
    shows="DK-43 PA-075",
    clauses={"a": "one request more than retries", "b": "it is deactivated then"},
    **V09,
)
def test_given_up(provisioning, autoscaler):
    queue = provisioning.make_queue(limit=1)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    autoscaler.reject(request)
    within("requeue", lambda: request.has_other_uid(first), clause="a")

    autoscaler.reject(request)

    within("evict", workload.is_rejected, clause="b")
    within("react", lambda: request.was_created(2), clause="a")
