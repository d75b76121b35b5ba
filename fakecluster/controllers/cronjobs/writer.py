"""Writes of the CronJob controller about one CronJob: its Jobs, its status and Events."""

from __future__ import annotations

from ...api.status import StatusError
from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import since_epoch
from ...store import Stored
from ..actor import Actor
from ..owners import controller_of
from ..pod_writer import NAMESPACE_TERMINATING
from ..recorder import Recorder
from .jobs import reference

JOBS = ("batch", "jobs")


class CronJobWriter:
    """Holds a CronJob whose status is written once, at the end of a look at it."""

    def __init__(self, actor: Actor, recorder: Recorder, cron_job: Json) -> None:
        self._actor = actor
        self._recorder = recorder
        self._before = cron_job.get("status", {})
        self.cron_job = cron_job

    @property
    def active(self) -> tuple[Json, ...]:
        """The references to active Jobs."""
        return tuple(self.cron_job.get("status", {}).get("active") or ())

    def is_active(self, job: Json) -> bool:
        """Tell whether a Job is in the list of active ones."""
        return any(active["uid"] == job["metadata"]["uid"] for active in self.active)

    def was_started(self, name: str, moment: str) -> bool:
        """Tell whether the Job of a moment was started already."""
        return moment == self.cron_job.get("status", {}).get("lastScheduleTime") or any(
            active["name"] == name for active in self.active
        )

    def forget(self, uid: str) -> None:
        """Take a Job out of the list of active ones."""
        self._set(active=[active for active in self.active if active["uid"] != uid])

    def note_success(self, job: Json) -> None:
        """Note when a Job succeeded, if none succeeded later."""
        last = self.cron_job.get("status", {}).get("lastSuccessfulTime")
        moment = job["status"].get("completionTime")
        if moment and (last is None or since_epoch(moment) > since_epoch(last)):
            self._set(lastSuccessfulTime=moment)

    def create(self, job: Json, moment: str) -> Steps[None]:
        """Create the Job of a moment; one that we created
        before and forgot is taken over. Raises StatusError.
        """
        row = self._actor.kind("batch/v1", "Job")
        if row is None:
            return
        try:
            new = yield from self._actor.create(row, job)
        except StatusError as error:
            stored = self._get_job(job["metadata"]["name"])
            if error.reason != "AlreadyExists":
                if not error.has_cause(NAMESPACE_TERMINATING):
                    yield from self.warn("FailedCreate", f"Error creating job: {error}")
                raise
            owner = controller_of(stored.object) if stored else None
            if stored is None or owner is None or owner["uid"] != self.cron_job["metadata"]["uid"]:
                return
            new = stored.object
        else:
            yield from self.tell("SuccessfulCreate", f"Created job {new['metadata']['name']}")
        self._set(active=[*self.active, reference(new)], lastScheduleTime=moment)

    def delete_active(self) -> Steps[None]:
        """Delete the active Jobs. Raises StatusError."""
        for active in self.active:
            stored = self._get_job(active["name"])
            if stored is not None:
                yield from self.delete(stored.object, must_succeed=True)

    def delete(self, job: Json, *, must_succeed: bool = False) -> Steps[None]:
        """Delete a Job with its pods. Raises StatusError where that must succeed."""
        row, stored = self._actor.kind("batch/v1", "Job"), self._get_job(job["metadata"]["name"])
        if row is None or stored is None:
            return
        try:
            yield from self._actor.delete(row, stored, propagationPolicy="Background")
        except StatusError as error:
            yield from self.warn("FailedDelete", f"Deleted job: {error}")
            if must_succeed:
                raise
            return
        self.forget(job["metadata"]["uid"])
        yield from self.tell("SuccessfulDelete", f"Deleted job {job['metadata']['name']}")

    def write_status(self) -> Steps[None]:
        """Write the status if it has changed. Raises StatusError."""
        row = self._actor.kind("batch/v1", "CronJob")
        if row and self.cron_job.get("status", {}) != self._before:
            self.cron_job = yield from self._actor.update_status(row, self.cron_job)

    def tell(self, reason: str, message: str) -> Steps[None]:
        """Record what happened."""
        yield from self._recorder.record(self.cron_job, reason, message)

    def warn(self, reason: str, message: str) -> Steps[None]:
        """Record what went wrong."""
        yield from self._recorder.record(self.cron_job, reason, message, "Warning")

    def _set(self, **members: Json) -> None:
        status = {**self.cron_job.get("status", {}), **members}
        filled = {name: value for name, value in status.items() if value}
        self.cron_job = {**self.cron_job, "status": filled}

    def _get_job(self, name: str) -> Stored | None:
        return self._actor.api.store.get(JOBS, (self.cron_job["metadata"]["namespace"], name))
