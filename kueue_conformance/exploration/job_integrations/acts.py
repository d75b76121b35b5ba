"""Acts of a story of jobs: what users, administrators, a check controller and the kind's operator do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from ..option_act import Grammar, OptionAct


class Verb(StrEnum):
    """What an act does."""

    SUBMIT = "submit"
    """A user creates the job, suspended or not, in a queue or in none."""
    RECREATE = "recreate"
    """A user deletes the job, and creates another one of its name at once."""
    DELETE = "delete"
    SUSPEND = "suspend"
    """A user holds the job back."""
    RESUME = "resume"
    """A user lets the job run, whatever Kueue says."""
    MOVE = "move"
    """A user names another LocalQueue."""
    COUNT = "count"
    """A user changes how many pods the job has."""
    REQUEST = "request"
    """A user changes what each pod of the job requests."""
    PRIORITIZE = "prioritize"
    """A user names another WorkloadPriorityClass."""
    LABEL = "label"
    """Another client labels the job and annotates its Workload."""
    BEGIN = "begin"
    """The pods of a job that runs begin."""
    END = "end"
    """No pod of the job is left."""
    SUCCEED = "succeed"
    FAIL = "fail"
    """The job fails for good."""
    ANSWER = "answer"
    """The check controller answers for the Workload of the job."""
    DEACTIVATE = "deactivate"
    ACTIVATE = "activate"
    DROP = "drop"
    """A user deletes the Workload of the job."""
    QUOTA = "quota"
    """An administrator changes the quota of a queue in each of its flavors."""
    STOP = "stop"
    """An administrator sets the stop policy of a queue; `None` resumes it."""
    IDLE = "idle"
    """A while passes in which nothing happens, and the integration writes nothing."""
    SETTLE = "settle"
    """Nothing happens until everything is at rest; then the state is judged."""


OPTIONS: Mapping[str, frozenset[str]] = {
    Verb.SUBMIT: frozenset({"to", "pods", "cpu", "class", "runs"}),
    Verb.RECREATE: frozenset({"to", "pods", "cpu", "class", "runs"}),
    Verb.MOVE: frozenset({"to"}),
    Verb.COUNT: frozenset({"pods"}),
    Verb.REQUEST: frozenset({"cpu"}),
    Verb.PRIORITIZE: frozenset({"class"}),
    Verb.ANSWER: frozenset({"state", "check", "update"}),
    Verb.QUOTA: frozenset({"cpu"}),
    Verb.STOP: frozenset({"policy"}),
}
"""The options that an act may have; those that are not here have none."""
UNNAMED = frozenset({Verb.IDLE, Verb.SETTLE})
"""Acts that are about no object."""
_NAMES: Mapping[str, str] = {Verb.QUOTA: "q", Verb.STOP: "q"}


class Act(OptionAct):
    """One act, of those above."""

    __slots__ = ()
    grammar = Grammar(verbs=Verb, options=OPTIONS, unnamed=UNNAMED, letters=_NAMES, usual_letters="j")


SETTLE, IDLE = Act(Verb.SETTLE), Act(Verb.IDLE)
