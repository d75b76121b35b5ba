"""PRC: checks that are answered although their Workload or configuration is gone, or without a reason, or not
at all for the sake of another one, each beside what the documents say (CC-024, CC-036, PA-034, PA-136).
"""

from kueue_conformance import either, scenario, within


@scenario(
    "PRC-270",
    "the check of a Workload that is being deleted is answered, or left alone",
    requirement="provisioning-check#quirks",
    shows="CC-023 CC-024",
    level="may",
    since="0.19",
    clauses={"a": "either of them"},
)
def test_check_of_a_deleted_workload(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    workload.add_foreign_finalizer()
    workload.delete()

    autoscaler.provision(request)
    clock.advance_budget("react")

    ways = {
        "answered": lambda: workload.has_states("Ready"),
        "left alone": lambda: workload.has_states("Pending"),
    }
    either("react", ways, clause="a")


@scenario(
    "PRC-271",
    "a check whose capacity is revoked without a message is Rejected without one, or says that there is none",
    requirement="provisioning-check#quirks",
    shows="CC-036",
    level="may",
    since="0.19",
    clauses={"a": "either of them"},
)
def test_rejected_without_a_message(provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    autoscaler.revoke_capacity(request)
    within("evict", lambda: workload.had_verdict(check, "Rejected") and workload.is_rejected())

    reason = f'"{check.name}" ('
    ways = {
        "a message": lambda: workload.has_message_containing("Evicted", reason),
        "no message": lambda: workload.has_message_containing("Evicted", reason).negate(),
    }
    either("settle", ways, clause="a")


@scenario(
    "PRC-272",
    "a check whose reference is wrong keeps the other check of the Workload unanswered, or only itself",
    requirement="provisioning-check#quirks",
    shows="PA-034 PC-14",
    level="may",
    since="0.19",
    clauses={"a": "either of them"},
)
def test_other_check_of_a_wrong_reference(kueue_cluster, provisioning, autoscaler, clock):
    good, bad = provisioning.make_active_check(), provisioning.make_active_check()
    workload = kueue_cluster.make_queue([good, bad]).submit()
    within("react", workload.request(good).exists)
    bad.set_parameters(provisioning.reference(bad.config, kind="Secret"))
    within("react", bad.shows_why_inactive)

    autoscaler.provision(workload.request(good))
    clock.advance_budget("react")

    ways = {
        "answered": lambda: workload.has_states("Ready", good),
        "unanswered": lambda: workload.has_states("Pending", good),
    }
    either("react", ways, clause="a")


@scenario(
    "PRC-273",
    "the check of a running Workload is Pending when its configuration is deleted, or stays Ready",
    requirement="provisioning-check#quirks",
    shows="PA-136 RG-K32 PD-16",
    level="may",
    since="0.19",
    clauses={"a": "either of them"},
)
def test_running_without_a_configuration(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(check))
    within("admit", workload.is_admitted)

    check.delete_config()
    clock.advance_budget("react")

    ways = {
        "undecided": lambda: workload.has_states("Pending"),
        "as before": lambda: workload.has_states("Ready"),
    }
    either("react", ways, clause="a")
