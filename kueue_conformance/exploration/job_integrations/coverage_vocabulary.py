"""What stories of jobs can have, and what a run of one can show (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from ...states import WORKLOAD
from ..coverage import Vocabulary
from ..interruptions import KINDS, STILL
from ..perturbation import PerturbationKind
from .acts import Verb
from .job_states import ENDED_BADLY, ENDED_WELL, JOB, RUNNING, STOPPING

_CAUSES: Mapping[tuple[str, str], list[str]] = {
    (JOB.name, RUNNING): [Verb.SUBMIT, Verb.RESUME],
    (JOB.name, STOPPING): [Verb.BEGIN],
    (JOB.name, ENDED_WELL): [Verb.SUCCEED],
    (JOB.name, ENDED_BADLY): [Verb.FAIL],
    (WORKLOAD.name, "Finished"): [Verb.SUCCEED, Verb.FAIL],
    (WORKLOAD.name, "Rejected"): [Verb.DEACTIVATE],
}


def vocabulary_of(impossible: Mapping[PerturbationKind, str]) -> Vocabulary:
    """Return the vocabulary of an integration, for which some perturbations are impossible, with the
    reason.
    """
    return Vocabulary(
        acts=[*map(str, Verb)],
        waits=STILL,
        kinds=KINDS,
        machines=(JOB, WORKLOAD),
        impossible={kind.name: why for kind, why in impossible.items()},
        causes=_CAUSES,
    )
