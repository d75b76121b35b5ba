"""The states of a job, and who may lead from one to another: data for the drawing (pure)."""

from __future__ import annotations

from ...base.job_fields import FAILED, SUCCEEDED, JobFields
from ...base.json_types import Json
from ...states import NOT_YET, Machine, Transition
from ..state_changes import StateReader

_INTEGRATION, _USER, _OPERATOR = "integration", "user", "operator of the kind"
SUSPENDED, RUNNING, STOPPING = "Suspended", "Running", "Stopping"
ENDED_WELL, ENDED_BADLY = "Succeeded", "Failed"
JOB = Machine(
    "job",
    {
        NOT_YET: (40, 40),
        SUSPENDED: (160, 40),
        STOPPING: (290, 40),
        RUNNING: (160, 140),
        ENDED_WELL: (290, 120),
        ENDED_BADLY: (290, 180),
    },
    (
        Transition(NOT_YET, SUSPENDED, _USER),
        Transition(NOT_YET, RUNNING, _USER),
        Transition(SUSPENDED, RUNNING, _INTEGRATION),
        Transition(SUSPENDED, RUNNING, _USER),
        Transition(RUNNING, SUSPENDED, _INTEGRATION),
        Transition(RUNNING, SUSPENDED, _USER),
        Transition(RUNNING, STOPPING, _INTEGRATION),
        Transition(RUNNING, STOPPING, _USER),
        Transition(STOPPING, SUSPENDED, _OPERATOR),
        Transition(STOPPING, RUNNING, _USER),
        Transition(RUNNING, ENDED_WELL, _OPERATOR),
        Transition(RUNNING, ENDED_BADLY, _OPERATOR),
        Transition(SUSPENDED, ENDED_WELL, _OPERATOR),
        Transition(SUSPENDED, ENDED_BADLY, _OPERATOR),
        Transition(STOPPING, ENDED_WELL, _OPERATOR),
        Transition(STOPPING, ENDED_BADLY, _OPERATOR),
    ),
)
"""Stopping is a suspended job of which pods are left."""


def jobs_of(fields: JobFields) -> StateReader:
    """Return the states of jobs of a kind."""
    return StateReader(JOB, fields.kind, lambda job: {"": _state_of(job, fields)})


def _state_of(job: Json, fields: JobFields) -> str:
    # The end comes first: an operator may leave a job that has ended suspended or not.
    if fields.has_ended(job, SUCCEEDED):
        return ENDED_WELL
    if fields.has_ended(job, FAILED):
        return ENDED_BADLY
    if not fields.is_suspended(job):
        return RUNNING
    return STOPPING if fields.has_pods(job) else SUSPENDED
