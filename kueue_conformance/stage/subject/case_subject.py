"""The judged check controller of one case: undecided at its beginning, and without answers behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...base.errors import UsageError
from ..kueue.kueue import Kueue
from ..stage import Stage
from .canary import Canary
from .polling_interval import PollingInterval
from .shared_canary import SharedCanary
from .subject import Subject


@contextmanager
def case_subject(stage: Stage, kueue: Kueue) -> Iterator[Subject]:
    """Lend the subject to a case. Raises UsageError where none is named."""
    context = stage.context
    if context.subject is None:
        raise UsageError(
            "no check controller is named", hint="add --kueue-subject and --kueue-controller-name"
        )
    check_controller = Subject(context, context.subject, stage.names, stage.namespace)
    # In virtual time nothing external runs: one polling interval shows every answer.
    if context.budgets.virtual:
        waits = looks = PollingInterval(context).wait
    else:
        canary_type = SharedCanary if check_controller.decides_for_all else Canary
        canary = canary_type(context, stage, check_controller, kueue)
        waits, looks = canary.wait_for_answer, canary.wait_for_new_question
    context.drains.append(waits)
    context.looks.append(looks)
    check_controller.begin_undecided()
    yield check_controller
    # Before the cluster ends: a shared subject serves the next case too.
    check_controller.reset_answers()
