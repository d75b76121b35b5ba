"""PRC: how often and after which wait a request that failed is tried again (PA-073…PA-075, PA-095…PA-102,
PA-108…PA-115, PD-12, PD-13).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

WAIT, LONGEST = 60, 1800


def fails(provisioning, autoscaler, queue, workload, times):
    """Have the requests of so many attempts fail, one after another; the request of the next attempt exists
    at the end.
    """
    request = workload.request(queue.checks[0])
    for _ in range(times):
        uid = request.uid
        autoscaler.reject(request, "no room")
        within("requeue", lambda old=uid: request.has_other_uid(old))


@scenario(
    "PRC-100",
    "a failed request is followed by another one, which can succeed",
    requirement=("provisioning-check#retries", "aep#one-shot", "docs-2024#retry-releases"),
    shows="SC-152 TB-113 TB-25 PA-073 PA-115 RG-K10 RG-K11",
    since="0.9",
    cases=cross(form=("workload", "job")).also_drawn().also_beside_namesakes(),
    clauses={
        "a": "sent back by the check",
        "b": "one other request exists",
        "c": "provided, it is admitted",
    },
)
def test_second_attempt(provisioning, autoscaler, form):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue, form)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.reject(request, "no room")

    within("requeue", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: request.has_other_uid(first) and workload.has_requests(1), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-101",
    "a failed request is retried up to the limit, and then its Workload is rejected",
    requirement=("provisioning-check#retry-limit", "docs-2024#rejected-deactivates"),
    shows="PA-075 PA-098 TB-26 TB-105 TB-114 TB-116 SC-145 SC-152",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=cross(limit=(0, 2)),
    clauses={
        "a": "so many requests and one more",
        "b": "rejected after the last",
        "c": "no request is left or made",
    },
)
def test_limit(provisioning, autoscaler, limit):
    queue = provisioning.make_queue(limit=limit)
    workload = provisioning.submit_until_requested(queue)
    fails(provisioning, autoscaler, queue, workload, limit)
    always(lambda: workload.request(queue.checks[0]).was_created(limit + 1), clause="a")

    autoscaler.reject(workload.request(queue.checks[0]), "no room")

    within("evict", workload.is_rejected, clause="b")
    within("evict", workload.has_no_request, clause="c")
    always(lambda: workload.request(queue.checks[0]).was_created(limit + 1), clause="c")


@scenario(
    "PRC-102",
    "the back-off doubles from one attempt to the next, up to its limit",
    requirement="provisioning-check#wait",
    shows="PA-095 PA-096 PA-171 PD-12",
    since="0.19",
    cases=rows(
        "base longest waits",
        (WAIT, LONGEST, "60-120-240"),
        (WAIT, 100, "60-100-100"),
        (7, 0, "7-14-28"),
        (0, LONGEST, "0-0-0"),
    ),
    needs=("virtual time",),
    clauses={"a": "the back-off that is requested at each failure"},
)
def test_waits(provisioning, autoscaler, clock, base, longest, waits):
    queue = provisioning.make_queue(wait=base, longest=longest)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)

    for seconds in map(int, waits.split("-")):
        uid = request.uid
        autoscaler.reject(request)
        within("react", lambda expected=seconds: workload.had_delay(check, expected), clause="a")
        clock.advance(seconds)
        within("requeue", lambda old=uid: request.has_other_uid(old))


@scenario(
    "PRC-103",
    "a Workload whose request failed is not tried again before its back-off is over",
    requirement=("provisioning-check#wait", "kep-993#hold"),
    shows="PA-100 PA-107 PA-108 PA-109",
    since="0.9",
    clauses={
        "a": "no second reservation during the wait",
        "b": "one when it is over",
        "c": "with a request of its own",
    },
)
def test_wait_is_kept(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.reject(request)
    clock.advance_while(clock.hold, lambda: workload.was_reserved(1), clause="a")

    within("requeue", lambda: workload.was_reserved(2), clause="b")
    within("react", lambda: request.has_other_uid(first), clause="c")


@scenario(
    "PRC-104",
    "the back-off starts at the failure, or at the time at which the check became Pending",
    requirement="provisioning-check#quirks",
    shows="PA-100 PA-101 PA-102 RG-K28 PD-12",
    level="may",
    since="0.19",
    clauses={"a": "it waits, or not at all when the failure came late", "b": "another request in the end"},
)
def test_late_failure(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    clock.advance(clock.hold * 2)

    autoscaler.reject(request)
    clock.advance_budget("react")

    either(
        "react",
        {
            "from the failure": lambda: (
                workload.was_reserved(1) and workload.had_verdict(queue.checks[0], "Retry")
            ),
            "from the check's time": lambda: workload.was_reserved(2),
        },
        clause="a",
    )
    clock.advance(clock.hold)
    within("requeue", lambda: request.has_other_uid(first), clause="b")


@scenario(
    "PRC-105",
    "quota is kept during the back-off, or released for others",
    requirement="provisioning-check#quirks",
    shows="PA-108 RG-K29 PD-13",
    level="may",
    since="0.9",
    clauses={"a": "another Workload waits, or is admitted", "b": "both have had quota in the end"},
)
def test_quota_during_the_wait(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold, cpu="1")
    workload = provisioning.submit_until_requested(queue, cpu="1")
    other = queue.submit(cpu="1")
    within("settle", lambda: other.has_condition("QuotaReserved", "False"))

    autoscaler.reject(workload.request(queue.checks[0]))
    clock.advance_budget("react")

    behaviour = either(
        "react",
        {
            "kept": lambda: workload.has_quota_reserved() and other.is_suspended(),
            "given": other.is_prechecked,
        },
        clause="a",
    )
    clock.advance(clock.hold)
    within("requeue", {"kept": other.is_prechecked, "given": other.is_prechecked}[behaviour], clause="b")


@scenario(
    "PRC-106",
    "a limit below zero allows no retry",
    requirement=("provisioning-check#retry-limit", "provisioning-check#odd-input"),
    shows="PA-015 PA-098 PC-05 RG-K49",
    since="0.19",
    clauses={"a": "rejected at the first failure"},
)
def test_negative_limit(provisioning, autoscaler):
    queue = provisioning.make_queue(limit=-1)
    workload = provisioning.submit_until_requested(queue)

    autoscaler.reject(workload.request(queue.checks[0]))

    within("evict", workload.is_rejected, clause="a")


@scenario(
    "PRC-107",
    "an eviction for another reason is no failed attempt",
    requirement="provisioning-check#retry-limit",
    shows="PA-099 PA-112 PC-16 TB-112",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    clauses={
        "a": "requested again after the eviction",
        "b": "the one retry that is allowed is still there",
        "c": "and then it is rejected",
    },
)
def test_eviction_is_no_failure(provisioning, autoscaler):
    queue = provisioning.make_queue(limit=1)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    queue.requeue(workload, "cluster-queue-stopped")

    within("requeue", lambda: request.has_other_uid(first), clause="a")
    fails(provisioning, autoscaler, queue, workload, 1)
    within("react", workload.is_prechecked, clause="b")
    autoscaler.reject(request)
    within("evict", workload.is_rejected, clause="c")


@scenario(
    "PRC-108",
    "after an eviction the number of the attempt is one more than the retries",
    requirement="provisioning-check#names",
    shows="PA-115 PC-16 TB-24",
    level="may",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows("failures", (0,), (1,)),
    clauses={"a": "the same number again"},
)
def test_number_after_an_eviction(provisioning, autoscaler, failures):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    fails(provisioning, autoscaler, queue, workload, failures)
    request = workload.request(queue.checks[0])
    last = request.uid
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    queue.requeue(workload, "cluster-queue-stopped")

    within("requeue", lambda: request.has_other_uid(last) and request.is_attempt(failures + 1), clause="a")


@scenario(
    "PRC-109",
    "retries are counted for each Workload by itself",
    requirement="provisioning-check#retry-limit",
    shows="PA-099 PA-112",
    since="0.19",
    clauses={"a": "one is rejected", "b": "the other has its retry"},
)
def test_retries_of_two_workloads(provisioning, autoscaler):
    queue = provisioning.make_queue(limit=1)
    first, other = provisioning.submit_until_requested(queue), provisioning.submit_until_requested(queue)
    fails(provisioning, autoscaler, queue, first, 1)

    autoscaler.reject(first.request(queue.checks[0]))

    within("evict", first.is_rejected, clause="a")
    fails(provisioning, autoscaler, queue, other, 1)
    within("react", other.is_prechecked, clause="b")


@scenario(
    "PRC-110",
    "a rejected Workload gets a request when it is activated again, or never",
    requirement="provisioning-check#quirks",
    shows="PA-110 PA-113 RG-K33 PC-17",
    level="may",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    clauses={"a": "either of them"},
)
def test_activated_after_rejection(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(limit=0)
    workload = provisioning.submit_until_requested(queue)
    autoscaler.reject(workload.request(queue.checks[0]))
    within("evict", workload.is_rejected)
    within("evict", workload.has_no_request)

    workload.reactivate()
    clock.advance_budget("requeue")

    either(
        "requeue",
        {
            "it comes back": workload.request(queue.checks[0]).exists,
            "it is never queued": workload.is_active_and_suspended,
        },
        clause="a",
    )


@scenario(
    "PRC-111",
    "a Workload that its user deactivated and activated gets a request",
    requirement=("provisioning-check#after-reservation", "provisioning-check#clean-up"),
    shows="PA-118 PC-17",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    clauses={"a": "no request while it is deactivated", "b": "one when it is started again"},
)
def test_stopped_and_started(provisioning):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    workload.deactivate()
    within("evict", lambda: workload.is_suspended() and workload.has_no_request(), clause="a")
    always(workload.has_no_request, clause="a")

    workload.reactivate()

    within("requeue", workload.request(queue.checks[0]).exists, clause="b")


@scenario(
    "PRC-112",
    "a back-off that cannot be represented holds the verdict back, or is zero",
    requirement=("provisioning-check#quirks", "provisioning-check#odd-input"),
    shows="PA-095 PC-05 RG-K49",
    level="may",
    since="0.19",
    cases=rows("base", (-5,), (2147483647,)),
    clauses={"a": "undecided for ever, or tried again", "b": "it is no admission"},
)
def test_wait_that_cannot_be_said(provisioning, autoscaler, clock, base):
    queue = provisioning.make_queue(wait=base, longest=0)
    workload = provisioning.submit_until_requested(queue)

    autoscaler.reject(workload.request(queue.checks[0]))
    clock.advance_budget("react")

    either(
        "react",
        {
            "tried again": lambda: workload.had_verdict(queue.checks[0], "Retry", "Rejected"),
            "undecided": lambda: workload.has_states("Pending") and workload.is_prechecked(),
        },
        clause="a",
    )
    always(lambda: workload.was_ever("Admitted").negate(), clause="b")


@scenario(
    "PRC-113",
    "a changed limit counts from the next failure on",
    requirement="provisioning-check#config-changes",
    shows="PA-135",
    since="0.19",
    cases=rows("before after", (0, 1), (1, 0)),
    clauses={"a": "the request stays", "b": "as many as the new limit"},
)
def test_limit_changes(provisioning, autoscaler, before, after):
    queue = provisioning.make_queue(limit=before)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid
    queue.checks[0].set_retry_strategy(after)
    always(lambda: request.has_uid(uid), clause="a")

    autoscaler.reject(request)

    within("evict", workload.is_rejected if after == 0 else lambda: request.has_other_uid(uid), clause="b")
