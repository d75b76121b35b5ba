"""What stories of a check controller can have, and what a run of one can show (pure)."""

from __future__ import annotations

from collections.abc import Mapping

from ...states import ENTRY, NOT_YET, WORKLOAD
from ..coverage import Vocabulary
from ..perturbation import PerturbationKind
from .acts import EVICTIONS, FORMS, STATES, Verb, form_of
from .drawing_limits import DrawingLimits
from .perturbations import KINDS

_SUBJECT_FILE = "the subject file does not declare what it needs"
_EVICTS = [form_of(Verb.EVICT, reason) for reason in ("", *EVICTIONS)]
_CAUSES = {
    **{
        (ENTRY.name, state): [form_of(verb, state) for verb in (Verb.DECIDE, Verb.DECIDE_ALL)]
        for state in STATES
    },
    (ENTRY.name, NOT_YET): [str(Verb.UNLIST)],
    (WORKLOAD.name, "Admitted"): [str(Verb.ADMIT)],
    (WORKLOAD.name, "Evicted"): _EVICTS,
    (WORKLOAD.name, "Finished"): [str(Verb.FINISH)],
    (WORKLOAD.name, "Rejected"): [str(Verb.DEACTIVATE), form_of(Verb.EVICT, "Deactivated")],
}


def vocabulary_of(limits: DrawingLimits, impossible: Mapping[PerturbationKind, str]) -> Vocabulary:
    """Return the vocabulary of a controller: some acts are not drawn for it, and some perturbations are
    impossible, with the reason.
    """
    acts = {form_of(verb, word): (verb, word) for verb, form in FORMS.items() for word in form.words}
    undrawn = [
        act
        for act, (verb, word) in acts.items()
        if not limits.allows(verb)
        or (verb is Verb.DECIDE and word not in limits.states)
        or (verb is Verb.DECIDE_ALL and word not in limits.common_decisions)
    ]
    return Vocabulary(
        acts=[*acts],
        waits=(Verb.SETTLE, Verb.IDLE),
        kinds=KINDS,
        machines=(ENTRY, WORKLOAD),
        impossible={
            **dict.fromkeys(undrawn, _SUBJECT_FILE),
            **{kind.name: why for kind, why in impossible.items()},
        },
        causes=_CAUSES,
    )
