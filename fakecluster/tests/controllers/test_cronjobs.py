"""CronJobs start Jobs at their moments, as under Kubernetes 1.36 (FK-464)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fakecluster.controllers.cronjobs import timetable

BATCH = "/apis/batch/v1/namespaces/default"
CRON_JOBS, CRON_JOB, JOBS = f"{BATCH}/cronjobs", f"{BATCH}/cronjobs/c", f"{BATCH}/jobs"
PODS, EVENTS = "/api/v1/namespaces/default/pods", "/api/v1/namespaces/default/events"
MINUTES = 29_453_760
"""Minutes from the epoch to the start of the world."""


def cron_job(schedule="* * * * *", script="instant", **spec):
    template = {
        "metadata": {"annotations": {"fakecluster.dev/script": script}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]},
    }
    job = {"metadata": {"labels": {"a": "b"}}, "spec": {"template": template}}
    return {"metadata": {"name": "c"}, "spec": {"schedule": schedule, "jobTemplate": job, **spec}}


def status(world):
    return world.ask("GET", CRON_JOB)["status"]


def events_of_controller(world):
    events = sorted(
        world.ask("GET", EVENTS)["items"], key=lambda event: int(event["metadata"]["resourceVersion"])
    )
    return [
        (event["reason"], event["message"])
        for event in events
        if event["reportingComponent"] == "cronjob-controller"
    ]


def job_minutes(world):
    return [int(name.rpartition("-")[2]) - MINUTES for name in world.names(JOBS)]


def test_a_job_starts_at_its_minute(world):
    created = world.ask("POST", CRON_JOBS, cron_job())
    world.pass_time(59)
    assert world.names(JOBS) == []

    world.pass_time(1)

    (job,) = world.ask("GET", JOBS)["items"]
    assert job["metadata"]["name"] == f"c-{MINUTES + 1}"
    assert job["metadata"]["labels"]["a"] == "b"
    assert job["metadata"]["annotations"] == {
        "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T00:01:00Z"
    }
    assert [owner["uid"] for owner in job["metadata"]["ownerReferences"]] == [created["metadata"]["uid"]]
    assert status(world) == {
        "lastScheduleTime": "2026-01-01T00:01:00Z",
        "lastSuccessfulTime": "2026-01-01T00:01:00Z",
    }
    name = job["metadata"]["name"]
    assert events_of_controller(world) == [
        ("SuccessfulCreate", f"Created job {name}"),
        ("SawCompletedJob", f"Saw completed job: {name}, condition: Complete"),
    ]
    assert world.refusals() == []


def test_jobs_that_run_are_active(world):
    world.ask("POST", CRON_JOBS, cron_job(script="manual"))
    world.pass_time(60)

    (active,) = status(world)["active"]
    job = world.ask("GET", f"{JOBS}/{active['name']}")
    assert (active["kind"], active["apiVersion"], active["uid"]) == (
        "Job",
        "batch/v1",
        job["metadata"]["uid"],
    )


@pytest.mark.parametrize(
    ("policy", "jobs", "active", "reason"),
    [
        pytest.param("Allow", [1, 2], 2, "SuccessfulCreate", id="allow"),
        pytest.param("Forbid", [1], 1, "JobAlreadyActive", id="forbid"),
        pytest.param("Replace", [2], 1, "SuccessfulCreate", id="replace"),
    ],
)
def test_a_job_that_still_runs_is_dealt_with_by_policy(world, policy, jobs, active, reason):
    world.ask("POST", CRON_JOBS, cron_job(script="manual", concurrencyPolicy=policy))
    world.pass_time(120)

    assert (job_minutes(world), len(status(world)["active"]), events_of_controller(world)[-1][0]) == (
        jobs,
        active,
        reason,
    )


def test_the_history_has_its_limits(world):
    world.ask("POST", CRON_JOBS, cron_job(successfulJobsHistoryLimit=2))
    world.pass_time(5 * 60)

    assert job_minutes(world) == [4, 5]


def test_a_suspended_cron_job_starts_nothing_and_then_only_the_last_it_missed(world):
    world.ask("POST", CRON_JOBS, cron_job(suspend=True))
    world.pass_time(5 * 60 + 30)
    assert world.names(JOBS) == []

    world.ask("PATCH", CRON_JOB, {"spec": {"suspend": False}})

    assert job_minutes(world) == [5]


def test_what_is_later_than_its_deadline_is_not_started(world):
    world.ask("POST", CRON_JOBS, cron_job("0 * * * *", suspend=True, startingDeadlineSeconds=20))
    world.pass_time(3600 + 30)
    world.ask("PATCH", CRON_JOB, {"spec": {"suspend": False}})
    assert job_minutes(world) == []

    world.pass_time(3600)

    assert job_minutes(world) == [120]


def test_very_many_missed_runs_are_told(world):
    world.ask("POST", CRON_JOBS, cron_job(suspend=True))
    world.pass_time(200 * 60)

    world.ask("PATCH", CRON_JOB, {"spec": {"suspend": False}})

    assert job_minutes(world) == [200]
    assert events_of_controller(world)[0][0] == "TooManyMissedTimes"


def test_another_schedule_counts_from_now_on(world):
    world.ask("POST", CRON_JOBS, cron_job("0 0 1 2 *"))
    world.pass_time(10 * 60 + 5)
    world.ask("PATCH", CRON_JOB, {"spec": {"schedule": "* * * * *"}})
    assert job_minutes(world) == []

    world.pass_time(55)

    assert job_minutes(world) == [11]


def test_a_schedule_that_never_comes_is_told(world):
    world.ask("POST", CRON_JOBS, cron_job("0 0 31 2 *"))

    assert events_of_controller(world) == [
        (
            "InvalidSchedule",
            "invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second",
        )
    ]


def test_a_job_that_somebody_deletes_is_missed(world):
    world.ask("POST", CRON_JOBS, cron_job(script="manual", schedule="0 * * * *"))
    world.pass_time(3600)
    (name,) = world.names(JOBS)

    world.ask("DELETE", f"{JOBS}/{name}", {"propagationPolicy": "Background"})

    assert status(world) == {"lastScheduleTime": "2026-01-01T01:00:00Z"}
    assert events_of_controller(world)[-1] == ("MissingJob", f"Active job went missing: {name}")


def test_jobs_go_with_their_cron_job(world):
    world.ask("POST", CRON_JOBS, cron_job(script="manual"))
    world.pass_time(60)

    world.ask("DELETE", CRON_JOB, {"propagationPolicy": "Background"})
    world.pass_time(0)

    assert (world.names(JOBS), world.names(PODS)) == ([], [])


@pytest.mark.parametrize(
    ("schedule", "zone", "after", "moments"),
    [
        ("*/15 * * * *", None, "2026-01-01T00:00:00", ["2026-01-01T00:15", "2026-01-01T00:30"]),
        ("30 6-16/4 * * 1-5", None, "2026-01-02T14:30:00", ["2026-01-05T06:30", "2026-01-05T10:30"]),
        (
            "0 0 13 * 5",
            None,
            "2026-01-01T12:00:00",
            ["2026-01-02T00:00", "2026-01-09T00:00", "2026-01-13T00:00"],
        ),
        ("0 0 */2 * 5", None, "2026-01-01T12:00:00", ["2026-01-02T00:00", "2026-01-03T00:00"]),
        ("0 0 29 feb *", None, "2026-01-01T00:00:00", ["2028-02-29T00:00", "2032-02-29T00:00"]),
        ("@weekly", None, "2026-01-01T00:00:00", ["2026-01-04T00:00"]),
        ("@yearly", None, "2026-01-01T00:00:00", ["2027-01-01T00:00"]),
        ("@every 90s", None, "2026-01-01T00:00:01", ["2026-01-01T00:01:31", "2026-01-01T00:03:01"]),
        ("0 3 * * *", "Europe/Berlin", "2026-06-01T00:00:00", ["2026-06-01T01:00"]),
        ("0 3 * * *", "America/New_York", "2026-01-01T00:00:00", ["2026-01-01T08:00"]),
        ("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00", ["2026-03-30T00:30"]),
        (
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24T12:00:00",
            ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-26T01:30"],
        ),
    ],
    ids=[
        "steps",
        "ranges of weekdays",
        "a day of the month or of the week",
        "steps restrict days",
        "a leap day",
        "weekly",
        "yearly",
        "periods",
        "summer time",
        "another zone",
        "an hour that is skipped",
        "an hour that comes twice",
    ],
)
def test_moments_of_a_schedule(schedule, zone, after, moments):
    table = timetable.of({"spec": {"schedule": schedule, "timeZone": zone}})
    moment, events = datetime.fromisoformat(after).replace(tzinfo=UTC).timestamp(), []
    for _ in moments:
        moment = table.following(moment)
        events.append(
            datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")[:19].removesuffix(":00")
        )

    assert events == [event.removesuffix(":00") if event.count(":") == 2 else event for event in moments]
