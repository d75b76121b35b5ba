"""Starts the Jobs of each CronJob at the moments of its schedule,
and keeps its status and history (FK-464).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from ...api.status import StatusError
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...kinds.batch import schedules
from ...registry.machinery import Api
from ...store import Event, Name, Store
from ..actor import Actor, service_account
from ..dependents import Dependents
from ..engine import Key
from ..owners import controller_of
from ..recorder import Recorder
from . import jobs, missed_runs, timetable
from .missed_runs import NoRunError, seconds_to_next
from .timetable import Timetable
from .writer import CronJobWriter

CRON_JOBS, JOBS = ("batch", "cronjobs"), ("batch", "jobs")
TOO_MANY = "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
ALREADY_ACTIVE = "Not starting job because prior execution is running and concurrency policy is Forbid"


class CronJobController:
    """Keeps the Jobs and the status of every CronJob."""

    resources = (CRON_JOBS, JOBS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("cronjob-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "cronjob-controller")
        self._jobs = Dependents(api.store)
        self._not_before: dict[Name, float] = {}
        """When a CronJob whose schedule was changed may start its next Job: what it missed by the new
        schedule does not count.
        """

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every CronJob."""
        for job in store.list(JOBS):
            self._jobs.add(job)
        return [cron_job.name for cron_job in store.list(CRON_JOBS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the CronJobs that an event concerns."""
        if event.resource == CRON_JOBS:
            self._follow_schedule(event)
            return (event.after.name,) if event.type != "DELETED" else ()
        self._jobs.observe(event)
        states = (event.before or event.after, event.after)
        owners = [controller_of(state.object) for state in states]
        return {
            (event.after.name[0], owner["name"]): None
            for owner in owners
            if owner and owner["kind"] == "CronJob"
        }

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one CronJob forward.

        Raises StatusError, also of a Job that could not be created or deleted.
        """
        stored = self._api.store.get(CRON_JOBS, (key[0], key[1]))
        if stored is None:
            return None
        writer = CronJobWriter(self._actor, self._recorder, stored.object)
        owned = [job.object for job in self._jobs.of(stored.uid)]
        for job in jobs.surplus(stored.object, owned):
            yield from writer.delete(job)
        yield from self._follow_jobs(writer, owned)
        error: StatusError | None = None
        seconds: float | None = None
        try:
            seconds = yield from self._start(writer)
        except StatusError as refusal:
            error = refusal
        yield from writer.write_status()
        if error:
            raise error
        return seconds

    def _follow_schedule(self, event: Event) -> None:
        name = event.after.name
        if event.type == "DELETED" or event.before is None:
            self._not_before.pop(name, None)
            return
        before, after = event.before.object["spec"], event.after.object["spec"]
        if any(before.get(member) != after.get(member) for member in ("schedule", "timeZone")):
            current_time = self._api.clock.now()
            table = _timetable(event.after.object)
            seconds = seconds_to_next(event.after.object, table, current_time) if table else None
            self._not_before[name] = current_time + (seconds or 0.0)

    def _follow_jobs(self, writer: CronJobWriter, owned: Iterable[Json]) -> Steps[None]:
        """Bring the list of active Jobs up to date."""
        present = set()
        for job in owned:
            present.add(job["metadata"]["uid"])
            end, name = jobs.end_of(job), job["metadata"]["name"]
            is_active = writer.is_active(job)
            if end and is_active:
                writer.forget(job["metadata"]["uid"])
                yield from writer.tell("SawCompletedJob", f"Saw completed job: {name}, condition: {end}")
            elif not end and not is_active:
                yield from writer.warn(
                    "UnexpectedJob", f"Saw a job that the controller did not create or forgot: {name}"
                )
            if end == "Complete":
                writer.note_success(job)
        for reference in writer.active:
            if reference["uid"] not in present:
                yield from writer.tell("MissingJob", f"Active job went missing: {reference['name']}")
                writer.forget(reference["uid"])

    def _start(self, writer: CronJobWriter) -> Steps[float | None]:
        """Start the Job that is due; return in how many seconds the next one is, None when none is awaited.

        Raises StatusError.
        """
        cron_job, current_time = writer.cron_job, self._api.clock.now()
        name = (cron_job["metadata"]["namespace"], cron_job["metadata"]["name"])
        table = _timetable(cron_job)
        if "deletionTimestamp" in cron_job["metadata"] or cron_job["spec"].get("suspend") or table is None:
            return None
        if (waits := self._not_before.get(name, current_time) - current_time) > 0:
            return waits
        try:
            due = missed_runs.due(cron_job, table, current_time)
        except NoRunError as error:
            message = f"invalid schedule: {cron_job['spec']['schedule']} : {error}"
            yield from writer.warn("InvalidSchedule", message)
            return None
        if due.moment is not None:
            if due.number > missed_runs.MANY_MISSED_RUNS:
                yield from writer.warn("TooManyMissedTimes", TOO_MANY)
            yield from self._start_at(writer, due.moment, current_time)
        return seconds_to_next(writer.cron_job, table, current_time)

    def _start_at(self, writer: CronJobWriter, moment: int, current_time: float) -> Steps[None]:
        """Start the Job of a moment, unless that was done, is too late, or another one may not run beside it.

        Raises StatusError.
        """
        spec = writer.cron_job["spec"]
        deadline = spec.get("startingDeadlineSeconds")
        if deadline is not None and moment + deadline < current_time:
            when = datetime.fromtimestamp(moment, UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
            yield from writer.warn("MissSchedule", f"Missed scheduled time to start a job: {when}")
        elif writer.was_started(jobs.name_at(writer.cron_job, moment), at(moment)):
            return
        elif spec.get("concurrencyPolicy") == "Forbid" and writer.active:
            yield from writer.tell("JobAlreadyActive", ALREADY_ACTIVE)
        else:
            if spec.get("concurrencyPolicy") == "Replace":
                yield from writer.delete_active()
            yield from writer.create(jobs.job_at(writer.cron_job, moment), at(moment))


def _timetable(cron_job: Json) -> Timetable | None:
    """Return the timetable of a CronJob, None where an older server stored one that cannot be read."""
    spec = cron_job["spec"]
    if any(schedules.problems(spec["schedule"])) or (
        spec.get("timeZone") is not None and schedules.zone_problem(spec["timeZone"])
    ):
        return None
    return timetable.of(cron_job)
