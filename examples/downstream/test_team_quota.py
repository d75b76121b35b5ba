"""Somebody else's project: tests of a team's queue set-up, written with the public fixtures only."""

import pytest

from kueue_conformance import Nonconformance, always, never, within


def test_job_waits_for_the_check_and_then_runs(queue):
    job = queue.submit("job", cpu="500m")
    within("reserve", lambda: job.is_prechecked() and job.lists_checks(*queue.checks))

    queue.checks[0].answer(job, "Ready")

    within("admit", job.is_admitted)


def test_second_job_waits_for_the_first(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    first = queue.submit("job", cpu="1")
    within("admit", first.is_admitted)

    second = queue.submit("job", cpu="1")
    never(second.is_admitted)
    first.finish()

    within("admit", second.is_admitted)


def test_story_names_who_wrote_what(queue, history):
    job = queue.submit("job")
    within("reserve", lambda: job.is_prechecked() and job.lists_checks(*queue.checks))
    queue.checks[0].answer(job, "Rejected", message="over budget")
    within("evict", job.is_rejected)

    actors = {change.actor for change in history.of("Workload", job.name, job.namespace)}

    assert {"kueue", "check-player"} <= actors


def test_retry_delay_passes_in_no_time(queue, clock):
    workload = queue.submit(cpu="1")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*queue.checks))

    queue.checks[0].answer(workload, "Retry", delay=900)
    clock.advance(890)
    always(lambda: workload.reservation_count() == 1)
    clock.advance(20)

    within("requeue", lambda: workload.reservation_count() == 2)


def test_failure_tells_the_story(queue):
    workload = queue.submit(cpu="1")

    with pytest.raises(Nonconformance, match=r"(?s)expected .*Admitted.*observed .*Pending.*story"):
        within("admit", workload.is_admitted)


def test_api_server_without_kueue(fakecluster):
    fakecluster.request("POST", "/api/v1/namespaces", {"metadata": {"name": "team-a"}})

    found = fakecluster.request("GET", "/api/v1/namespaces/team-a")

    assert found["status"]["phase"] == "Active"
